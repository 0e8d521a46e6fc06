import { type Enu, enu } from "#contract/frames";

export const add = (a: Enu, b: Enu): Enu => enu(a[0] + b[0], a[1] + b[1], a[2] + b[2]);
export const minus = (a: Enu, b: Enu): Enu => enu(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
export const norm = (a: Enu): number => Math.hypot(a[0], a[1], a[2]);

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? NaN) + high) / 2;
}

/** Median of each coordinate: resists outliers as long as they are the minority. */
export const medianPoint = (points: readonly Enu[]): Enu =>
  enu(median(points.map((p) => p[0])), median(points.map((p) => p[1])), median(points.map((p) => p[2])));
