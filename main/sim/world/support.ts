import type { Layout } from "./layout";

interface Slab {
  readonly x: number;
  readonly y: number;
  readonly cos: number;
  readonly sin: number;
  readonly hx: number;
  readonly hy: number;
  readonly round: boolean;
  /** Half the diagonal, or the radius: nothing of it lies farther from (x, y). */
  readonly span_m: number;
  readonly low_m: number;
  readonly top_m: number;
}

/** The horizontal surfaces of the structure: what a rotor's wake meets below and above it. */
export class Supports {
  readonly #slabs: readonly Slab[];

  private constructor(slabs: readonly Slab[]) {
    this.#slabs = slabs;
  }

  static of(layout: Layout): Supports {
    const slabs = layout.structures
      .flatMap((s) => s.parts)
      .filter((p) => p.part.collides)
      .flatMap((p): readonly Slab[] => {
        const yaw = 2 * Math.atan2(p.quat[3], p.quat[0]);
        const common = { x: p.at[0], y: p.at[1], cos: Math.cos(yaw), sin: Math.sin(yaw) };
        if (p.part.rpy_deg !== undefined) return [];
        if (p.part.kind === "box") {
          const [hx, hy, hz] = p.part.half;
          return [
            {
              ...common,
              hx,
              hy,
              span_m: Math.hypot(hx, hy),
              round: false,
              low_m: p.at[2] - hz,
              top_m: p.at[2] + hz,
            },
          ];
        }
        if (p.part.kind === "cylinder") {
          const { radius: r, half_height: h } = p.part;
          return [
            { ...common, hx: r, hy: r, span_m: r, round: true, low_m: p.at[2] - h, top_m: p.at[2] + h },
          ];
        }
        return [];
      });
    return new Supports(slabs);
  }

  /** Only what may lie below or above some point within `reach_m` of this place: for several look-ups close together. */
  near(x: number, y: number, reach_m: number): Supports {
    const found: Slab[] = [];
    for (const s of this.#slabs) {
      const dx = x - s.x;
      const dy = y - s.y;
      const reach = s.span_m + reach_m;
      if (dx * dx + dy * dy <= reach * reach) found.push(s);
    }
    return new Supports(found);
  }

  /** Height of the highest surface under a point; minus infinity over nothing. */
  below_m(x: number, y: number, z: number): number {
    let best = Number.NEGATIVE_INFINITY;
    for (const s of this.#slabs) if (s.top_m <= z && s.top_m > best && covers(s, x, y)) best = s.top_m;
    return best;
  }

  /** Height of the lowest underside above a point; infinity under the open sky. */
  above_m(x: number, y: number, z: number): number {
    let best = Number.POSITIVE_INFINITY;
    for (const s of this.#slabs) if (s.low_m >= z && s.low_m < best && covers(s, x, y)) best = s.low_m;
    return best;
  }
}

function covers(s: Slab, x: number, y: number): boolean {
  const dx = x - s.x;
  const dy = y - s.y;
  if (s.round) return dx * dx + dy * dy <= s.hx * s.hx;
  return Math.abs(s.cos * dx + s.sin * dy) <= s.hx && Math.abs(s.cos * dy - s.sin * dx) <= s.hy;
}
