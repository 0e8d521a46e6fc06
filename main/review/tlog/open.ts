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
import { ColumnCache, type StructField } from "../struct-column";
import { type TimeFrame, wildNote } from "../time-frame";
import type { MavlinkDialect, MavlinkField } from "./dialect";
import { readText, readTrimmed, readTrimmedColumns, structFields, textFields } from "./fields";
import { scanTlog, type TlogStream } from "./scan";
import { parametersOf, statusTexts } from "./texts";

interface Topic {
  readonly name: string;
  readonly stream: TlogStream;
  readonly numbers: readonly StructField[];
  readonly texts: readonly MavlinkField[];
}

/** A telemetry log begins with a stamp and a frame; damaged ones may begin later. */
export function isTlog(head: Uint8Array): boolean {
  for (let at = 8; at + 12 < head.length; at++) {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    if (head[at] !== 0xfd && head[at] !== 0xfe) continue;
    const year = 1970 + (view.getUint32(at - 8) * 4294967296 + view.getUint32(at - 4)) / 31_556_952e6;
    if (year > 2001 && year < 2100) return true;
  }
  return false;
}

/** A ground station's recording of its link: frames of all systems, stamped with the station's UTC. */
export class TelemetryLog implements LogReader {
  readonly kind = "tlog";
  readonly format = "MAVLink telemetry log";
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly messages: readonly ReviewMessage[];
  readonly image_topics = [];
  readonly #source: ByteSource;
  readonly #window: Window;
  readonly #frame: TimeFrame;
  readonly #topics: ReadonlyMap<string, Topic>;
  readonly #axes = new AxisCache();
  readonly #columns = new ColumnCache();

  constructor(source: ByteSource, dialect: MavlinkDialect, remember: Remember = forgetful) {
    this.#window = new Window(source);
    const content = remember("tlog", () => scanTlog(this.#window, dialect));
    this.#source = source;
    this.#frame = content.scout.frame();
    this.duration_s = this.#frame.to_s - this.#frame.from_s;
    this.start_utc_ms = content.frames === 0 ? null : this.#frame.from_s * 1000;
    const vehicle = mainVehicle(content.streams);
    this.#topics = new Map(
      content.streams
        .map((stream) => topicOf(stream, vehicle))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map((topic) => [topic.name, topic]),
    );
    const remarks: string[] = [];
    if (this.#frame.wild > 0) remarks.push(wildNote(this.#frame.wild));
    for (const [id, count] of content.unknown) remarks.push(`${count} frames of the unknown message ${id}`);
    this.completeness = completeness(content.frames === 0, content.truncated, content.damage.notes, remarks);
    this.topics = [...this.#topics.values()].map(({ name, stream, numbers, texts }) => ({
      name,
      type: stream.message.name,
      count: stream.offsets.length,
      fields: [
        ...numbers.map(({ path, unit }) => ({ path, numeric: true, unit })),
        ...texts.map((field) => ({ path: field.name, numeric: false, unit: "" })),
      ],
    }));
    this.messages = statusTexts(this);
    this.parameters = parametersOf(this, this.#texts("PARAM_VALUE", "param_id"));
    this.start_boot_ms = this.#bootAtStart();
    const type = vehicle === null ? "" : `system ${vehicle >> 8}, component ${vehicle & 255}`;
    this.meta = { vehicle: type, frames: String(content.frames) };
  }

  /** The vehicle's boot clock at the first record, from the first message that carries both. */
  #bootAtStart(): number | null {
    for (const name of ["ATTITUDE", "LOCAL_POSITION_NED", "GLOBAL_POSITION_INT", "SYSTEM_TIME"]) {
      const boot = this.column(name, "time_boot_ms");
      const [t_s] = boot?.t_s ?? [];
      const [boot_ms] = boot?.values ?? [];
      if (t_s !== undefined && boot_ms !== undefined) return boot_ms - t_s * 1000;
    }
    return null;
  }

  #axis(name: string, topic: Topic): TimeAxis {
    return this.#axes.get(name, () => new TimeAxis(this.#times(topic), 0, this.duration_s));
  }

  column(topicName: string, field: string): Column | null {
    const topic = this.#topics.get(topicName);
    const path = normalPath(field);
    const number = topic?.numbers.find((n) => n.path === path);
    if (!topic || !number) return null;
    const offsets = topic.stream.offsets.values;
    const values = this.#columns.get(topicName, path, topic.numbers, offsets.length, (fields) =>
      readTrimmedColumns(this.#window, offsets, fields),
    );
    const axis = this.#axis(topicName, topic);
    return values && { t_s: axis.t_s, values: axis.pick(values), unit: number.unit };
  }

  /** One text field of every record. */
  #texts(topicName: string, field: string): string[] {
    const topic = this.#topics.get(topicName);
    const text = topic?.texts.find(({ name }) => name === field);
    if (!topic || !text) return [];
    return Array.from(topic.stream.offsets.values, (frame) => readText(this.#window, frame, text));
  }

  #times(topic: Topic): Float64Array {
    const utc_s = topic.stream.times.values;
    const out = new Float64Array(utc_s.length);
    for (let i = 0; i < out.length; i++) out[i] = (utc_s[i] as number) - this.#frame.from_s;
    return out;
  }

  *records(topicName: string): Iterable<LogRecord> {
    const topic = this.#topics.get(topicName);
    if (!topic) return;
    const times = this.#times(topic);
    for (let i = 0; i < times.length; i++) yield { at_s: times[i] as number, value: this.#value(topic, i) };
  }

  message(name: string, at_s: number): LogMessage | null {
    const topic = this.#topics.get(name);
    return topic ? newest(this.#axis(name, topic), at_s, (i) => this.#value(topic, i)) : null;
  }

  #value(topic: Topic, i: number): Record<string, unknown> {
    const frame = topic.stream.offsets.values[i] as number;
    const value: Record<string, unknown> = {};
    for (const field of topic.numbers) value[field.path] = readTrimmed(this.#window, frame, field);
    for (const field of topic.texts) value[field.name] = readText(this.#window, frame, field);
    return value;
  }

  image(): null {
    return null;
  }

  close(): void {
    this.#source.close();
  }
}

function topicOf(stream: TlogStream, vehicle: number | null): Topic {
  const { message, system, component } = stream;
  const own = (system << 8) | component;
  return {
    name: own === vehicle ? message.name : `${message.name}@${system}/${component}`,
    stream,
    numbers: structFields(message),
    texts: textFields(message),
  };
}

/** The autopilot with most frames, as system * 256 + component; ground stations and companions do not count. */
function mainVehicle(streams: readonly TlogStream[]): number | null {
  const frames = new Map<number, number>();
  for (const { system, component, offsets } of streams) {
    const id = (system << 8) | component;
    frames.set(id, (frames.get(id) ?? 0) + offsets.length);
  }
  const ranked = [...frames].sort(
    ([a, x], [b, y]) => Number((b & 255) === 1) - Number((a & 255) === 1) || y - x,
  );
  return ranked[0]?.[0] ?? null;
}
