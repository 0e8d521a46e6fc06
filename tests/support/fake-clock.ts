import type { Cancel, Clock } from "../../main/platform/clock";

/** A clock that moves only when told; due timers run in order of time, then of creation. */
export class FakeClock implements Clock {
  #now_ms: number;
  #timers: { at_ms: number; run: () => void }[] = [];

  constructor(start_ms = 0) {
    this.#now_ms = start_ms;
  }
  now_ms(): number {
    return this.#now_ms;
  }
  utc_ms(): number {
    return 1_780_000_000_000 + this.#now_ms;
  }
  after(delay_ms: number, run: () => void): Cancel {
    const timer = { at_ms: this.#now_ms + Math.max(0, delay_ms), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer);
    };
  }
  every(period_ms: number, run: () => void): Cancel {
    let cancel: Cancel = () => {};
    const tick = (): void => {
      cancel = this.after(period_ms, tick);
      run();
    };
    cancel = this.after(period_ms, tick);
    return () => {
      cancel();
    };
  }
  hold<T>(work: Promise<T>): Promise<T> {
    return work;
  }
  advance(by_ms: number): void {
    const until_ms = this.#now_ms + by_ms;
    for (;;) {
      let next: { at_ms: number; run: () => void } | undefined;
      for (const t of this.#timers) if (t.at_ms <= until_ms && (!next || t.at_ms < next.at_ms)) next = t;
      if (!next) break;
      const due = next;
      this.#timers = this.#timers.filter((t) => t !== due);
      this.#now_ms = Math.max(this.#now_ms, due.at_ms);
      due.run();
    }
    this.#now_ms = until_ms;
  }
  /** Advances in small steps, letting promise chains run between them. */
  async advanceAsync(by_ms: number, step_ms = 10): Promise<void> {
    for (let left_ms = by_ms; left_ms > 0; left_ms -= step_ms) {
      this.advance(Math.min(step_ms, left_ms));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
