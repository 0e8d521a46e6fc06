import type { FreeBody, Layout } from "./layout";
import { aboutAxis, conjugate, subtract, turn, type V3 } from "./rigid";

/** One push under way: a hand that moves the body along `direction` by `distance_m` within `duration_s`. */
export interface Push {
  readonly body: number;
  readonly start_s: number;
  readonly duration_s: number;
  readonly distance_m: number;
  readonly direction: readonly [number, number];
}

export const pushDistance_m = 0.1;
export const pushDuration_s = 0.7;

/** Speed of a minimum-jerk movement (Flash and Hogan 1985). */
export function pushSpeed_m_s(push: Push, now_s: number): number {
  const s = (now_s - push.start_s) / push.duration_s;
  if (!(s > 0 && s < 1)) return 0;
  return (push.distance_m / push.duration_s) * 30 * s * s * (1 - s) * (1 - s);
}

export const pushOver = (push: Push, now_s: number): boolean => now_s >= push.start_s + push.duration_s + 0.1;

/** The direction with most room: on the surface, away from the other bodies. Deterministic; `at` are current places. */
export function pushDirection(
  layout: Layout,
  index: number,
  at: (index: number) => V3,
  distance_m = pushDistance_m,
): readonly [number, number] {
  const body = layout.bodies[index];
  if (body === undefined) throw new Error("Invariant: pushed body exists");
  const from = at(index);
  let best: readonly [number, number] = [1, 0];
  let best_m = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < 24; i++) {
    const angle = (i * Math.PI) / 12;
    const direction = [Math.cos(angle), Math.sin(angle)] as const;
    let room_m = Number.POSITIVE_INFINITY;
    for (const share of [0.5, 1]) {
      const x = from[0] + direction[0] * distance_m * share;
      const y = from[1] + direction[1] * distance_m * share;
      room_m = Math.min(room_m, edgeDistance_m(body, x, y) - body.asset.footprint_radius_m);
      layout.bodies.forEach((other, j) => {
        if (j === index || other.on !== body.on) return;
        const there = at(j);
        const gap = Math.hypot(there[0] - x, there[1] - y);
        room_m = Math.min(room_m, gap - other.asset.footprint_radius_m - body.asset.footprint_radius_m);
      });
    }
    if (room_m > best_m + 1e-9) {
      best_m = room_m;
      best = direction;
    }
  }
  return best;
}

/** From a point to the edge of the surface the body was placed on; negative beyond it. */
function edgeDistance_m(body: FreeBody, x: number, y: number): number {
  if (body.on === null) return 1;
  const { surface, at, yaw_rad } = body.on;
  const local = turn(conjugate(aboutAxis(2, yaw_rad)), subtract([x, y, 0], [at[0], at[1], 0]));
  const dx = local[0] - surface.centre[0];
  const dy = local[1] - surface.centre[1];
  if (surface.half.length === 1) return surface.half[0] - Math.hypot(dx, dy);
  return Math.min(surface.half[0] - Math.abs(dx), surface.half[1] - Math.abs(dy));
}
