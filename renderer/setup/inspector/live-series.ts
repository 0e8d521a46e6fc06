/** The newest stretch of one plotted field: times in seconds of station time, values as they came. */
export interface LiveSeries {
  readonly at_s: readonly number[];
  readonly values: readonly number[];
}
export const noSeries: LiveSeries = { at_s: [], values: [] };

/** Adds what is new and forgets what is older than the window; times that do not go on are left out. */
export function extendSeries(
  series: LiveSeries,
  at_ms: readonly number[],
  values: readonly number[],
  window_s: number,
): LiveSeries {
  const at_s = [...series.at_s];
  const kept = [...series.values];
  at_ms.forEach((ms, i) => {
    const value = values[i];
    if (value === undefined || !Number.isFinite(value) || ms / 1000 <= (at_s.at(-1) ?? -1)) return;
    at_s.push(ms / 1000);
    kept.push(value);
  });
  const from_s = (at_s.at(-1) ?? 0) - window_s;
  const first = at_s.findIndex((s) => s >= from_s);
  return first <= 0 ? { at_s, values: kept } : { at_s: at_s.slice(first), values: kept.slice(first) };
}

/** From where to ask next, station milliseconds; null before anything came. */
export const askAfter = (series: LiveSeries): number | null => {
  const last_s = series.at_s.at(-1);
  return last_s === undefined ? null : last_s * 1000;
};

/** A range that holds all values, with room, and never of no height. */
export function valueRange(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max((high - low) * 0.08, Math.abs(high) * 1e-3, 1e-6);
  return [low - room, high + room];
}
