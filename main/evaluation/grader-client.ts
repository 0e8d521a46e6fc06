import { createConnection, type Socket } from "node:net";
import { GraderMessage } from "#contract/grader-wire";
import type { Cancel, Clock } from "../platform/clock";

export interface GraderListener {
  readonly onMessage: (message: GraderMessage) => void;
  /** The world has ended, the connection is lost, or what came does not fit the contract. Called once. */
  readonly onClose: (problem: string | null) => void;
}

const retry_ms = 20;

/**
 * Reads the ground truth of an embedded vehicle that was started with `--grader PATH`. Tries until somebody listens there,
 * because the world is started at the same time as its grader. Nothing is ever sent.
 *
 * Import rule: main/evaluation, and main/app's spectator port; no other part of a station.
 */
export function openGrader(path: string, clock: Clock, listener: GraderListener): Cancel {
  let socket: Socket | null = null;
  let cancelRetry: Cancel = () => {};
  let over = false;
  const end = (problem: string | null): void => {
    if (over) return;
    over = true;
    cancelRetry();
    socket?.destroy();
    listener.onClose(problem);
  };
  const connect = (): void => {
    const current = createConnection(path);
    socket = current;
    let connected = false;
    let rest = "";
    current.setEncoding("utf8");
    current.on("connect", () => {
      connected = true;
    });
    current.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (over) return;
        const message = parse(line);
        if (message === null) {
          end("the grader socket does not speak this version");
          return;
        }
        listener.onMessage(message);
        if (message.kind === "end") end(null);
      }
    });
    current.on("error", () => {});
    current.on("close", () => {
      if (over) return;
      if (connected) end("the grader socket closed in the middle");
      else cancelRetry = clock.after(retry_ms, connect);
    });
  };
  connect();
  return () => {
    if (over) return;
    over = true;
    cancelRetry();
    socket?.destroy();
  };
}

function parse(line: string): GraderMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = GraderMessage.safeParse(value);
  return parsed.success ? parsed.data : null;
}
