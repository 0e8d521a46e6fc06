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
import { type TimeFrame, wildNote } from "../time-frame";
import { type DataflashTopic, scanDataflash } from "./scan";

/** An ArduPilot onboard log. */
export class DataflashLog implements LogReader {
  readonly kind = "dataflash";
  readonly format = "ArduPilot DataFlash log";
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters: readonly Parameter[];
  readonly messages: readonly ReviewMessage[];
  readonly image_topics = [];
  readonly #source: ByteSource;
  readonly #window: Window;
  readonly #frame: TimeFrame;
  readonly #topics: ReadonlyMap<string, DataflashTopic>;
  readonly #axes = new AxisCache();
  readonly #columns = new ColumnCache();

  constructor(source: ByteSource, remember: Remember = forgetful) {
    this.#window = new Window(source);
    const content = remember("dataflash", () => scanDataflash(this.#window));
    this.#source = source;
    this.#frame = content.scout.frame();
    this.duration_s = this.#frame.to_s - this.#frame.from_s;
    this.start_boot_ms = this.#frame.from_s * 1000;
    this.#topics = new Map(
      content.topics.map((topic) => [topicName(topic), topic] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
    this.topics = [...this.#topics].map(([name, { format, offsets }]) => {
      const units = content.units.get(format.type);
      return {
        name,
        type: format.name,
        count: offsets.length,
        fields: [
          ...format.numbers.map(({ path }) => ({ path, numeric: true, unit: units?.get(path) ?? "" })),
          ...format.texts.map(({ path }) => ({ path, numeric: false, unit: "" })),
        ],
      };
    });
    this.messages = [...this.records("MSG")].map(({ at_s, value }) => {
      const text = String((value as Record<string, unknown>)["Message"]);
      return {
        at_s,
        severity: /prearm|arm:|fail|error/i.test(text) ? "warning" : "info",
        source: "vehicle",
        text,
      };
    });
    this.parameters = this.#parameters();
    this.start_utc_ms = this.#startUtc();
    this.meta = { firmware: this.messages[0]?.text ?? "" };
    const remarks = this.#frame.wild > 0 ? [wildNote(this.#frame.wild)] : [];
    this.completeness = completeness(content.records === 0, content.truncated, content.damage.notes, remarks);
  }

  #parameters(): Parameter[] {
    const found = new Map<
      string,
      { name: string; value: number; changes: { at_s: number; value: number }[] }
    >();
    for (const { at_s, value: row } of this.records("PARM")) {
      const { Name, Value } = row as { Name: string; Value: number };
      const known = found.get(Name);
      if (!known) found.set(Name, { name: Name, value: Value, changes: [] });
      else if ((known.changes.at(-1)?.value ?? known.value) !== Value)
        known.changes.push({ at_s, value: Value });
    }
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** GPS weeks count from 6 January 1980; GPS time is 18 s ahead of UTC since 2017. */
  #startUtc(): number | null {
    const [week, ms] = [this.column("GPS", "GWk"), this.column("GPS", "GMS")];
    const i = week?.values.findIndex((v) => v > 1000) ?? -1;
    if (!week || !ms || i < 0) return null;
    const gps_ms = (week.values[i] as number) * 604_800_000 + (ms.values[i] as number);
    return 315_964_800_000 + gps_ms - 18_000 - (week.t_s[i] as number) * 1000;
  }

  #times(topic: DataflashTopic): Float64Array {
    const { offsets, format } = topic;
    const { time_offset: offset } = format;
    if (offset < 0) return new Float64Array(offsets.length);
    const stamp = { path: "TimeUS", kind: "u64", offset, scale: 1e-6, unit: "s" } as const;
    const times = readColumns(this.#window, offsets.values, [stamp], offset + 8)[0] ?? new Float64Array();
    for (let i = 0; i < times.length; i++) times[i] = (times[i] as number) - this.#frame.from_s;
    return times;
  }

  #axis(name: string, topic: DataflashTopic): TimeAxis {
    return this.#axes.get(name, () => new TimeAxis(this.#times(topic), -1e-9, this.duration_s + 1e-9));
  }

  column(name: string, field: string): Column | null {
    const topic = this.#topics.get(name);
    const path = normalPath(field);
    if (!topic) return null;
    const { numbers, length } = topic.format;
    const offsets = topic.offsets.values;
    const values = this.#columns.get(name, path, numbers, offsets.length, (fields) =>
      readColumns(this.#window, offsets, fields, length - 3),
    );
    const axis = this.#axis(name, topic);
    const unit = this.topics.find((t) => t.name === name)?.fields.find((f) => f.path === path)?.unit ?? "";
    return values && { t_s: axis.t_s, values: axis.pick(values), unit };
  }

  *records(name: string): Iterable<LogRecord> {
    const topic = this.#topics.get(name);
    if (!topic) return;
    const times = this.#times(topic);
    for (let i = 0; i < times.length; i++) {
      const value = this.#value(topic, i);
      if (value) yield { at_s: Math.min(this.duration_s, Math.max(0, times[i] as number)), value };
    }
  }

  message(name: string, at_s: number): LogMessage | null {
    const topic = this.#topics.get(name);
    return topic ? newest(this.#axis(name, topic), at_s, (i) => this.#value(topic, i)) : null;
  }

  #value(topic: DataflashTopic, i: number): Record<string, unknown> | null {
    const { numbers, texts, length } = topic.format;
    const offset = topic.offsets.values[i] as number;
    if (!this.#window.load(offset, length - 3)) return null;
    const start = offset - this.#window.base;
    const value: Record<string, unknown> = {};
    for (const n of numbers)
      value[n.path] = readScalar(this.#window.view, start + n.offset, n.kind) * n.scale;
    for (const t of texts) {
      const bytes = this.#window.bytes.subarray(start + t.offset, start + t.offset + t.length);
      value[t.path] = Buffer.from(bytes).toString("latin1").replace(/\0.*$/s, "");
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

const topicName = ({ format, instance }: DataflashTopic): string =>
  instance === 0 ? format.name : `${format.name}[${instance}]`;
