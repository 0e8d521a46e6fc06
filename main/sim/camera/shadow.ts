import { cross, dot, norm, scale, type V3 } from "../world/rigid";

/** Two directions across the light and the one along it. */
export interface LightBasis {
  readonly right: V3;
  readonly up: V3;
  readonly along: V3;
}

export function lightBasis(direction: V3): LightBasis {
  const along = scale(direction, 1 / norm(direction));
  const side = Math.abs(along[2]) > 0.99 ? ([1, 0, 0] as const) : ([0, 0, 1] as const);
  const right0 = cross(side, along);
  const right = scale(right0, 1 / norm(right0));
  return { right, up: cross(along, right), along };
}

/** Distances along parallel light rays to the nearest caster, over a rectangle across the light. */
export class ShadowMap {
  readonly size: number;
  readonly depth: Float32Array;
  readonly basis: LightBasis;
  #x0 = 0;
  #y0 = 0;
  #perMetre = 1;

  constructor(size: number, basis: LightBasis) {
    this.size = size;
    this.basis = basis;
    this.depth = new Float32Array(size * size).fill(1e9);
  }

  /** Lower corner of the covered rectangle along `right` and `up`, and texels per metre. */
  get area(): { readonly x0: number; readonly y0: number; readonly per_m: number } {
    return { x0: this.#x0, y0: this.#y0, per_m: this.#perMetre };
  }

  /** The rectangle that is covered: its middle in the world and its width. */
  cover(middle: V3, width_m: number): void {
    this.#perMetre = this.size / width_m;
    this.#x0 = dot(this.basis.right, middle) - width_m / 2;
    this.#y0 = dot(this.basis.up, middle) - width_m / 2;
  }

  clear(): void {
    this.depth.fill(1e9);
  }

  /** World corners at offsets a, b, c of `p`. Both sides of a triangle cast. */
  draw(p: Float32Array, a: number, b: number, c: number): void {
    const { right, up, along } = this.basis;
    const s = this.#perMetre;
    const [x0, y0] = [this.#x0, this.#y0];
    const px = (i: number): number =>
      ((p[i] as number) * right[0] + (p[i + 1] as number) * right[1] + (p[i + 2] as number) * right[2] - x0) *
      s;
    const py = (i: number): number =>
      ((p[i] as number) * up[0] + (p[i + 1] as number) * up[1] + (p[i + 2] as number) * up[2] - y0) * s;
    const pd = (i: number): number =>
      (p[i] as number) * along[0] + (p[i + 1] as number) * along[1] + (p[i + 2] as number) * along[2];
    const ax = px(a);
    const ay = py(a);
    const bx = px(b);
    const by = py(b);
    const cx = px(c);
    const cy = py(c);
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (Math.abs(area) < 1e-9) return;
    const da = pd(a);
    const ub = (pd(b) - da) / area;
    const uc = (pd(c) - da) / area;
    const gx = ub * (cy - ay) - uc * (by - ay);
    const gy = uc * (bx - ax) - ub * (cx - ax);
    const size = this.size;
    const yLow = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const yHigh = Math.min(size - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    for (let y = yLow; y <= yHigh; y++) {
      const v = y + 0.5;
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      const edge = (x1: number, y1: number, x2: number, y2: number): void => {
        if (y1 > v === y2 > v) return;
        const x = x1 + ((v - y1) / (y2 - y1)) * (x2 - x1);
        if (x < low) low = x;
        if (x > high) high = x;
      };
      edge(ax, ay, bx, by);
      edge(bx, by, cx, cy);
      edge(cx, cy, ax, ay);
      const from = Math.max(0, Math.ceil(low - 0.5));
      const to = Math.min(size - 1, Math.floor(high - 0.5));
      let d = da + gx * (from + 0.5 - ax) + gy * (v - ay);
      for (let i = y * size + from; i <= y * size + to; i++) {
        if (d < (this.depth[i] as number)) this.depth[i] = d;
        d += gx;
      }
    }
  }
}
