/** Where each message of one topic lies: which chunk, where in it, and when. Arrays grow by doubling. */
export class MessageIndex {
  #chunk = new Uint32Array(64);
  #offset = new Float64Array(64);
  #t_s = new Float64Array(64);
  length = 0;
  ordered = true;

  /** What it holds, as plain arrays. */
  arrays(): {
    readonly chunk: Uint32Array<ArrayBuffer>;
    readonly offset: Float64Array<ArrayBuffer>;
    readonly t_s: Float64Array<ArrayBuffer>;
    readonly ordered: boolean;
  } {
    const { length, ordered } = this;
    return {
      chunk: this.#chunk.subarray(0, length),
      offset: this.#offset.subarray(0, length),
      t_s: this.#t_s.subarray(0, length),
      ordered,
    };
  }

  /** One that holds these already; more can be added. */
  static of({ chunk, offset, t_s, ordered }: ReturnType<MessageIndex["arrays"]>): MessageIndex {
    const index = new MessageIndex();
    index.#chunk = chunk;
    index.#offset = offset;
    index.#t_s = t_s;
    index.length = t_s.length;
    index.ordered = ordered;
    return index;
  }

  add(chunk: number, offset: number, t_s: number): void {
    if (this.length === this.#chunk.length) this.#grow();
    const i = this.length++;
    this.#chunk[i] = chunk;
    this.#offset[i] = offset;
    this.#t_s[i] = t_s;
    if (i > 0 && t_s < (this.#t_s[i - 1] as number)) this.ordered = false;
  }

  #grow(): void {
    const wider = Math.max(64, this.#chunk.length * 2);
    const chunk = new Uint32Array(wider);
    const offset = new Float64Array(wider);
    const t_s = new Float64Array(wider);
    chunk.set(this.#chunk);
    offset.set(this.#offset);
    t_s.set(this.#t_s);
    this.#chunk = chunk;
    this.#offset = offset;
    this.#t_s = t_s;
  }

  chunk(i: number): number {
    return this.#chunk[i] as number;
  }
  offset(i: number): number {
    return this.#offset[i] as number;
  }
  time_s(i: number): number {
    return this.#t_s[i] as number;
  }

  /** Puts messages in order of time; those of equal time keep their order in the file. */
  sort(): void {
    if (this.ordered) return;
    const order = Uint32Array.from({ length: this.length }, (_, i) => i);
    const t_s = this.#t_s;
    order.sort((a, b) => (t_s[a] as number) - (t_s[b] as number) || a - b);
    const chunk = this.#chunk;
    const offset = this.#offset;
    this.#chunk = Uint32Array.from(order, (i) => chunk[i] as number);
    this.#offset = Float64Array.from(order, (i) => offset[i] as number);
    this.#t_s = Float64Array.from(order, (i) => t_s[i] as number);
    this.ordered = true;
  }

  /** Index of the newest message at or before `t_s`; -1 when there is none. */
  at(t_s: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#t_s[middle] as number) <= t_s) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Unpacked chunks, newest use kept, bounded in bytes. */
export class ChunkCache {
  readonly #load: (chunk: number) => Uint8Array | null;
  readonly #limit_bytes: number;
  readonly #held = new Map<number, Uint8Array | null>();
  #bytes = 0;
  /** Neighbouring messages lie in one chunk. */
  #last = -1;
  #last_bytes: Uint8Array | null = null;

  constructor(load: (chunk: number) => Uint8Array | null, limit_bytes = 96 * 1024 * 1024) {
    this.#load = load;
    this.#limit_bytes = limit_bytes;
  }

  get(chunk: number): Uint8Array | null {
    if (chunk === this.#last) return this.#last_bytes;
    this.#last_bytes = this.#find(chunk);
    this.#last = chunk;
    return this.#last_bytes;
  }

  #find(chunk: number): Uint8Array | null {
    const held = this.#held.get(chunk);
    if (held !== undefined) {
      this.#held.delete(chunk);
      this.#held.set(chunk, held);
      return held;
    }
    const bytes = this.#load(chunk);
    this.#bytes += bytes?.length ?? 0;
    for (const [oldest, old] of this.#held) {
      if (this.#bytes <= this.#limit_bytes) break;
      this.#held.delete(oldest);
      this.#bytes -= old?.length ?? 0;
    }
    this.#held.set(chunk, bytes);
    return bytes;
  }
}
