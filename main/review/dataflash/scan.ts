import { DamageReport } from "../damage";
import type { Window } from "../source";
import { OffsetList, readScalar } from "../struct-column";
import { TimeScout } from "../time-frame";
import { type DataflashFormat, FMT_LENGTH, FMT_TYPE, parseFormat, RECORD_HEAD, unitLabel } from "./format";

const MAGIC_1 = 0xa3;
const MAGIC_2 = 0x95;
/** Where a format has no instance field. */
const ALONE = -1;

/** Records of one message type and instance. Offsets point behind magic and type. */
export interface DataflashTopic {
  readonly format: DataflashFormat;
  readonly instance: number;
  readonly offsets: OffsetList;
}

export interface DataflashContent {
  readonly topics: readonly DataflashTopic[];
  /** Units by format type and field. */
  readonly units: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly scout: TimeScout;
  readonly damage: DamageReport;
  readonly truncated: string | null;
  readonly records: number;
}

export function isDataflash(head: Uint8Array): boolean {
  for (let at = 0; at + RECORD_HEAD <= Math.min(head.length, 512); at++)
    if (head[at] === MAGIC_1 && head[at + 1] === MAGIC_2 && head[at + 2] === FMT_TYPE) return true;
  return false;
}

/** Indexes an ArduPilot onboard log. After damage the next record of a known type that another one follows goes on. */
export function scanDataflash(window: Window): DataflashContent {
  const { size } = window;
  const formats: (DataflashFormat | undefined)[] = [];
  const topics = new Map<number, DataflashTopic>();
  const instanceOffset = new Map<number, number>();
  const units = new UnitTable();
  const scout = new TimeScout();
  const damage = new DamageReport();
  let truncated: string | null = null;
  let records = 0;
  let at = 0;
  let bad_from = -1;

  const lengthOf = (type: number): number => (type === FMT_TYPE ? FMT_LENGTH : (formats[type]?.length ?? 0));
  /** Whether a known record, or the end of the file, is at `offset`. */
  const begins = (offset: number): boolean => {
    if (offset === size) return true;
    if (!window.load(offset, RECORD_HEAD)) return false;
    const i = offset - window.base;
    const { bytes } = window;
    return bytes[i] === MAGIC_1 && bytes[i + 1] === MAGIC_2 && lengthOf(bytes[i + 2] as number) > 0;
  };

  while (at < size) {
    if (!window.load(at, RECORD_HEAD)) {
      if (bad_from < 0) truncated = `cut at byte ${size}, in the middle of a record that began at byte ${at}`;
      break;
    }
    const i = at - window.base;
    const { bytes } = window;
    const type = bytes[i + 2] as number;
    const length = bytes[i] === MAGIC_1 && bytes[i + 1] === MAGIC_2 ? lengthOf(type) : 0;
    if (length > 0 && at + length > size && bad_from < 0) {
      truncated = `cut at byte ${size}, in the middle of the ${formats[type]?.name ?? "FMT"} record that began at byte ${at}`;
      break;
    }
    if (length === 0 || at + length > size || (bad_from >= 0 && !begins(at + length))) {
      if (bad_from < 0) bad_from = at;
      at += 1;
      continue;
    }
    if (bad_from >= 0) {
      damage.skipped(bad_from, at);
      bad_from = -1;
    }
    window.load(at, length);
    const start = at + RECORD_HEAD - window.base;
    if (type === FMT_TYPE) {
      const format = parseFormat(window.bytes.subarray(start, start + FMT_LENGTH - RECORD_HEAD));
      if (format) formats[format.type] ??= format;
      else damage.note(`the format record at byte ${at} contradicts itself; its messages are left out`);
    }
    const format = formats[type];
    if (format) {
      units.learn(format, window.view, window.bytes, start, instanceOffset, formats);
      const shift = instanceOffset.get(type) ?? ALONE;
      const instance = shift === ALONE ? 0 : (window.bytes[start + shift] as number);
      const key = type * 256 + instance;
      let topic = topics.get(key);
      if (!topic) {
        topic = { format, instance, offsets: new OffsetList(size) };
        topics.set(key, topic);
      }
      topic.offsets.push(at + RECORD_HEAD);
      if (format.time_offset >= 0)
        scout.add(readScalar(window.view, start + format.time_offset, "u64") / 1e6);
      records += 1;
    }
    at += length;
  }
  if (bad_from >= 0) {
    if (size - bad_from < 256)
      truncated = `cut at byte ${size}: the last ${size - bad_from} bytes are no record`;
    else damage.skipped(bad_from, size);
  }
  return { topics: [...topics.values()], units: units.byType, scout, damage, truncated, records };
}

/** UNIT, MULT and FMTU records: which field is in which unit, and which one numbers the instance (unit "#"). */
class UnitTable {
  readonly #units = new Map<string, string>();
  readonly #multipliers = new Map<string, number>();
  readonly byType = new Map<number, Map<string, string>>();

  learn(
    format: DataflashFormat,
    view: DataView,
    bytes: Uint8Array,
    start: number,
    instanceOffset: Map<number, number>,
    formats: readonly (DataflashFormat | undefined)[],
  ): void {
    const number = (label: string): number => {
      const field = format.numbers.find(({ path }) => path === label);
      return field ? readScalar(view, start + field.offset, field.kind) : Number.NaN;
    };
    const text = (label: string): string => {
      const field = format.texts.find(({ path }) => path === label);
      if (!field) return "";
      const from = start + field.offset;
      return Buffer.from(bytes.subarray(from, from + field.length))
        .toString("latin1")
        .replace(/\0.*$/s, "");
    };
    if (format.name === "UNIT") this.#units.set(String.fromCharCode(number("Id")), text("Label"));
    if (format.name === "MULT") this.#multipliers.set(String.fromCharCode(number("Id")), number("Mult"));
    if (format.name !== "FMTU") return;
    const about = formats[number("FmtType")];
    if (!about) return;
    const labels = new Map<string, string>();
    const multIds = text("MultIds");
    for (const [i, id] of Array.from(text("UnitIds")).entries()) {
      const path = about.labels[i] ?? "";
      const field = about.numbers.find((n) => n.path === path);
      if (id === "#" && field && (field.kind === "u8" || field.kind === "i8"))
        instanceOffset.set(about.type, field.offset);
      const multiplier = this.#multipliers.get(multIds[i] ?? "-") ?? 1;
      labels.set(path, unitLabel(this.#units.get(id) ?? "", multiplier, about.letters[i] ?? ""));
    }
    this.byType.set(about.type, labels);
  }
}
