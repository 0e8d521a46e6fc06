import type { ReviewMessage, ReviewTopic } from "#contract/review";
import type { Picture } from "./images";
import {
  type Column,
  type Completeness,
  type LogImage,
  type LogKind,
  type LogMessage,
  type LogReader,
  type LogRecord,
  newest,
  normalPath,
  TimeAxis,
} from "./reader";

/** Rows that share their times: an episode of a data set. */
export interface Table {
  readonly name: string;
  readonly type: string;
  /** Seconds since the start of the recording, ascending. */
  readonly t_s: Float64Array;
  readonly fields: ReviewTopic["fields"];
  /** One value a row, NaN where it is lost; null when there is no such field. */
  readonly values: (path: string) => Float64Array | null;
}

/** Pictures of one camera, one a row. */
export interface TablePictures {
  readonly topic: string;
  readonly t_s: Float64Array;
  readonly picture: (row: number) => Picture | null;
}

export interface TableLogParts {
  readonly kind: LogKind;
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly tables: readonly Table[];
  readonly pictures: readonly TablePictures[];
  readonly messages: readonly ReviewMessage[];
  readonly meta: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/** Data sets of demonstrations: episodes laid on one timeline, each following the one before. */
export class TableLog implements LogReader {
  readonly kind: LogKind;
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms = null;
  readonly start_boot_ms = null;
  readonly topics: readonly ReviewTopic[];
  readonly meta: Readonly<Record<string, string>>;
  readonly parameters = [];
  readonly messages: readonly ReviewMessage[];
  readonly image_topics: readonly { topic: string; count: number }[];
  readonly #parts: TableLogParts;
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(parts: TableLogParts) {
    this.#parts = parts;
    this.kind = parts.kind;
    this.format = parts.format;
    this.completeness = parts.completeness;
    this.duration_s = parts.duration_s;
    this.messages = parts.messages;
    this.meta = parts.meta;
    this.#tables = new Map(parts.tables.map((table) => [table.name, table]));
    this.topics = parts.tables.map(({ name, type, t_s, fields }) => ({
      name,
      type,
      count: t_s.length,
      fields,
    }));
    this.image_topics = parts.pictures.map(({ topic, t_s }) => ({ topic, count: t_s.length }));
  }

  column(topic: string, field: string): Column | null {
    const table = this.#tables.get(topic);
    const path = normalPath(field);
    const values = table?.values(path);
    const unit = table?.fields.find((f) => f.path === path)?.unit ?? "";
    return table && values ? { t_s: table.t_s, values, unit } : null;
  }

  *records(topic: string): Iterable<LogRecord> {
    const table = this.#tables.get(topic);
    if (!table) return;
    for (let i = 0; i < table.t_s.length; i++) yield { at_s: table.t_s[i] as number, value: row(table, i) };
  }

  message(topic: string, at_s: number): LogMessage | null {
    const table = this.#tables.get(topic);
    if (!table) return null;
    return newest(new TimeAxis(table.t_s, 0, this.duration_s), at_s, (i) => row(table, i));
  }

  image(topic: string, at_s: number): LogImage | null {
    const camera = this.#parts.pictures.find((pictures) => pictures.topic === topic);
    if (!camera) return null;
    const found = newest(new TimeAxis(camera.t_s, 0, this.duration_s), at_s, camera.picture);
    const picture = found?.message as Picture | null | undefined;
    return found && picture ? { at_s: found.at_s, index: found.index, ...picture } : null;
  }

  close(): void {
    this.#parts.close();
  }
}

function row(table: Table, i: number): Record<string, number | undefined> {
  return Object.fromEntries(table.fields.map(({ path }) => [path, table.values(path)?.[i]]));
}
