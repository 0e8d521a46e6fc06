import type { Layout } from "./layout";
import type { V3 } from "./rigid";

interface Upright {
  readonly x: number;
  readonly y: number;
  readonly cos: number;
  readonly sin: number;
  readonly hx: number;
  readonly hy: number;
  readonly low_m: number;
  readonly top_m: number;
}

/** What is lower than this is no wall to a rotor. */
const tall_m = 0.5;
/** Beyond this distance of the body's middle nothing is felt. */
const reach_m = 1.5;
/** Share of the thrust at a distance of one rotor radius. */
const strength = 0.1;

/**
 * The pull of upright surfaces: a rotor's wake that runs down a wall draws air from in front of it, so that the aircraft is
 * drawn towards the wall by a percent or two of its thrust, falling with the square of the distance (Robinson, Chung and
 * Ryan 2014 find the wake's recirculation and the moment towards the wall; the fall with distance is a fit).
 */
export class Walls {
  readonly #uprights: readonly Upright[];

  constructor(layout: Layout) {
    this.#uprights = layout.structures
      .flatMap((s) => s.parts)
      .flatMap(({ part, at, quat }): readonly Upright[] => {
        if (!part.collides || part.kind !== "box" || part.rpy_deg !== undefined || part.half[2] < tall_m / 2)
          return [];
        const yaw = 2 * Math.atan2(quat[3], quat[0]);
        const [hx, hy, hz] = part.half;
        const place = { x: at[0], y: at[1], cos: Math.cos(yaw), sin: Math.sin(yaw) };
        return [{ ...place, hx, hy, low_m: at[2] - hz, top_m: at[2] + hz }];
      });
  }

  /** Force in the world on a vehicle with its middle here, N. */
  pull_n([x, y, z]: V3, thrust_n: number, rotor_radius_m: number): V3 {
    let [fx, fy] = [0, 0];
    for (const w of this.#uprights) {
      if (z < w.low_m || z > w.top_m) continue;
      const [dx, dy] = [x - w.x, y - w.y];
      const [along, across] = [w.cos * dx + w.sin * dy, w.cos * dy - w.sin * dx];
      const gx = along - Math.max(-w.hx, Math.min(w.hx, along));
      const gy = across - Math.max(-w.hy, Math.min(w.hy, across));
      const gap = Math.hypot(gx, gy);
      if (!(gap > 0.05 && gap < reach_m)) continue;
      const share = (strength * thrust_n * (rotor_radius_m / gap) ** 2) / gap;
      fx -= share * (w.cos * gx - w.sin * gy);
      fy -= share * (w.sin * gx + w.cos * gy);
    }
    return [fx, fy, 0];
  }
}
