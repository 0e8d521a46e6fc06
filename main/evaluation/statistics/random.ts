/** A stream of numbers from [0, 1) that is the same for the same text: SplitMix32 seeded with the text's FNV-1a hash. */
export class Draw {
  #state: number;

  constructor(...seed: readonly (string | number)[]) {
    let hash = 0x811c9dc5;
    for (const unit of seed.join(" ")) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
    this.#state = hash >>> 0;
  }

  unit(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 0x1_0000_0000;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number from low to high, both possible. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[this.integer(0, list.length - 1)];
    if (chosen === undefined) throw new Error("Invariant: there is something to pick from");
    return chosen;
  }
}
