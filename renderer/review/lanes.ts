import type { ReviewLane } from "#contract/review";
import { type Range, shareOf } from "./range";

type Span = ReviewLane["spans"][number];
type Mark = ReviewLane["marks"][number];

export interface SpanBox {
  readonly span: Span;
  readonly left: number;
  readonly width: number;
  /** Whether the label has room; else it lives in the tooltip only. */
  readonly labelled: boolean;
}

export interface MarkBox {
  readonly mark: Mark;
  readonly left: number;
  /** How many marks lie under this one; they are merged where they would touch. */
  readonly count: number;
}

const least_px = 2;
const letter_px = 6.1;
const merge_px = 6;
const urgency = { neutral: 0, intent: 1, machine: 1, go: 2, caution: 3, warning: 4 } as const;

/** Where the spans of a lane lie in `width_px`, cut to the range. A span is never thinner than can be seen. */
export function spanBoxes(spans: readonly Span[], range: Range, width_px: number): readonly SpanBox[] {
  return spans.flatMap((span) => {
    if (span.to_s < range.from_s || span.from_s > range.to_s) return [];
    const from = Math.max(0, shareOf(span.from_s, range)) * width_px;
    const to = Math.min(1, shareOf(span.to_s, range)) * width_px;
    const width = Math.max(least_px, to - from);
    const left = Math.min(from, width_px - least_px);
    return [{ span, left, width, labelled: span.label.length * letter_px + 10 <= width }];
  });
}

/** Marks at their place; those nearer than a finger's breadth are one, wearing the most urgent tone. */
export function markBoxes(marks: readonly Mark[], range: Range, width_px: number): readonly MarkBox[] {
  const out: { mark: Mark; left: number; count: number }[] = [];
  for (const mark of [...marks].sort((a, b) => a.at_s - b.at_s)) {
    if (mark.at_s < range.from_s || mark.at_s > range.to_s) continue;
    const left = shareOf(mark.at_s, range) * width_px;
    const last = out.at(-1);
    if (last !== undefined && left - last.left < merge_px) {
      last.count += 1;
      if (urgency[mark.tone] > urgency[last.mark.tone]) last.mark = mark;
    } else out.push({ mark, left, count: 1 });
  }
  return out;
}

/** The spans of all lanes that hold at `t_s`: the state of everything at the cursor. */
export function statesAt(lanes: readonly ReviewLane[], t_s: number): readonly { lane: string; span: Span }[] {
  return lanes.flatMap((lane) => {
    const span = lane.spans.filter((s) => s.from_s <= t_s && t_s < s.to_s).at(-1);
    return span === undefined ? [] : [{ lane: lane.label, span }];
  });
}
