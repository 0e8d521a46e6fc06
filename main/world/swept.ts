import type { Enu } from "#contract/frames";
import type { Site, StaticShape } from "#contract/geometry";
import { between, segments } from "./path";
import { shapeDistance } from "./shape-distance";
import type { VehicleShape } from "./vehicle-shape";

/** Where along a path something is closest. `distance_m` is NaN when the path holds a NaN, Infinity when there is nothing near. */
export interface Closest {
  readonly distance_m: number;
  readonly at_enu_m: Enu | null;
  /** The shape or wall that is closest. */
  readonly what: string | null;
}

export const nothingNear: Closest = { distance_m: Infinity, at_enu_m: null, what: null };

/** The closer of two; a NaN beats everything, so that it reaches the check and fails it. */
export const closer = (a: Closest, b: Closest): Closest =>
  a.distance_m <= b.distance_m ? a : Number.isNaN(a.distance_m) ? a : b;

/** Ternary search: distance to a convex shape is convex along a line, so one minimum exists and 60 rounds find it to 1e-9 m. */
const rounds = 60;

function lowest(a: Enu, b: Enu, gap: (at: Enu) => number): { readonly t: number; readonly value: number } {
  const ends = [gap(a), gap(b)] as const;
  if (Number.isNaN(ends[0]) || Number.isNaN(ends[1])) return { t: 0, value: NaN };
  let low = 0;
  let high = 1;
  for (let i = 0; i < rounds; i++) {
    const left = low + (high - low) / 3;
    const right = high - (high - low) / 3;
    if (gap(between(a, b, left)) <= gap(between(a, b, right))) high = right;
    else low = left;
  }
  const t = (low + high) / 2;
  const inner = gap(between(a, b, t));
  if (ends[0] <= inner && ends[0] <= ends[1]) return { t: 0, value: ends[0] };
  return ends[1] <= inner ? { t: 1, value: ends[1] } : { t, value: inner };
}

/** Smallest signed gap between the vehicle moved along `path` and one shape. */
export function sweptDistance(path: readonly Enu[], vehicle: VehicleShape, shape: StaticShape): Closest {
  let best = nothingNear;
  for (const [a, b] of segments(path)) {
    const { t, value } = lowest(a, b, (at) => shapeDistance(at, vehicle, shape));
    best = closer(best, { distance_m: value, at_enu_m: between(a, b, t), what: shape.id });
  }
  return best;
}

/** Roles that a take-off or landing is meant to touch. */
export const groundRoles: ReadonlySet<StaticShape["role"]> = new Set(["floor", "pad"]);

/** Smallest gap to all of a site's structure; `exempt` names roles that do not count. */
export function sweptClearance(
  path: readonly Enu[],
  vehicle: VehicleShape,
  shapes: Site["shapes"],
  exempt: ReadonlySet<StaticShape["role"]> = new Set(),
): Closest {
  return shapes
    .filter((shape) => !exempt.has(shape.role))
    .map((shape) => sweptDistance(path, vehicle, shape))
    .reduce(closer, nothingNear);
}
