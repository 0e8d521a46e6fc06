import type { Enu } from "#contract/frames";

export const distance = (a: Enu, b: Enu): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The point a share `t` (0 to 1) of the way from `a` to `b`. */
export const between = (a: Enu, b: Enu, t: number): Enu => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
