import { type Enu, enu } from "#contract/frames";

export const distance = (a: Enu, b: Enu): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The point a share `t` (0 to 1) of the way from `a` to `b`. */
export const between = (a: Enu, b: Enu, t: number): Enu =>
  enu(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t);

export function pathLength(path: readonly Enu[]): number {
  let length_m = 0;
  for (const [a, b] of segments(path)) length_m += distance(a, b);
  return length_m;
}

/** Consecutive pairs; a path of one point gives one segment without length, so that standing still is judged too. */
export function segments(path: readonly Enu[]): readonly (readonly [Enu, Enu])[] {
  const first = path[0];
  if (first === undefined) return [];
  if (path.length === 1) return [[first, first]];
  return path.slice(1).map((b, i) => [path[i] ?? first, b] as const);
}
