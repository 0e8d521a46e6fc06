import type { ReviewMessage, ReviewSummary, ReviewTopic } from "#contract/review";
import { lowerBound, upperBound } from "./bounds";
import type { Column, Completeness, LogImage, LogMessage, LogReader, LogRecord, Parameter } from "./reader";

/** What of a log is wanted. Null is all of it. */
export interface Wanted {
  readonly from_s: number | null;
  readonly to_s: number | null;
  readonly topics: readonly string[] | null;
}

/** A log with only the wanted topics and times; times keep their zero. */
export class Selection implements LogReader {
  readonly kind: LogReader["kind"];
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly messages: readonly ReviewMessage[];
  readonly image_topics: ReviewSummary["image_topics"];
  readonly #reader: LogReader;
  readonly #from_s: number;
  readonly #to_s: number;
  readonly #cut = new WeakMap<Float64Array, Float64Array>();

  constructor(reader: LogReader, wanted: Wanted) {
    this.#reader = reader;
    this.#from_s = wanted.from_s ?? Number.NEGATIVE_INFINITY;
    this.#to_s = wanted.to_s ?? Number.POSITIVE_INFINITY;
    const names = wanted.topics === null ? null : new Set(wanted.topics);
    const has = (name: string): boolean => names?.has(name) ?? true;
    this.kind = reader.kind;
    this.format = reader.format;
    this.completeness = reader.completeness;
    this.duration_s = reader.duration_s;
    this.start_utc_ms = reader.start_utc_ms;
    this.start_boot_ms = reader.start_boot_ms;
    this.topics = reader.topics.filter(({ name }) => has(name));
    this.meta = reader.meta;
    this.parameters = reader.parameters;
    this.messages = reader.messages.filter(({ at_s }) => this.#in(at_s));
    this.image_topics = reader.image_topics.filter(({ topic }) => has(topic));
  }

  #in(at_s: number): boolean {
    return at_s >= this.#from_s && at_s <= this.#to_s;
  }

  #has(topic: string): boolean {
    return this.topics.some(({ name }) => name === topic);
  }

  column(topic: string, field: string, at_most?: number): Column | null {
    const column = this.#has(topic) ? this.#reader.column(topic, field, at_most) : null;
    if (!column) return null;
    const from = lowerBound(column.t_s, this.#from_s);
    const to = upperBound(column.t_s, this.#to_s);
    if (from === 0 && to === column.t_s.length) return column;
    let t_s = this.#cut.get(column.t_s);
    if (t_s === undefined) {
      t_s = column.t_s.slice(from, to);
      this.#cut.set(column.t_s, t_s);
    }
    return { ...column, t_s, values: column.values.slice(from, to) };
  }

  *records(topic: string, containing?: string): Iterable<LogRecord> {
    if (!this.#has(topic)) return;
    for (const record of this.#reader.records(topic, containing)) if (this.#in(record.at_s)) yield record;
  }

  message(topic: string, at_s: number): LogMessage | null {
    return this.#has(topic) ? (this.#reader.message?.(topic, at_s) ?? null) : null;
  }

  image(topic: string, at_s: number): LogImage | null {
    return this.#has(topic) ? this.#reader.image(topic, at_s) : null;
  }

  /** The log itself stays open: it belongs to the review. */
  close(): void {}
}
