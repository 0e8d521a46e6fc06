/**
 * The renderer's own time, in one place so that everything that waits can be driven by hand in a test.
 * Station time arrives with the snapshots; between two snapshots it is carried on with the page's monotonic clock.
 */
export interface PageTime {
  /** Milliseconds since the page was opened; never jumps. */
  monotonic_ms(): number;
  /** Wall time for things that leave the page (file names, mute until), UTC milliseconds. */
  utc_ms(): number;
  /** Calls back every `period_ms` until cancelled. */
  every(period_ms: number, callback: () => void): () => void;
  /** Calls back once after `delay_ms` unless cancelled. */
  after(delay_ms: number, callback: () => void): () => void;
}

export const pageTime: PageTime = {
  monotonic_ms: () => performance.now(),
  utc_ms: () => Date.now(),
  every(period_ms, callback) {
    const id = setInterval(callback, period_ms);
    return () => clearInterval(id);
  },
  after(delay_ms, callback) {
    const id = setTimeout(callback, delay_ms);
    return () => clearTimeout(id);
  },
};

/** The station's monotonic clock as seen from the page: the last one told, carried on. */
export interface StationClock {
  now_ms(): number;
  told(now_ms: number): void;
}

export function createStationClock(time: PageTime): StationClock {
  let told_ms = 0;
  let at_ms = time.monotonic_ms();
  return {
    now_ms: () => told_ms + (time.monotonic_ms() - at_ms),
    told(now_ms) {
      told_ms = now_ms;
      at_ms = time.monotonic_ms();
    },
  };
}
