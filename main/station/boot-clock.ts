/**
 * Maps the vehicle's boot time to the station's clock by the fastest arrival seen lately: queues and radios only ever
 * add delay, so the smallest difference is the nearest to the truth. The window is short, so that a clock that drifts, or a simulator that lags, is followed.
 */
export class BootClock {
  readonly #window_ms: number;
  #samples: { at_ms: number; offset_ms: number }[] = [];
  #last_boot_ms: number | null = null;

  constructor(window_ms = 1500) {
    this.#window_ms = window_ms;
  }

  /** A message stamped `boot_ms` by the vehicle arrived at `at_ms`. */
  add(boot_ms: number, at_ms: number): void {
    if (!Number.isFinite(boot_ms) || !Number.isFinite(at_ms)) return;
    // A boot time that falls back by more than a second is another boot.
    if (this.#last_boot_ms !== null && boot_ms < this.#last_boot_ms - 1000) this.#samples = [];
    this.#last_boot_ms = Math.max(
      boot_ms,
      this.#samples.length === 0 ? boot_ms : (this.#last_boot_ms ?? boot_ms),
    );
    const offset_ms = at_ms - boot_ms;
    // Monotonic queue: a later sample that is no larger makes earlier ones irrelevant.
    while ((this.#samples.at(-1)?.offset_ms ?? -Infinity) >= offset_ms) this.#samples.pop();
    this.#samples.push({ at_ms, offset_ms });
    while ((this.#samples[0]?.at_ms ?? at_ms) < at_ms - this.#window_ms) this.#samples.shift();
  }

  /** Station time minus boot time; null before the first message. */
  get offset_ms(): number | null {
    return this.#samples[0]?.offset_ms ?? null;
  }
}
