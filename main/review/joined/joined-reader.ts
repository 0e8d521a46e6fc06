import type { ReviewMessage, ReviewSummary, ReviewTopic } from "#contract/review";
import type { Column, Completeness, LogImage, LogMessage, LogReader, LogRecord, Parameter } from "../reader";
import { scanned } from "../scanned";

/** One log of a review and where it lies: `offset_s` is added to its own times. The reference has the key "". */
export interface Part {
  readonly key: string;
  readonly reader: LogReader;
  readonly offset_s: number;
}

/** A topic's name in the review: the reference's as it is, the others' behind their key. */
export const topicIn = (key: string, topic: string): string => (key === "" ? topic : `${key}:${topic}`);

const STATES = ["complete", "truncated", "damaged"] as const;

/** Several logs as one, on the clock of the first. Nothing is copied: times are shifted as they are asked for. */
export class JoinedReader implements LogReader {
  readonly kind: LogReader["kind"];
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly from_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly messages: readonly ReviewMessage[];
  readonly image_topics: ReviewSummary["image_topics"];
  readonly #parts: readonly Part[];
  /** Times shifted once a topic: fields that share theirs go on sharing them. */
  readonly #shifted = new WeakMap<Float64Array, Float64Array>();

  constructor(parts: readonly [Part, ...Part[]]) {
    const [reference] = parts;
    this.#parts = parts;
    this.kind = reference.reader.kind;
    this.format = parts.map(({ reader }) => reader.format).join(" + ");
    this.completeness = worstOf(parts);
    this.duration_s = Math.max(...parts.map((p) => p.offset_s + p.reader.duration_s));
    this.from_s = Math.min(...parts.map((p) => p.offset_s));
    this.start_utc_ms = zero(parts, (reader) => reader.start_utc_ms);
    this.start_boot_ms = zero(parts, (reader) => reader.start_boot_ms);
    this.topics = parts.flatMap(({ key, reader }) =>
      reader.topics.map((topic) => ({ ...topic, name: topicIn(key, topic.name) })),
    );
    this.meta = Object.fromEntries(
      parts.flatMap(({ key, reader }) =>
        Object.entries(reader.meta).map(([name, value]) => [topicIn(key, name), value]),
      ),
    );
    this.parameters = parts.find(({ reader }) => reader.parameters.length > 0)?.reader.parameters ?? [];
    this.messages = parts
      .flatMap(({ reader, offset_s }) => reader.messages.map((m) => ({ ...m, at_s: m.at_s + offset_s })))
      .sort((a, b) => a.at_s - b.at_s);
    this.image_topics = parts.flatMap(({ key, reader }) =>
      reader.image_topics.map((image) => ({ ...image, topic: topicIn(key, image.topic) })),
    );
  }

  /** The part that a topic belongs to, and its name there. A key never holds a colon; the reference's topics may. */
  #find(name: string): { part: Part; topic: string } | null {
    for (const part of this.#parts) {
      const topic =
        part.key === "" ? name : name.startsWith(`${part.key}:`) ? name.slice(part.key.length + 1) : null;
      if (topic !== null && part.reader.topics.some((t) => t.name === topic)) return { part, topic };
    }
    return null;
  }

  column(topic: string, field: string, at_most?: number): Column | null {
    const found = this.#find(topic);
    const column = found?.part.reader.column(found.topic, field, at_most) ?? null;
    const offset_s = found?.part.offset_s ?? 0;
    if (column === null || offset_s === 0) return column;
    let t_s = this.#shifted.get(column.t_s);
    if (t_s === undefined) {
      t_s = column.t_s.map((t) => t + offset_s);
      this.#shifted.set(column.t_s, t_s);
    }
    return { ...column, t_s };
  }

  *records(topic: string, containing?: string): Iterable<LogRecord> {
    const found = this.#find(topic);
    if (!found) return;
    const { reader, offset_s } = found.part;
    for (const { at_s, value } of reader.records(found.topic, containing))
      yield { at_s: at_s + offset_s, value };
  }

  message(topic: string, at_s: number): LogMessage | null {
    const found = this.#find(topic);
    if (!found) return null;
    const { reader, offset_s } = found.part;
    const message = reader.message
      ? reader.message(found.topic, at_s - offset_s)
      : scanned(reader, found.topic, at_s - offset_s);
    return message && { ...message, at_s: message.at_s + offset_s };
  }

  image(topic: string, at_s: number): LogImage | null {
    const found = this.#find(topic);
    const image = found?.part.reader.image(found.topic, at_s - found.part.offset_s) ?? null;
    return image && { ...image, at_s: image.at_s + (found?.part.offset_s ?? 0) };
  }

  close(): void {
    for (const { reader } of this.#parts) reader.close();
  }
}

/** The clock's reading at the review's zero, of the first log that carries it. */
function zero(parts: readonly Part[], clock: (reader: LogReader) => number | null): number | null {
  for (const { reader, offset_s } of parts) {
    const start_ms = clock(reader);
    if (start_ms !== null) return start_ms - offset_s * 1000;
  }
  return null;
}

function worstOf(parts: readonly Part[]): Completeness {
  const notes = parts.flatMap(({ key, reader }) =>
    reader.completeness.notes.map((note) => (key === "" ? note : `${key}: ${note}`)),
  );
  const rank = (state: Completeness["state"]): number =>
    STATES.indexOf(state === "empty" ? "complete" : state);
  const worst = Math.max(...parts.map(({ reader }) => rank(reader.completeness.state)));
  return { state: STATES[worst] ?? "complete", notes };
}
