/**
 * Seeded random numbers (xoshiro128++ by Blackman and Vigna 2021, seeded by splitmix32). Each user of randomness takes its
 * own named stream, so that adding one draw somewhere does not change the flight everywhere.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare: number | null = null;

  constructor(seed: number, stream = "") {
    let mixed = (seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < stream.length; i++) mixed = Math.imul(mixed ^ stream.charCodeAt(i), 0x01000193) >>> 0;
    const next = (): number => {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let z = mixed;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() | 1;
  }

  /** 32 random bits, unsigned. */
  bits(): number {
    const sum = (this.#a + this.#d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + this.#a) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** From 0 (included) to 1 (excluded). */
  unit(): number {
    return this.bits() / 0x1_0000_0000;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** Standard normal (polar Box-Muller; both values of a pair are used). */
  gauss(): number {
    if (this.#spare !== null) {
      const value = this.#spare;
      this.#spare = null;
      return value;
    }
    for (;;) {
      const u = 2 * this.unit() - 1;
      const v = 2 * this.unit() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) {
        const scale = Math.sqrt((-2 * Math.log(s)) / s);
        this.#spare = v * scale;
        return u * scale;
      }
    }
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[this.integer(0, list.length - 1)];
    if (chosen === undefined) throw new Error("Invariant: pick from an empty list");
    return chosen;
  }

  /** Fisher-Yates on a copy. */
  shuffle<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      const a = out[i];
      const b = out[j];
      if (a === undefined || b === undefined) throw new Error("Invariant: shuffle index");
      out[i] = b;
      out[j] = a;
    }
    return out;
  }

  /** The complete state, for save and restore. */
  save(): readonly [number, number, number, number, number | null] {
    return [this.#a, this.#b, this.#c, this.#d, this.#spare];
  }

  restore(state: readonly [number, number, number, number, number | null]): void {
    [this.#a, this.#b, this.#c, this.#d, this.#spare] = state;
  }
}
