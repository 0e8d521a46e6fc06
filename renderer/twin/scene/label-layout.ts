/** A label's wish: its anchor on the screen, its size, and how much it matters (larger is placed first). Pixels. */
export interface LabelWish {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly priority: number;
}

export interface PlacedLabel {
  readonly id: string;
  /** Upper left corner. */
  readonly left: number;
  readonly top: number;
}

const gap_px = 6;

/**
 * Puts labels beside their anchors without covering each other: above first, then below, right, left, then further
 * above; one that finds no room is left out. Greedy by priority, then by id so that frames agree with each other.
 */
export function placeLabels(
  wishes: readonly LabelWish[],
  viewport: { readonly width: number; readonly height: number },
  keep_clear: readonly Rect[] = [],
): readonly PlacedLabel[] {
  const taken: Rect[] = [...keep_clear];
  const placed: PlacedLabel[] = [];
  const order = [...wishes].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
  for (const wish of order) {
    for (const [left, top] of candidates(wish)) {
      const rect = { left, top, right: left + wish.width, bottom: top + wish.height };
      const inside =
        rect.left >= 2 &&
        rect.top >= 2 &&
        rect.right <= viewport.width - 2 &&
        rect.bottom <= viewport.height - 2;
      if (!inside || taken.some((t) => overlap(t, rect))) continue;
      taken.push(rect);
      placed.push({ id: wish.id, left, top });
      break;
    }
  }
  return placed;
}

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const overlap = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

function candidates(w: LabelWish): readonly (readonly [number, number])[] {
  const centred = w.x - w.width / 2;
  return [
    [centred, w.y - w.height - gap_px],
    [centred, w.y + gap_px],
    [w.x + gap_px, w.y - w.height / 2],
    [w.x - w.width - gap_px, w.y - w.height / 2],
    [centred, w.y - 2 * w.height - 2 * gap_px],
    [centred, w.y + w.height + 2 * gap_px],
  ];
}
