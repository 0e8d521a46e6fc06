import type { Cancel, Clock } from "../platform/clock";

/** Signs of life come every 500 ms; after this long without one the window counts as lost. */
export const silence_limit_ms = 2000;

export interface RendererWatch {
  alive(): void;
  /** The window is known to be gone or about to load: silence is no news until its first sign of life. */
  expectSilence(): void;
  readonly lost: boolean;
  close(): void;
}

/** Tells once per silence that the window has stopped talking. */
export function watchRenderer(clock: Clock, onSilent: () => void): RendererWatch {
  let lost = true;
  let cancel: Cancel = () => {};
  return {
    alive: () => {
      lost = false;
      cancel();
      cancel = clock.after(silence_limit_ms, () => {
        lost = true;
        onSilent();
      });
    },
    expectSilence: () => {
      lost = true;
      cancel();
    },
    get lost() {
      return lost;
    },
    close: () => {
      cancel();
    },
  };
}
