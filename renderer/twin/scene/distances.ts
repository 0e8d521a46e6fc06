import type { Enu } from "#contract/frames";
import type { StaticShape } from "#contract/geometry";

/** An upright solid the vehicle must keep clear of. */
export type Solid = Pick<StaticShape, "kind" | "centre_enu_m" | "half_m" | "yaw_enu_rad"> & {
  readonly id: string;
};

/** Nearest point of a solid's surface to `p`, and the distance to it: negative inside. World ENU, metres. */
export function nearestOnSolid(p: Enu, solid: Solid): { readonly distance_m: number; readonly point: Enu } {
  const c = Math.cos(solid.yaw_enu_rad);
  const s = Math.sin(solid.yaw_enu_rad);
  const dx = p[0] - solid.centre_enu_m[0];
  const dy = p[1] - solid.centre_enu_m[1];
  const local: Triple = [c * dx + s * dy, -s * dx + c * dy, p[2] - solid.centre_enu_m[2]];
  const near = solid.kind === "cylinder" ? onCylinder(local, solid.half_m) : onBox(local, solid.half_m);
  const [lx, ly, lz] = near.point;
  return {
    distance_m: near.distance_m,
    point: [
      solid.centre_enu_m[0] + c * lx - s * ly,
      solid.centre_enu_m[1] + s * lx + c * ly,
      solid.centre_enu_m[2] + lz,
    ],
  };
}

type Triple = [number, number, number];

function onBox(p: Triple, half: readonly [number, number, number]): { distance_m: number; point: Triple } {
  const inside = p.every((v, i) => Math.abs(v) <= (half[i] ?? 0));
  if (!inside) {
    const point = p.map((v, i) => Math.min(half[i] ?? 0, Math.max(-(half[i] ?? 0), v))) as Triple;
    return { distance_m: Math.hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]), point };
  }
  const gaps = p.map((v, i) => (half[i] ?? 0) - Math.abs(v));
  const axis = gaps.indexOf(Math.min(...gaps));
  const point: Triple = [...p];
  point[axis] = Math.sign(p[axis] || 1) * (half[axis] ?? 0);
  return { distance_m: -(gaps[axis] ?? 0), point };
}

function onCylinder(p: Triple, half: readonly [number, number, number]) {
  const [radius, , height] = half;
  const r = Math.hypot(p[0], p[1]);
  const [ux, uy] = r > 1e-9 ? [p[0] / r, p[1] / r] : [1, 0];
  const flat = onBox([r, 0, p[2]], [radius, 1, height]);
  if (flat.distance_m < 0) {
    const side = radius - r;
    const end = height - Math.abs(p[2]);
    const point: Triple =
      side < end ? [ux * radius, uy * radius, p[2]] : [p[0], p[1], Math.sign(p[2] || 1) * height];
    return { distance_m: -Math.min(side, end), point };
  }
  return {
    distance_m: flat.distance_m,
    point: [ux * flat.point[0], uy * flat.point[0], flat.point[2]] as Triple,
  };
}

export interface Tightest {
  /** On the path's line. */
  readonly at_enu_m: Enu;
  /** On the solid that comes nearest. */
  readonly against_enu_m: Enu;
  readonly solid: string;
  /** Between the path's line and the solid's surface; the vehicle's own radius is not taken off. */
  readonly distance_m: number;
}

/** Where a path comes nearest to any solid; the path is sampled every `step_m`. Null for an empty path or no solids. */
export function tightestAlong(
  path: readonly Enu[],
  solids: readonly Solid[],
  step_m = 0.05,
): Tightest | null {
  let best: Tightest | null = null;
  for (const p of sampled(path, step_m)) {
    for (const solid of solids) {
      const near = nearestOnSolid(p, solid);
      if (best === null || near.distance_m < best.distance_m)
        best = { at_enu_m: p, against_enu_m: near.point, solid: solid.id, distance_m: near.distance_m };
    }
  }
  return best;
}

/** The path's corners and points no more than `step_m` apart between them. */
export function sampled(path: readonly Enu[], step_m: number): readonly Enu[] {
  const out: Enu[] = [];
  path.forEach((p, i) => {
    const q = path[i + 1];
    out.push(p);
    if (q === undefined) return;
    const n = Math.min(2000, Math.ceil(distance(p, q) / step_m));
    for (let k = 1; k < n; k += 1) {
      const u = k / n;
      out.push([p[0] + u * (q[0] - p[0]), p[1] + u * (q[1] - p[1]), p[2] + u * (q[2] - p[2])]);
    }
  });
  return out;
}

export const distance = (a: Enu, b: Enu): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** What the measuring tool says of two points. */
export function measured(a: Enu, b: Enu): { straight_m: number; level_m: number; up_m: number } {
  return { straight_m: distance(a, b), level_m: Math.hypot(b[0] - a[0], b[1] - a[1]), up_m: b[2] - a[2] };
}
