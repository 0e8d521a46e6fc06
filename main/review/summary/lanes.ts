import type { ReviewLane } from "#contract/review";
import type { Column, LogReader } from "../reader";

export type Span = ReviewLane["spans"][number];
export type Mark = ReviewLane["marks"][number];
export type Tone = Span["tone"];

/** A state that was seen at a time and holds until the next one. */
export interface Seen {
  readonly at_s: number;
  readonly label: string;
  readonly tone: Tone;
}

/** Joins equal neighbours; the last state lasts to `end_s`. States with an empty label leave a gap. */
export function spansOf(seen: readonly Seen[], end_s: number): Span[] {
  const spans: Span[] = [];
  let open: Seen | null = null;
  const close = (to_s: number): void => {
    if (open && open.label !== "" && to_s >= open.at_s)
      spans.push({ from_s: open.at_s, to_s, label: open.label, tone: open.tone });
  };
  for (const state of seen) {
    if (open?.label === state.label && open.tone === state.tone) continue;
    close(state.at_s);
    open = state;
  }
  close(end_s);
  return spans;
}

/** More samples than this tell no better story, and a log of gigabytes must open in seconds. */
const STORY_SAMPLES = 100_000;

/** A column for lanes, findings and the path: of a huge topic every n-th sample. */
export const told = (reader: LogReader, topic: string, field: string): Column | null =>
  reader.column(topic, field, STORY_SAMPLES);

/** Changes of one numeric field: each value with the time it first showed. */
export function changesOf(
  reader: LogReader,
  topic: string,
  field: string,
): { at_s: number; value: number }[] {
  const column = told(reader, topic, field);
  if (!column) return [];
  const out: { at_s: number; value: number }[] = [];
  let last = Number.NaN;
  for (let i = 0; i < column.t_s.length; i++) {
    const value = column.values[i] as number;
    if (value === last || Number.isNaN(value)) continue;
    last = value;
    out.push({ at_s: column.t_s[i] as number, value });
  }
  return out;
}

export const lane = (
  id: string,
  label: string,
  spans: readonly Span[],
  marks: readonly Mark[] = [],
): ReviewLane => ({ id, label, spans, marks });

export const hasTopic = (reader: LogReader, topic: string): boolean =>
  reader.topics.some((t) => t.name === topic && t.count > 0);

/** Plain rounding for sentences: at most `digits` decimals, no trailing zeros. */
export const plain = (value: number, digits = 1): string => String(Number(value.toFixed(digits)));
