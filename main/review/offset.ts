import { sampleAt } from "./expression";
import type { Column } from "./reader";

export interface Offset {
  /** Add this to the other log's times to lay it over this one. */
  readonly offset_s: number;
  /** 0 to 1: how alike the two signals are there. Below about 0.6 the answer is a guess. */
  readonly correlation: number;
}

const COARSE_S = 0.05;
const FINE_S = 0.002;

/**
 * How far two recordings of one flight are apart in time, found by laying one signal (a rate, a height) over the same
 * signal of the other and looking where they agree best (normalised cross-correlation). Searched within `within_s`,
 * first coarsely, then to two milliseconds. Null when either has too little movement to tell.
 */
export function findOffset(mine: Column, other: Column, within_s: number): Offset | null {
  const length_s = Math.max(mine.t_s.at(-1) ?? 0, other.t_s.at(-1) ?? 0);
  if (mine.t_s.length < 20 || other.t_s.length < 20 || length_s < 1) return null;
  const coarse = best(mine, other, COARSE_S, 0, within_s);
  if (!coarse) return null;
  return best(mine, other, FINE_S, coarse.offset_s, 2 * COARSE_S) ?? coarse;
}

function best(
  mine: Column,
  other: Column,
  step_s: number,
  around_s: number,
  within_s: number,
): Offset | null {
  const grid = gridOf(mine, step_s);
  const reference = sampleAt(mine, grid);
  let found: Offset | null = null;
  const steps = Math.ceil(within_s / step_s);
  // A grid for the other log that covers every shift: sampled once, then only moved.
  const shifted = new Float64Array(grid.length + 2 * steps);
  const start_s = (grid[0] ?? 0) - around_s - steps * step_s;
  for (let i = 0; i < shifted.length; i++) shifted[i] = start_s + i * step_s;
  const values = withinOf(other, shifted);
  for (let k = -steps; k <= steps; k++) {
    const correlation = correlate(reference, values, steps - k);
    if (Number.isFinite(correlation) && (!found || correlation > found.correlation))
      found = { offset_s: around_s + k * step_s, correlation };
  }
  return found;
}

function gridOf(column: Column, step_s: number): Float64Array {
  const from_s = column.t_s[0] ?? 0;
  const to_s = column.t_s.at(-1) ?? 0;
  // Ten minutes at the fine step are plenty, and bound the work.
  const count = Math.min(300_000, Math.max(2, Math.floor((to_s - from_s) / step_s)));
  return Float64Array.from({ length: count }, (_, i) => from_s + i * step_s);
}

/** NaN outside the column's own span: silence must not count as agreement. */
function withinOf(column: Column, t_s: Float64Array): Float64Array {
  const values = sampleAt(column, t_s);
  const to_s = column.t_s.at(-1) ?? 0;
  return values.map((value, i) => ((t_s[i] as number) > to_s ? Number.NaN : value));
}

/** Pearson's correlation of `a` with `b` from `shift` on, over the samples both have; at least half of `a`. */
function correlate(a: Float64Array, b: Float64Array, shift: number): number {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number;
    const y = b[i + shift] as number;
    if (x !== x || y !== y) continue;
    n += 1;
    sa += x;
    sb += y;
    saa += x * x;
    sbb += y * y;
    sab += x * y;
  }
  if (n < a.length / 2) return Number.NaN;
  const spread = Math.sqrt((saa - (sa * sa) / n) * (sbb - (sb * sb) / n));
  return spread > 1e-9 ? (sab - (sa * sb) / n) / spread : Number.NaN;
}
