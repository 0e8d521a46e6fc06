/** A stretch of the recording that is shown; seconds. */
export interface Range {
  readonly from_s: number;
  readonly to_s: number;
}

export const shortest_s = 0.05;

/** Inside the recording and never shorter than can be drawn. */
export function clampRange(range: Range, duration_s: number): Range {
  const length_s = Math.min(
    Math.max(range.to_s - range.from_s, shortest_s),
    Math.max(duration_s, shortest_s),
  );
  const from_s = Math.min(Math.max(0, range.from_s), Math.max(0, duration_s - length_s));
  return { from_s, to_s: from_s + length_s };
}

/** Zooms by `factor` (below 1 comes nearer) so that `about_s` stays where it is. */
export function zoomRange(range: Range, about_s: number, factor: number, duration_s: number): Range {
  const from_s = about_s - (about_s - range.from_s) * factor;
  const to_s = about_s + (range.to_s - about_s) * factor;
  return clampRange({ from_s, to_s }, duration_s);
}

export const panRange = (range: Range, by_s: number, duration_s: number): Range =>
  clampRange({ from_s: range.from_s + by_s, to_s: range.to_s + by_s }, duration_s);

/** Keeps the cursor in the picture while it plays: turns the page when it leaves. */
export function followRange(range: Range, cursor_s: number, duration_s: number): Range {
  if (cursor_s >= range.from_s && cursor_s <= range.to_s) return range;
  const length_s = range.to_s - range.from_s;
  return clampRange({ from_s: cursor_s - 0.1 * length_s, to_s: cursor_s + 0.9 * length_s }, duration_s);
}

export const isWhole = (range: Range, duration_s: number): boolean =>
  range.from_s <= 0 && range.to_s >= duration_s - 1e-9;

/** Share of the range, 0-1 inside it. */
export const shareOf = (t_s: number, range: Range): number =>
  (t_s - range.from_s) / (range.to_s - range.from_s);
export const timeAt = (share: number, range: Range): number =>
  range.from_s + share * (range.to_s - range.from_s);
