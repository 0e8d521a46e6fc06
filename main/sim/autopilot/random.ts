/** A seeded stream of numbers (xoshiro128**, Blackman and Vigna 2018): the same seed gives the same flight. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare: number | null = null;

  /** `stream` separates uses of one seed, so that adding a draw in one place moves no other. */
  constructor(seed: number, stream: string) {
    let h = seed >>> 0;
    for (let i = 0; i < stream.length; i++) h = Math.imul(h ^ stream.charCodeAt(i), 0x01000193) >>> 0;
    const next = (): number => {
      h = (h + 0x9e3779b9) >>> 0;
      let z = h;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() || 1;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    const x = Math.imul(this.#b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result / 4294967296;
  }

  /** Standard normal (Marsaglia's polar method). */
  normal(): number {
    if (this.#spare !== null) {
      const spare = this.#spare;
      this.#spare = null;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const r = x * x + y * y;
      if (r > 0 && r < 1) {
        const k = Math.sqrt((-2 * Math.log(r)) / r);
        this.#spare = y * k;
        return x * k;
      }
    }
  }
}

/** An Ornstein-Uhlenbeck process: noise of a given spread that wanders with a time constant. */
export class Wander {
  #value = 0;
  readonly #sigma: number;
  readonly #tau_s: number;
  readonly #random: Random;
  #dt_s = Number.NaN;
  #keep = 0;
  #spread = 0;

  constructor(random: Random, sigma: number, tau_s: number) {
    this.#random = random;
    this.#sigma = sigma;
    this.#tau_s = tau_s;
    this.#value = sigma * random.normal();
  }

  step(dt_s: number): number {
    if (dt_s !== this.#dt_s) {
      this.#dt_s = dt_s;
      this.#keep = Math.exp(-dt_s / this.#tau_s);
      this.#spread = this.#sigma * Math.sqrt(1 - this.#keep * this.#keep);
    }
    this.#value = this.#keep * this.#value + this.#spread * this.#random.normal();
    return this.#value;
  }
}
