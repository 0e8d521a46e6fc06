import { Random } from "../world/random";

/** Smooth value noise on a torus, several octaves, 0 to 1: the base of every procedural texture. */
export class ValueNoise {
  readonly #size = 64;
  readonly #lattice: Float32Array;

  constructor(seed: number) {
    const random = new Random(seed, "texture");
    this.#lattice = Float32Array.from({ length: this.#size * this.#size }, () => random.unit());
  }

  /** One octave with `period` cells per unit; wraps at 1 when the period divides 64. */
  at(u: number, v: number, periodU: number, periodV = periodU): number {
    const x = u * periodU;
    const y = v * periodV;
    const x0 = Math.floor(x);
    const y0 = Math.floor(y);
    const fx = x - x0;
    const fy = y - y0;
    const sx = fx * fx * (3 - 2 * fx);
    const sy = fy * fy * (3 - 2 * fy);
    const a = this.#cell(x0, y0, periodU, periodV);
    const b = this.#cell(x0 + 1, y0, periodU, periodV);
    const c = this.#cell(x0, y0 + 1, periodU, periodV);
    const d = this.#cell(x0 + 1, y0 + 1, periodU, periodV);
    return a + (b - a) * sx + (c - a + (a - b - c + d) * sx) * sy;
  }

  fractal(u: number, v: number, periodU: number, periodV = periodU, octaves = 3): number {
    let sum = 0;
    let weight = 0.5;
    let total = 0;
    for (let i = 0; i < octaves; i++) {
      sum += weight * this.at(u, v, periodU * 2 ** i, periodV * 2 ** i);
      total += weight;
      weight /= 2;
    }
    return sum / total;
  }

  #cell(x: number, y: number, periodU: number, periodV: number): number {
    const i = (((x % periodU) + periodU) % periodU) & (this.#size - 1);
    const j = (((y % periodV) + periodV) % periodV) & (this.#size - 1);
    return this.#lattice[j * this.#size + i] ?? 0;
  }
}
