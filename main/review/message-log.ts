import type { ReviewMessage, ReviewTopic } from "#contract/review";
import { displayImage } from "./images";
import type { MessageIndex } from "./message-index";
import { ColumnTree, FieldSurvey, unitOf } from "./objects";
import {
  AxisCache,
  type Column,
  type Completeness,
  type LogImage,
  type LogKind,
  type LogMessage,
  type LogReader,
  type LogRecord,
  normalPath,
  TimeAxis,
} from "./reader";
import type { TimeFrame } from "./time-frame";

/** One topic of a log whose messages are objects: MCAP and ROS bags. */
export interface MessageTopic {
  readonly name: string;
  readonly type: string;
  readonly index: MessageIndex;
  /** Null when the encoding is not known: the topic is listed, its content is not readable. */
  readonly decode: ((bytes: Uint8Array) => unknown) | null;
  readonly image: boolean;
  /** Where the encoding allows: puts message `i`'s numbers into columns without making an object of it. */
  readonly numbers?: (bytes: Uint8Array, columns: ColumnTree, i: number) => void;
}

export interface MessageLogParts {
  readonly kind: LogKind;
  readonly format: string;
  readonly completeness: Completeness;
  readonly frame: TimeFrame;
  readonly topics: readonly MessageTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly start_utc_ms: number | null;
  /** The bytes of one message, or null when its chunk turned out unreadable. */
  readonly payload: (chunk: number, offset: number) => Uint8Array | null;
  readonly close: () => void;
}

const SURVEYED = 24;
/** All columns of a topic are kept from one pass up to this size; beyond it each field is read alone. */
const ALL_COLUMNS_BYTES = 64 * 1024 * 1024;

export class MessageLog implements LogReader {
  readonly kind: LogKind;
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms = null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters = [];
  readonly messages: readonly ReviewMessage[] = [];
  readonly image_topics: readonly { topic: string; count: number }[];
  readonly #parts: MessageLogParts;
  readonly #topics: ReadonlyMap<string, MessageTopic>;
  readonly #columns = new Map<string, ReadonlyMap<string, Float64Array>>();
  readonly #axes = new AxisCache();
  /** How many numeric fields each topic has. */
  readonly #numeric: ReadonlyMap<string, number>;

  constructor(parts: MessageLogParts) {
    this.#parts = parts;
    this.kind = parts.kind;
    this.format = parts.format;
    this.completeness = parts.completeness;
    this.duration_s = parts.frame.to_s - parts.frame.from_s;
    this.start_utc_ms = parts.start_utc_ms;
    this.meta = parts.meta;
    for (const topic of parts.topics) topic.index.sort();
    this.#topics = new Map(parts.topics.map((topic) => [topic.name, topic]));
    this.topics = parts.topics.map((topic) => ({
      name: topic.name,
      type: topic.type,
      count: topic.index.length,
      fields: this.#survey(topic),
    }));
    this.#numeric = new Map(this.topics.map((t) => [t.name, t.fields.filter((f) => f.numeric).length]));
    this.image_topics = parts.topics
      .filter((topic) => topic.image && topic.index.length > 0)
      .map((topic) => ({ topic: topic.name, count: topic.index.length }));
  }

  #survey(topic: MessageTopic): ReviewTopic["fields"] {
    const survey = new FieldSurvey();
    const { length } = topic.index;
    const looks = topic.image ? 1 : Math.min(SURVEYED, length);
    for (let k = 0; k < looks && length > 0; k++) {
      const message = this.#decode(topic, Math.floor((k * (length - 1)) / Math.max(1, looks - 1)));
      if (message !== undefined) survey.add(message);
    }
    return survey.fields();
  }

  /** Undefined when the message cannot be read. */
  #decode(topic: MessageTopic, i: number): unknown {
    if (!topic.decode) return undefined;
    const bytes = this.#parts.payload(topic.index.chunk(i), topic.index.offset(i));
    if (!bytes) return undefined;
    try {
      return topic.decode(bytes);
    } catch {
      return undefined;
    }
  }

  #contains(topic: MessageTopic, i: number, text: string): boolean {
    const bytes = this.#parts.payload(topic.index.chunk(i), topic.index.offset(i));
    return bytes !== null && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(text);
  }

  #at_s(topic: MessageTopic, i: number): number {
    return topic.index.time_s(i) - this.#parts.frame.from_s;
  }

  column(topicName: string, field: string): Column | null {
    const topic = this.#topics.get(topicName);
    if (!topic?.decode) return null;
    const path = normalPath(field);
    const values = this.#values(topic, path);
    const axis = this.#axes.get(topicName, () => {
      const t_s = new Float64Array(topic.index.length);
      for (let i = 0; i < t_s.length; i++) t_s[i] = this.#at_s(topic, i);
      return new TimeAxis(t_s, 0, this.duration_s);
    });
    return values && { t_s: axis.t_s, values: axis.pick(values), unit: unitOf(path) };
  }

  /** One pass over the topic fills all its columns, or only the one asked for where there would be too many bytes. */
  #values(topic: MessageTopic, path: string): Float64Array | null {
    const { length } = topic.index;
    const known = this.#numeric.get(topic.name) ?? 0;
    const all = known * length * 8 <= ALL_COLUMNS_BYTES;
    const cached = this.#columns.get(topic.name);
    if (cached && (all || cached.has(path))) return cached.get(path) ?? null;
    const tree = new ColumnTree(length, all ? null : path);
    for (let i = 0; i < length; i++) {
      if (topic.numbers) {
        const bytes = this.#parts.payload(topic.index.chunk(i), topic.index.offset(i));
        if (bytes) topic.numbers(bytes, tree, i);
      } else {
        const message = this.#decode(topic, i);
        if (message !== undefined) tree.add(i, message);
      }
    }
    this.#columns.set(topic.name, tree.columns);
    return tree.columns.get(path) ?? null;
  }

  *records(topicName: string, containing?: string): Iterable<LogRecord> {
    const topic = this.#topics.get(topicName);
    if (!topic) return;
    for (let i = 0; i < topic.index.length; i++) {
      if (containing !== undefined && !this.#contains(topic, i, containing)) continue;
      const value = this.#decode(topic, i);
      const at_s = Math.min(this.duration_s, Math.max(0, this.#at_s(topic, i)));
      if (value !== undefined) yield { at_s, value };
    }
  }

  message(topicName: string, at_s: number): LogMessage | null {
    const topic = this.#topics.get(topicName);
    if (!topic?.decode || topic.index.length === 0) return null;
    const i = this.#newest(topic, at_s);
    const message = this.#decode(topic, i);
    return message === undefined ? null : { at_s: this.#at_s(topic, i), index: i, message };
  }

  #newest(topic: MessageTopic, at_s: number): number {
    return Math.max(0, topic.index.at(at_s + this.#parts.frame.from_s + 1e-6));
  }

  image(topicName: string, at_s: number): LogImage | null {
    const topic = this.#topics.get(topicName);
    if (!topic?.image || topic.index.length === 0) return null;
    const i = this.#newest(topic, at_s);
    const picture = displayImage(this.#decode(topic, i));
    return picture ? { at_s: this.#at_s(topic, i), index: i, ...picture } : null;
  }

  close(): void {
    this.#parts.close();
  }
}
