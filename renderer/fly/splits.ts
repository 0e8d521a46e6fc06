/** Sizes of the movable edges of the Fly workspace, px; the middle takes what is left. */
export interface Splits {
  readonly left_px: number;
  readonly right_px: number;
  readonly bottom_px: number;
}
export type SplitName = keyof Splits;

export const defaultSplits: Splits = { left_px: 330, right_px: 400, bottom_px: 152 };

/** Least and most for each edge. Whatever the window, the middle keeps at least `middle_px`. */
export const splitLimits: Readonly<Record<SplitName, { readonly min: number; readonly max: number }>> = {
  left_px: { min: 200, max: 640 },
  right_px: { min: 320, max: 640 },
  bottom_px: { min: 112, max: 360 },
};
export const middle_px = 320;

export function clampSplit(name: SplitName, value_px: number): number {
  const { min, max } = splitLimits[name];
  return Number.isFinite(value_px) ? Math.round(Math.max(min, Math.min(max, value_px))) : defaultSplits[name];
}

/** Splits that fit `width_px`: the left edge gives way first, then the right. */
export function fitSplits(splits: Splits, width_px: number): Splits {
  const wanted_left_px = clampSplit("left_px", splits.left_px);
  const wanted_right_px = clampSplit("right_px", splits.right_px);
  const over = (left_px: number): number => Math.max(0, left_px + wanted_right_px + middle_px - width_px);
  const left_px = clampSplit("left_px", wanted_left_px - over(wanted_left_px));
  const right_px = clampSplit("right_px", wanted_right_px - over(left_px));
  return { left_px, right_px, bottom_px: clampSplit("bottom_px", splits.bottom_px) };
}

/** Reads what an earlier window stored; whatever is missing or damaged takes its default. */
export function parseSplits(stored: string | null): Splits {
  let value: unknown = null;
  try {
    value = JSON.parse(stored ?? "null");
  } catch {
    return defaultSplits;
  }
  if (typeof value !== "object" || value === null) return defaultSplits;
  const read = (name: SplitName): number => {
    const px: unknown = name in value ? (value as Record<string, unknown>)[name] : undefined;
    return typeof px === "number" ? clampSplit(name, px) : defaultSplits[name];
  };
  return { left_px: read("left_px"), right_px: read("right_px"), bottom_px: read("bottom_px") };
}
