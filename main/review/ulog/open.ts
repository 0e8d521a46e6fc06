import type { ReviewMessage, ReviewTopic } from "#contract/review";
import { forgetful, type Remember } from "../index-cache/remember";
import {
  AxisCache,
  type Column,
  type Completeness,
  completeness,
  type LogMessage,
  type LogReader,
  type LogRecord,
  newest,
  normalPath,
  type Parameter,
  TimeAxis,
} from "../reader";
import { type ByteSource, Window } from "../source";
import { ColumnCache, readColumns, readScalar } from "../struct-column";
import type { TimeFrame } from "../time-frame";
import { severityName } from "../tlog/texts";
import type { UlogFacts, UlogTopic } from "./content";
import { definitionsBeside, type EventWords, eventMessages, lostEvents } from "./events";
import { remarksOf } from "./remarks";
import { scanUlog } from "./scan";

const SPARSE_BYTES = 4096;
const TIME = "timestamp";
type Offsets = Uint32Array | Float64Array;

function every(offsets: Offsets, stride: number): Offsets {
  if (stride === 1) return offsets;
  const count = Math.ceil(offsets.length / stride);
  const out = offsets instanceof Uint32Array ? new Uint32Array(count) : new Float64Array(count);
  for (let i = 0; i < count; i++) out[i] = offsets[i * stride] as number;
  return out;
}

/** A PX4 onboard log. */
export class Ulog implements LogReader {
  readonly kind = "ulog";
  readonly format = "PX4 ULog";
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly image_topics = [];
  readonly dropouts: readonly { at_s: number; duration_s: number }[];
  readonly #source: ByteSource;
  readonly #window: Window;
  readonly #sparse: Window;
  readonly #frame: TimeFrame;
  readonly #earliest_s: number;
  readonly #topics: ReadonlyMap<string, UlogTopic>;
  readonly #axes = new AxisCache();
  readonly #columns = new ColumnCache();
  readonly #event_definitions: Uint8Array | null;
  readonly #texts: readonly (ReviewMessage & { readonly echo: boolean })[];
  #messages: readonly ReviewMessage[];

