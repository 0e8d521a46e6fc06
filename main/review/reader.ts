import type { ReviewMessage, ReviewSummary, ReviewTopic } from "#contract/review";

export type Completeness = ReviewSummary["completeness"];
export type Parameter = ReviewSummary["parameters"][number];

/** One field of one topic: times in seconds since the start, ascending, and values (NaN where there is none). */
export interface Column {
  readonly t_s: Float64Array;
  readonly values: Float64Array;
  readonly unit: string;
}

export interface LogRecord {
  readonly at_s: number;
  readonly value: unknown;
}

/** One whole message. `index` counts within its topic. */
export interface LogMessage {
  readonly at_s: number;
  readonly index: number;
  readonly message: unknown;
}

/** An encoded picture ready for an <img>. `index` counts within its topic. */
export interface LogImage {
  readonly at_s: number;
  readonly index: number;
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

export type LogKind = "kingfisher" | "mcap" | "ulog" | "tlog" | "dataflash" | "rosbag";

/**
 * What every format looks like to the rest of review. Opening reads the index only; columns and images are decoded
 * when asked for. Damage never throws: what is good is served, what is not is counted in `completeness`.
 */
export interface LogReader {
  readonly kind: LogKind;
  /** In words, for the screen: "PX4 ULog", "MAVLink telemetry log". */
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  /** Texts the log itself carries: status texts, logged strings, console output. */
  readonly messages: readonly ReviewMessage[];
  readonly image_topics: ReviewSummary["image_topics"];
  column(topic: string, field: string): Column | null;
  /** Whole messages in order; meant for topics with few or structured messages. */
  records(topic: string): Iterable<LogRecord>;
  /** The newest message at or before `at_s`, else the first; readers without an index by message leave it out. */
  message?(topic: string, at_s: number): LogMessage | null;
  /** The newest picture at or before `at_s`, else the first. */
  image(topic: string, at_s: number): LogImage | null;
  /** Rereads all bytes that the index skipped, where that is not done at once: what else is damaged. */
  close(): void;
}

/** `a.2` and `a[2]` mean the same. */
export const normalPath = (path: string): string => path.replace(/\.(\d+)(?=[.[]|$)/g, "[$1]");

/** States of completeness, worst last. */
export function completeness(
  empty: boolean,
  truncated: string | null,
  damage: readonly string[],
  remarks: readonly string[] = [],
): Completeness {
  const notes = [...(truncated === null ? [] : [truncated]), ...damage, ...remarks];
  if (empty) return { state: "empty", notes: notes.length > 0 ? notes : ["no messages"] };
  if (damage.length > 0) return { state: "damaged", notes };
  return { state: truncated === null ? "complete" : "truncated", notes };
}

/** Puts samples in order of time and drops those outside [from, to]; the usual case, already in order, is free. */
export function orderColumn(
  t_s: Float64Array,
  values: Float64Array,
  from_s: number,
  to_s: number,
): { t_s: Float64Array; values: Float64Array } {
  let ordered = true;
  let last = -Infinity;
  for (let i = 0; i < t_s.length && ordered; i++) {
    const t = t_s[i] as number;
    if (!(t >= last) || t < from_s || t > to_s) ordered = false;
    last = t;
  }
  if (ordered) return { t_s, values };
  const keep: number[] = [];
  for (let i = 0; i < t_s.length; i++) {
    const t = t_s[i] as number;
    if (t >= from_s && t <= to_s) keep.push(i);
  }
  keep.sort((a, b) => (t_s[a] as number) - (t_s[b] as number) || a - b);
  return {
    t_s: Float64Array.from(keep, (i) => t_s[i] as number),
    values: Float64Array.from(keep, (i) => values[i] as number),
  };
}
