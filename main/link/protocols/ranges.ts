/** Which bytes of a file of known length have arrived. Ranges are half open, sorted and never touch. */
export class Ranges {
  readonly length: number;
  #have: { from: number; to: number }[] = [];

  constructor(length: number) {
    this.length = length;
  }

  /** Adds [from, to); true if any of it is new. */
  add(from: number, to: number): boolean {
    const start = Math.max(0, from);
    const stop = Math.min(this.length, to);
    if (stop <= start) return false;
    if (this.#have.some((range) => range.from <= start && range.to >= stop)) return false;
    let merged = { from: start, to: stop };
    const others: { from: number; to: number }[] = [];
    for (const range of this.#have) {
      if (range.to < merged.from || range.from > merged.to) others.push(range);
      else merged = { from: Math.min(range.from, merged.from), to: Math.max(range.to, merged.to) };
    }
    this.#have = [...others, merged].sort((a, b) => a.from - b.from);
    return true;
  }

  /** The first gap, or null when nothing is missing. */
  gap(): { readonly from: number; readonly to: number } | null {
    const first = this.#have[0];
    if (first === undefined || first.from > 0) {
      return this.length === 0 ? null : { from: 0, to: first?.from ?? this.length };
    }
    if (first.to >= this.length) return null;
    return { from: first.to, to: this.#have[1]?.from ?? this.length };
  }

  /** From the first gap to the end of the last one that what is there between does not part by more than `bridge`. */
  span(bridge: number): { readonly from: number; readonly to: number } | null {
    const first = this.gap();
    if (first === null) return null;
    let { to } = first;
    for (const [i, range] of this.#have.entries()) {
      if (range.from < to || range.to >= this.length) continue;
      if (range.to - range.from > bridge) break;
      to = this.#have[i + 1]?.from ?? this.length;
    }
    return { from: first.from, to };
  }

  get received(): number {
    return this.#have.reduce((sum, range) => sum + range.to - range.from, 0);
  }

  /** Without a gap from the beginning. */
  get contiguous(): number {
    const first = this.#have[0];
    return first?.from === 0 ? first.to : 0;
  }
}