  constructor(source: ByteSource, remember: Remember = forgetful) {
    this.#window = new Window(source);
    this.#sparse = new Window(source, SPARSE_BYTES, 0);
    const content: UlogFacts = remember("ulog", () => scanUlog(this.#window));
    this.#source = source;
    const frame = content.scout.frame();
    // Topics that were published once, long before logging began, must not stretch the log: they count as its start.
    const header_s = content.header_us / 1e6;
    const from_s = header_s > frame.from_s && header_s < frame.to_s ? header_s : frame.from_s;
    this.#earliest_s = frame.from_s - from_s;
    this.#frame = { ...frame, from_s };
    const { to_s } = frame;
    this.duration_s = to_s - from_s;
    // In software simulation the "boot" clock may be UTC: then there is no boot time to show.
    this.start_boot_ms = from_s < 1e9 ? from_s * 1000 : null;
    this.#topics = new Map(
      [...content.topics.values()]
        .map((topic) => [topicName(topic), topic] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    this.topics = [...this.#topics].map(([name, { name: type, layout, offsets }]) => ({
      name,
      type,
      count: offsets.length,
      fields: [
        ...layout.numbers.map(({ path, unit }) => ({ path, numeric: true, unit })),
        ...layout.texts.map(({ path }) => ({ path, numeric: false, unit: "" })),
      ],
    }));
    this.start_utc_ms = this.#startUtc(content);
    const since = (at_s: number): number => Math.min(this.duration_s, Math.max(0, at_s - from_s));
    this.dropouts = content.dropouts.map(({ at_s, duration_s }) => ({ at_s: since(at_s), duration_s }));
    this.#event_definitions = content.blobs.get("metadata_events") ?? null;
    this.#texts = content.texts.map(({ at_s, level, tag, text, echo }) => ({
      at_s: since(at_s),
      severity: severityName(level),
      source: tag === null ? "vehicle" : `vehicle, tag ${tag}`,
      text,
      echo,
    }));
    this.#messages = this.#inOrder(null);
    this.parameters = [...content.parameters.values()]
      .map((p) => ({ ...p, changes: p.changes.map((c) => ({ at_s: since(c.at_s), value: c.value })) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    this.meta = metaOf(content);
    const remarks = remarksOf(content, this.#frame.wild);
    const lost = lostEvents(this.column("event", "event_sequence")?.values ?? new Float64Array());
    if (lost > 0) remarks.push(`${lost} events are missing: their sequence numbers jump`);
    this.completeness = completeness(content.records === 0, content.truncated, content.damage.notes, remarks);
  }

  get messages(): readonly ReviewMessage[] {
    return this.#messages;
  }

  /**
   * Puts events into words with the definitions that the log embeds, else with those beside it. `path` is null for bytes
   * in memory.
   */
  async describeEvents(
    path: string | null,
    wordsOf: (definitions: Uint8Array) => Promise<EventWords | null>,
  ): Promise<void> {
    if (!this.#topics.has("event")) return;
    const definitions = this.#event_definitions ?? (path === null ? null : definitionsBeside(path));
    const words = definitions && (await wordsOf(definitions));
    if (words) this.#messages = this.#inOrder(words);
  }

  /** Texts and events by time; texts that an event repeats are left to the event once it has words. */
  #inOrder(words: EventWords | null): ReviewMessage[] {
    const texts = this.#texts.filter(({ echo }) => !echo || words === null);
    return [
      ...texts.map(({ at_s, severity, source, text }) => ({ at_s, severity, source, text })),
      ...eventMessages(this.records("event"), words),
    ].sort((a, b) => a.at_s - b.at_s);
  }

  /** From `boot_time_utc_us` where the log has it, else from the first position fix with a date. */
  #startUtc(content: UlogFacts): number | null {
    const boot_us = content.info.get("boot_time_utc_us");
    if (typeof boot_us === "number" && boot_us > 1e15) return boot_us / 1000 + this.#frame.from_s * 1000;
    for (const name of ["vehicle_gps_position", "sensor_gps"]) {
      const utc = this.column(name, "time_utc_usec");
      const i = utc?.values.findIndex((v) => v > 1e15) ?? -1;
      if (utc && i >= 0) return (utc.values[i] as number) / 1000 - (utc.t_s[i] as number) * 1000;
    }
    return null;
  }

  /** Values of one field in the order of the file; the times are read in the same pass. */
  #values(
    key: string,
    topic: UlogTopic,
    path: string,
    offsets: Offsets,
    window: Window,
  ): Float64Array | null {
    const { numbers, bytes, padding } = topic.layout;
    return this.#columns.get(
      key,
      path,
      numbers,
      offsets.length,
      (fields) => readColumns(window, offsets, fields, bytes - padding),
      TIME,
    );
  }

  /** Seconds since the start, one a record. */
  #times(key: string, topic: UlogTopic, offsets: Offsets, window: Window): Float64Array {
    const last = Math.max(1, offsets.length - 1);
    const stamps = topic.layout.time_offset < 0 ? null : this.#values(key, topic, TIME, offsets, window);
    if (!stamps) return Float64Array.from(offsets, (_, i) => (this.duration_s * i) / last);
    const { from_s } = this.#frame;
    const times = new Float64Array(stamps.length);
    for (let i = 0; i < times.length; i++) {
      const boot_s = (stamps[i] as number) / 1e6;
      const t = boot_s - from_s;
      times[i] = boot_s === 0 || (t < 0 && t >= this.#earliest_s) ? 0 : t;
    }
    return times;
  }

  #axis(key: string, topic: UlogTopic, offsets: Offsets, window: Window): TimeAxis {
    const to_s = this.duration_s + 1e-9;
    return this.#axes.get(key, () => new TimeAxis(this.#times(key, topic, offsets, window), -1e-9, to_s));
  }

  column(topicName: string, field: string, at_most = Number.POSITIVE_INFINITY): Column | null {
    const topic = this.#topics.get(topicName);
    const path = normalPath(field);
    if (!topic) return null;
    const number = topic.layout.numbers.find((n) => n.path === path);
    if (!number) return null;
    const stride = Math.max(1, Math.ceil(topic.offsets.length / at_most));
    const offsets = every(topic.offsets.values, stride);
    // Samples far apart are fetched one by one instead of moving a large window over all that lies between.
    const window = stride > 1 ? this.#sparse : this.#window;
    const key = stride > 1 ? `${topicName}/${stride}` : topicName;
    const values = this.#values(key, topic, path, offsets, window);
    const axis = this.#axis(key, topic, offsets, window);
    return values && { t_s: axis.t_s, values: axis.pick(values), unit: number.unit };
  }

  *records(name: string): Iterable<LogRecord> {
    const topic = this.#topics.get(name);
    if (!topic) return;
    const times = this.#times(name, topic, topic.offsets.values, this.#window);
    for (let i = 0; i < times.length; i++) {
      const value = this.#value(topic, i);
      if (value) yield { at_s: Math.min(this.duration_s, Math.max(0, times[i] as number)), value };
    }
  }

  message(name: string, at_s: number): LogMessage | null {
    const topic = this.#topics.get(name);
    return topic
      ? newest(this.#axis(name, topic, topic.offsets.values, this.#window), at_s, (i) =>
          this.#value(topic, i),
        )
      : null;
  }

  #value(topic: UlogTopic, i: number): Record<string, unknown> | null {
    const window = this.#window;
    const { bytes, padding, numbers, texts } = topic.layout;
    const offset = topic.offsets.values[i] as number;
    if (!window.load(offset, bytes - padding)) return null;
    const start = offset - window.base;
    const value: Record<string, unknown> = {};
    for (const n of numbers) value[n.path] = readScalar(window.view, start + n.offset, n.kind);
    for (const t of texts) {
      const text = window.bytes.subarray(start + t.offset, start + t.offset + t.length);
      value[t.path] = new TextDecoder().decode(text).replace(/\0.*$/s, "");
    }
    return value;
  }

  image(): null {
    return null;
  }

  close(): void {
    this.#source.close();
  }
}

/** The first instance keeps the plain name; others are numbered as PX4 numbers them. */
const topicName = (topic: UlogTopic): string =>
  topic.instance === 0 ? topic.name : `${topic.name}[${topic.instance}]`;

function metaOf(content: UlogFacts): Record<string, string> {
  const meta: Record<string, string> = {};
  for (const [key, value] of content.info) meta[key] = String(value);
  const release = content.info.get("ver_sw_release");
  if (typeof release === "number") meta["version"] = releaseName(release);
  return meta;
}

/** 0x01120080 is 1.18.0 beta (PX4's version encoding: type 0 development, 64 alpha, 128 beta, 192 candidate, 255 release). */
function releaseName(release: number): string {
  const type = release & 255;
  const suffix =
    type === 255
      ? ""
      : type >= 192
        ? " candidate"
        : type >= 128
          ? " beta"
          : type >= 64
            ? " alpha"
            : " development";
  return `${release >>> 24}.${(release >>> 16) & 255}.${(release >>> 8) & 255}${suffix}`;
}
