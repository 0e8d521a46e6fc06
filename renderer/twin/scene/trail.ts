import type { Enu } from "#contract/frames";

/** A flown path of bounded length: a point every `step_m`; when full, every second point of the older half goes. */
export interface Trail {
  readonly points: readonly Enu[];
  /** Grows with every change, so that equal lengths are still told apart. */
  readonly revision: number;
}

export const emptyTrail: Trail = { points: [], revision: 0 };
const step_m = 0.04;
const most = 4000;

export function extendTrail(trail: Trail, p: Enu): Trail {
  if (!p.every(Number.isFinite)) return trail;
  const last = trail.points.at(-1);
  if (last !== undefined) {
    const way = Math.hypot(p[0] - last[0], p[1] - last[1], p[2] - last[2]);
    if (way < step_m) return trail;
    // A position reset draws no line through the room.
    if (way > 1.5) return { points: [p], revision: trail.revision + 1 };
  }
  const points = [...trail.points, p];
  if (points.length > most) {
    const half = most / 2;
    return {
      points: [...points.slice(0, half).filter((_, i) => i % 2 === 0), ...points.slice(half)],
      revision: trail.revision + 1,
    };
  }
  return { points, revision: trail.revision + 1 };
}
