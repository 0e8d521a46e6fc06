import type { ReviewSeries } from "#contract/review";

/** Points for drawing: ascending times, one value each, null where the recording has none. */
export interface Points {
  readonly t_s: readonly number[];
  readonly value: readonly (number | null)[];
}

/**
 * Turns min/max pairs into one line that touches both: the minimum at the bucket's time, the maximum half a bucket later
 * (or the other way round, whichever continues from the last point). Where both are equal nothing was dropped and one
 * point stands. The shift is below half a pixel, because a bucket is at most a pixel wide.
 */
export function linePoints(series: Pick<ReviewSeries, "t_s" | "min" | "max">): Points {
  const t_s: number[] = [];
  const value: (number | null)[] = [];
  let last: number | null = null;
  series.t_s.forEach((t, i) => {
    const low = series.min[i] ?? null;
    const high = series.max[i] ?? null;
    if (low === null || high === null || low === high) {
      t_s.push(t);
      value.push(low ?? high);
      last = low ?? high;
      return;
    }
    const next = series.t_s[i + 1];
    const half = next !== undefined && next > t ? (next - t) / 2 : 1e-6;
    const up = last === null || Math.abs(low - last) <= Math.abs(high - last);
    t_s.push(t, t + half);
    value.push(...(up ? [low, high] : [high, low]));
    last = up ? high : low;
  });
  return { t_s, value };
}

/** Index of the newest time at or before `t`, -1 before the first. */
export function indexAt(times: readonly number[], t: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((times[mid] ?? Number.POSITIVE_INFINITY) <= t) low = mid + 1;
    else high = mid;
  }
  return low - 1;
}

/** What a legend shows at a time: one value, or the extremes of its bucket. */
export function valueAt(
  series: Pick<ReviewSeries, "t_s" | "min" | "max">,
  t: number,
): { readonly low: number; readonly high: number } | null {
  const i = indexAt(series.t_s, t);
  const low = series.min[i] ?? null;
  const high = series.max[i] ?? null;
  return low === null || high === null ? null : { low, high };
}

/** Smallest and largest value inside a stretch; null when there is none. */
export function extremes(
  series: readonly Pick<ReviewSeries, "t_s" | "min" | "max">[],
  from_s: number,
  to_s: number,
): readonly [number, number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const s of series) {
    for (let i = Math.max(0, indexAt(s.t_s, from_s)); i < s.t_s.length && (s.t_s[i] ?? 0) <= to_s; i += 1) {
      low = Math.min(low, s.min[i] ?? low);
      high = Math.max(high, s.max[i] ?? high);
    }
  }
  return low <= high ? [low, high] : null;
}

/** A scale with air above and below, and some height when the value is constant. */
export function padded([low, high]: readonly [number, number]): readonly [number, number] {
  const size = high - low;
  const air = size > 0 ? size * 0.08 : Math.max(Math.abs(high) * 0.05, 0.5);
  return [low - air, high + air];
}

/** Three or four significant figures, without an exponent where it can be helped; a true minus sign, no negative zero. */
export function valueText(v: number | null): string {
  if (v === null || !Number.isFinite(v)) return "–";
  const size = Math.abs(v);
  if (size >= 1e7 || (size !== 0 && size < 5e-4))
    return size < 5e-4 ? "0" : v.toExponential(2).replaceAll("-", "−");
  if (Number.isInteger(v)) return String(v).replace("-", "−");
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return v.toFixed(digits).replace("-", "−");
}

/** A number on an axis: as short as it is exact. */
export const tickText = (v: number): string => String(Number(v.toPrecision(5))).replace("-", "−");
