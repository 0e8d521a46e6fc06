/** A stretch of the recording that is shown; seconds. */
export interface Range {
  readonly from_s: number;
  readonly to_s: number;
}

export const shortest_s = 0.05;

/** Inside the review (`span`; joined logs may begin before zero) and never shorter than can be drawn. */
export function clampRange(range: Range, span: Range): Range {
  const whole_s = Math.max(span.to_s - span.from_s, shortest_s);
  const length_s = Math.min(Math.max(range.to_s - range.from_s, shortest_s), whole_s);
  const from_s = Math.min(Math.max(span.from_s, range.from_s), span.from_s + whole_s - length_s);
  return { from_s, to_s: from_s + length_s };
}

/** Zooms by `factor` (below 1 comes nearer) so that `about_s` stays where it is. */
export function zoomRange(range: Range, about_s: number, factor: number, span: Range): Range {
  const from_s = about_s - (about_s - range.from_s) * factor;
  const to_s = about_s + (range.to_s - about_s) * factor;
  return clampRange({ from_s, to_s }, span);
}

export const panRange = (range: Range, by_s: number, span: Range): Range =>
  clampRange({ from_s: range.from_s + by_s, to_s: range.to_s + by_s }, span);

/** Keeps the cursor in the picture while it plays: turns the page when it leaves. */
export function followRange(range: Range, cursor_s: number, span: Range): Range {
  if (cursor_s >= range.from_s && cursor_s <= range.to_s) return range;
  const length_s = range.to_s - range.from_s;
  return clampRange({ from_s: cursor_s - 0.1 * length_s, to_s: cursor_s + 0.9 * length_s }, span);
}

export const isWhole = (range: Range, span: Range): boolean =>
  range.from_s <= span.from_s + 1e-9 && range.to_s >= span.to_s - 1e-9;

/** Share of the range, 0-1 inside it. */
export const shareOf = (t_s: number, range: Range): number =>
  (t_s - range.from_s) / (range.to_s - range.from_s);
export const timeAt = (share: number, range: Range): number =>
  range.from_s + share * (range.to_s - range.from_s);
