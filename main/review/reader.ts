import type { ReviewMessage, ReviewSummary, ReviewTopic } from "#contract/review";
import { upperBound } from "./bounds";

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

export type LogKind =
  | "kingfisher"
  | "mcap"
  | "ulog"
  | "tlog"
  | "dataflash"
  | "rosbag"
  | "rosbag2"
  | "robomimic"
  | "lerobot"
  | "video";

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
  /** With `at_most`, a reader of huge logs may return every n-th sample only: enough to tell a story, not for plots. */
  column(topic: string, field: string, at_most?: number): Column | null;
  /**
   * Whole messages in order; meant for topics with few or structured messages. With `containing`, a reader whose
   * messages are text may leave out those without it, undecoded.
   */
  records(topic: string, containing?: string): Iterable<LogRecord>;
  /** The newest message at or before `at_s`, else the first; readers without an index by message leave it out. */
  message?(topic: string, at_s: number): LogMessage | null;
  /** The newest picture at or before `at_s`, else the first. */
  image(topic: string, at_s: number): LogImage | null;
  close(): void;
}

/** `a.2` and `a[2]` mean the same. */
export const normalPath = (path: string): string => path.replace(/\.(\d+)(?=[.[]|$)/g, "[$1]");

/** The message whose time is the newest at or before `at_s`, else the first. `valueOf` takes its place in the file. */
export function newest(
  axis: TimeAxis,
  at_s: number,
  valueOf: (source: number) => unknown,
): LogMessage | null {
  const index = Math.max(0, upperBound(axis.t_s, at_s) - 1);
  const found_s = axis.t_s[index];
  return found_s === undefined ? null : { at_s: found_s, index, message: valueOf(axis.source(index)) };
}

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

/**
 * The times of a topic, ascending and within [from, to], and how to put its values in the same order. The usual case,
 * already in order, costs nothing. Made once a topic: every field of it needs them.
 */
export class TimeAxis {
  readonly t_s: Float64Array;
  /** Which samples are kept, in order; null when all are. */
  readonly #keep: Uint32Array | null;

  constructor(t_s: Float64Array, from_s: number, to_s: number) {
    if (inOrder(t_s, from_s, to_s)) {
      this.t_s = t_s;
      this.#keep = null;
      return;
    }
    const keep: number[] = [];
    for (let i = 0; i < t_s.length; i++) {
      const t = t_s[i] as number;
      if (t >= from_s && t <= to_s) keep.push(i);
    }
    this.#keep = Uint32Array.from(keep).sort((a, b) => (t_s[a] as number) - (t_s[b] as number) || a - b);
    this.t_s = this.pick(t_s);
  }

  /** Which sample of the topic the i-th one in order is. */
  source(i: number): number {
    return this.#keep?.[i] ?? i;
  }

  pick(values: Float64Array): Float64Array {
    const keep = this.#keep;
    if (!keep) return values;
    const out = new Float64Array(keep.length);
    for (let i = 0; i < keep.length; i++) out[i] = values[keep[i] as number] as number;
    return out;
  }
}

function inOrder(t_s: Float64Array, from_s: number, to_s: number): boolean {
  let last = from_s;
  for (let i = 0; i < t_s.length; i++) {
    const t = t_s[i] as number;
    if (!(t >= last) || t > to_s) return false;
    last = t;
  }
  return true;
}

/** Time axes of the topics in use; the rest is made again when asked for. */
export class AxisCache {
  readonly #kept = new Map<string, TimeAxis>();

  get(topic: string, make: () => TimeAxis): TimeAxis {
    const found = this.#kept.get(topic) ?? make();
    this.#kept.delete(topic);
    this.#kept.set(topic, found);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > AXES_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return found;
  }
}
const AXES_KEPT = 32;
