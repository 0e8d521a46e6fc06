import { useCallback, useEffect, useRef, useState } from "react";
import type { RequestName } from "#contract/channels";
import type { Input, Output } from "#contract/ipc";
import { useStores, useUiStore } from "../stores/context";
import { type Stores, tell } from "../stores/stores";
import { withNotice } from "../stores/ui";

/** What the station was asked for: on its way, there, or why not. */
export type Asked<T> =
  | { readonly state: "waiting" }
  | { readonly state: "ready"; readonly value: T }
  | { readonly state: "failed"; readonly reason: string };

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Asks for something when the section opens, when `key` changes and on `again`. An answer that came too late is dropped. */
export function useAnswer<T>(
  ask: () => Promise<Answer<T>>,
  key: unknown,
): { readonly asked: Asked<T>; readonly again: () => void } {
  const [asked, setAsked] = useState<Asked<T>>({ state: "waiting" });
  const [count, setCount] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    let wanted = true;
    setAsked((before) => (before.state === "ready" && count === 0 ? before : { state: "waiting" }));
    latest.current().then(
      (answer) => {
        if (!wanted) return;
        setAsked(
          answer.ok ? { state: "ready", value: answer.value } : { state: "failed", reason: answer.reason },
        );
      },
      (cause: unknown) => {
        if (wanted) setAsked({ state: "failed", reason: reasonOf(cause) });
      },
    );
    return () => {
      wanted = false;
    };
  }, [count, key]);
  return { asked, again: useCallback(() => setCount((n) => n + 1), []) };
}

/** Asks again and again while Setup is on the screen; the newest answer, or null before the first. */
export function usePolled<C extends RequestName>(
  channel: C,
  input: Input<C>,
  period_ms: number,
): { readonly answer: Output<C> | null; readonly problem: string } {
  const { bridge, time } = useStores();
  const shown = useUiStore((ui) => ui.workspace === "setup");
  const [state, setState] = useState<{ answer: Output<C> | null; problem: string }>({
    answer: null,
    problem: "",
  });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (!shown) return;
    let wanted = true;
    let busy = false;
    const ask = (): void => {
      // One question at a time: a station that is busy is not helped by more of them.
      if (busy) return;
      busy = true;
      bridge
        .request(channel, JSON.parse(key) as Input<C>)
        .then(
          (answer) => {
            if (wanted) setState({ answer, problem: "" });
          },
          (cause: unknown) => {
            if (wanted) setState((before) => ({ ...before, problem: reasonOf(cause) }));
          },
        )
        .finally(() => {
          busy = false;
        });
    };
    ask();
    const cancel = time.every(period_ms, ask);
    return () => {
      wanted = false;
      cancel();
    };
  }, [bridge, time, shown, channel, key, period_ms]);
  return state;
}

interface Dialog {
  readonly kind: "open" | "save" | "folder";
  readonly title: string;
  readonly extension?: string;
  readonly suggested?: string;
}

/** The system's own dialog; null when it was cancelled. */
export async function pickPath(stores: Stores, dialog: Dialog): Promise<string | null> {
  const { kind, title, extension = "", suggested = "" } = dialog;
  try {
    const { path } = await stores.bridge.request("dialog.pick", { kind, title, extension, suggested });
    return path;
  } catch (cause) {
    await tell(stores, Promise.resolve({ ok: false as const, reason: reasonOf(cause) }));
    return null;
  }
}

/** A short neutral word after something has worked. */
export const say = (stores: Stores, text: string): void =>
  stores.ui.setState((state) => withNotice(state, "neutral", text));
