import { useEffect, useRef, useState } from "react";
import type { z } from "zod";
import type { PageTime } from "../bridge/time";
import { useStores } from "../stores/context";
import { useCursorMoves, useDesk } from "./hooks";
import { Latest } from "./latest";

const pause_ms = 120;

/** The newest message of a topic at the cursor, parsed; null when there is none. Asked for at most eight times a second. */
export function useMessage<T>(topic: string, schema: z.ZodType<T>): T | null {
  const desk = useDesk();
  const { time } = useStores();
  const [message, setMessage] = useState<T | null>(null);
  const latest = useRef<Latest<number, unknown> | null>(null);
  useEffect(() => {
    const asking = new Latest<number, unknown>(
      async (at_s) => {
        const [answer] = await Promise.all([desk.message(topic, at_s), pause(time)]);
        return answer;
      },
      (answer) => {
        const parsed = schema.safeParse(answer);
        setMessage(parsed.success ? parsed.data : null);
      },
    );
    latest.current = asking;
    asking.want(desk.state.getState().playback.cursor_s);
    return () => {
      asking.close();
      latest.current = null;
    };
  }, [desk, time, topic, schema]);
  useCursorMoves((cursor_s) => latest.current?.want(cursor_s));
  return message;
}

const pause = (time: PageTime): Promise<void> => new Promise((done) => time.after(pause_ms, done));
