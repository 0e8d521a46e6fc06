import type { ChildProcess } from "node:child_process";
import type { Input, Output } from "#contract/ipc";
import type { ReviewJob } from "#contract/review";
import { endChild, forkChild } from "../platform/child";
import type { ReviewRequest } from "./service-names";

export interface ReviewClient {
  /** One request of contract/ipc.ts. Refusals are values; a crash of the review process is one too. */
  request<C extends ReviewRequest>(channel: C, input: Input<C>): Promise<Output<C>>;
  close(): Promise<void>;
}

export interface ReviewClientOptions {
  /** Long work under way there, whenever it changes. */
  readonly onJobs?: (jobs: readonly ReviewJob[]) => void;
  /** Text the review process wrote to stderr, for the log file. */
  readonly onText?: (text: string) => void;
  /** Replaced in tests. */
  readonly start?: () => ChildProcess;
}

interface Waiting {
  readonly channel: ReviewRequest;
  readonly settle: (output: unknown) => void;
}

const CRASHED =
  "The log reader crashed on this file and was restarted; nothing else was affected. Open it again.";

/**
 * The station's end of the review process. It starts with the first request. When it dies, everything asked of it is
 * answered once with one clear sentence, and the next request starts a new one. Logs opened before the crash are
 * gone from it, which later requests say too.
 */
export function reviewClient(options: ReviewClientOptions = {}): ReviewClient {
  const start =
    options.start ?? (() => forkChild("review", options.onText ? { onText: options.onText } : {}));
  let child: ChildProcess | null = null;
  let seq = 0;
  const waiting = new Map<number, Waiting>();

  const fail = (reason: string): void => {
    const failed = [...waiting.values()];
    waiting.clear();
    for (const { channel, settle } of failed) settle(channel === "review.close" ? {} : { ok: false, reason });
  };

  const running = (): ChildProcess => {
    if (child) return child;
    const started = start();
    child = started;
    // Nothing is expected on stdout; an unread pipe would fill up and stop the child.
    started.stdout?.resume();
    started.on("message", (message: unknown) => {
      const told = message as { jobs: readonly ReviewJob[] } | { seq: number; output: unknown };
      if ("jobs" in told) {
        options.onJobs?.(told.jobs);
        return;
      }
      const { seq: answered, output } = told;
      const asked = waiting.get(answered);
      waiting.delete(answered);
      asked?.settle(output);
    });
    const gone = (): void => {
      if (child === started) child = null;
      options.onJobs?.([]);
      fail(CRASHED);
    };
    started.once("exit", gone);
    started.once("error", gone);
    return started;
  };

  return {
    request: async <C extends ReviewRequest>(channel: C, input: Input<C>): Promise<Output<C>> => {
      const output = await new Promise<unknown>((settle) => {
        seq += 1;
        const mine = seq;
        waiting.set(mine, { channel, settle });
        running().send({ seq: mine, channel, input }, (error) => {
          if (!error || !waiting.delete(mine)) return;
          settle(channel === "review.close" ? {} : { ok: false, reason: CRASHED });
        });
      });
      // Parsed where it leaves for the window; here that would cost the station's loop a second time.
      return output as Output<C>;
    },
    close: async () => {
      const ending = child;
      child = null;
      if (ending) await endChild(ending);
      fail("The log reader was closed.");
    },
  };
}
