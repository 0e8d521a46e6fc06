export type Cancel = () => void;

/**
 * The only source of time. `now_ms` is monotonic with an arbitrary zero; `utc_ms` is wall time for records
 * and screens, never for decisions. Under simulated time both come from the clock barrier.
 */
export interface Clock {
  now_ms(): number;
  utc_ms(): number;
  after(delay_ms: number, run: () => void): Cancel;
  every(period_ms: number, run: () => void): Cancel;
  /** Simulated time stands still until `work` settles; real time does not wait. Returns `work`. */
  hold<T>(work: Promise<T>): Promise<T>;
}

export function realClock(): Clock {
  return {
    now_ms: () => performance.now(),
    utc_ms: () => Date.now(),
    after: (delay_ms, run) => {
      const timer = setTimeout(run, delay_ms);
      return () => {
        clearTimeout(timer);
      };
    },
    every: (period_ms, run) => {
      const timer = setInterval(run, period_ms);
      return () => {
        clearInterval(timer);
      };
    },
    hold: (work) => work,
  };
}
