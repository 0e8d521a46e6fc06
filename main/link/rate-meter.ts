const BUCKET_ms = 250;
const BUCKETS = 12;

/** Events per second over the last three seconds. */
export class RateMeter {
  readonly #counts = new Float64Array(BUCKETS);
  #bucket = 0;
  #first_ms: number | null = null;

  add(amount: number, now_ms: number): void {
    this.#first_ms ??= now_ms;
    this.#advance(now_ms);
    const index = this.#bucket % BUCKETS;
    this.#counts[index] = (this.#counts[index] ?? 0) + amount;
  }

  perSecond(now_ms: number): number {
    if (this.#first_ms === null) return 0;
    this.#advance(now_ms);
    const window_ms = Math.min(
      now_ms - this.#first_ms,
      (BUCKETS - 1) * BUCKET_ms + (now_ms - this.#bucket * BUCKET_ms),
    );
    const sum = this.#counts.reduce((a, b) => a + b, 0);
    return sum / (Math.max(BUCKET_ms, window_ms) / 1000);
  }

  #advance(now_ms: number): void {
    const bucket = Math.max(this.#bucket, Math.floor(now_ms / BUCKET_ms));
    const clear = Math.min(BUCKETS, bucket - this.#bucket);
    for (let i = 0; i < clear; i++) this.#counts[(bucket - i) % BUCKETS] = 0;
    this.#bucket = bucket;
  }
}
