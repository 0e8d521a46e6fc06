import { messageById } from "./codec";
import { frameCrc } from "./crc";
import { STX_V1, STX_V2 } from "./frame";
import { type FieldDef, type MessageDef, scalarSize } from "./message";

type NumberArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** One field of every message of a kind: `width` values per row (arrays have more than one). Texts are their bytes. */
export interface Column {
  readonly name: string;
  readonly width: number;
  readonly values: NumberArray;
}

/** All messages of one kind from one component, row by row in the order of the recording. */
export interface Table {
  readonly name: string;
  readonly id: number;
  readonly system_id: number;
  readonly component_id: number;
  readonly rows: number;
  /** Microseconds of the record's own time stamp. */
  readonly time_us: Float64Array;
  readonly columns: readonly Column[];
}

export interface TlogColumns {
  readonly tables: readonly Table[];
  readonly frames: number;
  readonly unknown_frames: number;
  readonly skipped_bytes: number;
}

interface Plan {
  readonly def: MessageDef;
  readonly key: number;
  rows: number;
  /** Per row: where its frame begins in the recording. */
  starts: Uint32Array;
}

const STAMP = 8;

/**
 * Decodes a telemetry log into typed arrays: one pass that finds and checks the frames, then one per field that only copies
 * numbers. Nothing is created per message, so memory is the numbers themselves.
 */
export function tlogToColumns(bytes: Uint8Array): TlogColumns {
  const plans = new Map<number, Plan>();
  const size = bytes.length;
  let frames = 0;
  let unknown = 0;
  let skipped = 0;
  let at = 0;
  let last: Plan | undefined;
  while (at + STAMP + 8 <= size) {
    const start = at + STAMP;
    const v2 = bytes[start] === STX_V2;
    if (!v2 && bytes[start] !== STX_V1) {
      at++;
      skipped++;
      continue;
    }
    const length = bytes[start + 1] as number;
    const crc_at = start + (v2 ? 10 : 6) + length;
    const end = crc_at + 2 + (v2 && ((bytes[start + 2] as number) & 1) !== 0 ? 13 : 0);
    if (end > size) {
      at++;
      skipped++;
      continue;
    }
    const id = v2
      ? (bytes[start + 7] as number) |
        ((bytes[start + 8] as number) << 8) |
        ((bytes[start + 9] as number) << 16)
      : (bytes[start + 5] as number);
    const from = v2
      ? ((bytes[start + 5] as number) << 8) | (bytes[start + 6] as number)
      : ((bytes[start + 3] as number) << 8) | (bytes[start + 4] as number);
    const key = id * 65_536 + from;
    let plan = last?.key === key ? last : plans.get(key);
    const def = plan?.def ?? messageById(id);
    if (def === undefined) {
      if (isBoundary(bytes, end)) {
        unknown++;
        at = end;
      } else {
        at++;
        skipped++;
      }
      continue;
    }
    const crc = frameCrc(bytes, start + 1, crc_at, def.crc_extra);
    if (bytes[crc_at] !== (crc & 0xff) || bytes[crc_at + 1] !== crc >> 8) {
      at++;
      skipped++;
      continue;
    }
    if (plan === undefined) {
      plan = { def, key, rows: 0, starts: new Uint32Array(64) };
      plans.set(key, plan);
    }
    last = plan;
    if (plan.rows === plan.starts.length) {
      const grown = new Uint32Array(plan.rows * 2);
      grown.set(plan.starts);
      plan.starts = grown;
    }
    plan.starts[plan.rows++] = start;
    frames++;
    at = end;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = [...plans.values()].map((plan) => fillTable(plan, bytes, view));
  return { tables, frames, unknown_frames: unknown, skipped_bytes: skipped + (size - at) };
}

function isBoundary(bytes: Uint8Array, end: number): boolean {
  const next = bytes[end + STAMP];
  return end === bytes.length || next === STX_V2 || next === STX_V1;
}

function fillTable(plan: Plan, bytes: Uint8Array, view: DataView): Table {
  const { def, rows } = plan;
  const time_us = new Float64Array(rows);
  /** Where each payload begins, and how much of it was sent. */
  const starts = plan.starts.subarray(0, rows);
  const lengths = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) {
    const start = starts[row] as number;
    time_us[row] = view.getUint32(start - STAMP) * 4_294_967_296 + view.getUint32(start - STAMP + 4);
    lengths[row] = bytes[start + 1] as number;
    starts[row] = start + (bytes[start] === STX_V2 ? 10 : 6);
  }
  const columns = def.fields
    .filter((field) => field.alias === undefined)
    .map((field) => fillColumn(field, { view, starts, lengths }));
  return {
    name: def.name,
    id: def.id,
    system_id: (plan.key >> 8) & 0xff,
    component_id: plan.key & 0xff,
    rows,
    time_us,
    columns,
  };
}

interface Rows {
  readonly view: DataView;
  readonly starts: Uint32Array;
  readonly lengths: Uint8Array;
}

/** Copies the field's bytes out of every row, whatever they mean, and then names them by their type. */
function fillColumn(field: FieldDef, rows: Rows): Column {
  const width = Math.max(1, field.length);
  const size = scalarSize[field.type];
  const column = new ArrayBuffer(rows.starts.length * width * size);
  if (size >= 4) gather32(rows, new Uint32Array(column), field.offset, (width * size) / 4);
  else if (size === 2) gather16(rows, new Uint16Array(column), field.offset, width);
  else gather8(rows, new Uint8Array(column), field.offset, width);
  return { name: field.name, width, values: new arrays[field.type](column) };
}

/** Little-endian machines only, which is every machine that Node and Electron are built for. */
const arrays = {
  float: Float32Array,
  double: Float64Array,
  uint8_t: Uint8Array,
  char: Uint8Array,
  int8_t: Int8Array,
  uint16_t: Uint16Array,
  int16_t: Int16Array,
  uint32_t: Uint32Array,
  int32_t: Int32Array,
  uint64_t: BigUint64Array,
  int64_t: BigInt64Array,
} as const;

/* One loop per size keeps each monomorphic. What was trimmed off is zero, and so are fresh arrays. */

function gather32({ view, starts, lengths }: Rows, to: Uint32Array, offset: number, n: number): void {
  if (n === 1) {
    const end = offset + 4;
    for (let row = 0; row < starts.length; row++) {
      const start = (starts[row] as number) + offset;
      const length = lengths[row] as number;
      to[row] = end <= length ? view.getUint32(start, true) : partial(view, start, length - offset);
    }
    return;
  }
  for (let row = 0, i = 0; row < starts.length; row++) {
    const start = starts[row] as number;
    const length = lengths[row] as number;
    for (let k = 0, at = offset; k < n; k++, at += 4, i++) {
      to[i] = at + 4 <= length ? view.getUint32(start + at, true) : partial(view, start + at, length - at);
    }
  }
}

function gather16({ view, starts, lengths }: Rows, to: Uint16Array, offset: number, n: number): void {
  for (let row = 0, i = 0; row < starts.length; row++) {
    const start = starts[row] as number;
    const length = lengths[row] as number;
    for (let k = 0, at = offset; k < n; k++, at += 2, i++) {
      to[i] = at + 2 <= length ? view.getUint16(start + at, true) : partial(view, start + at, length - at);
    }
  }
}

function gather8({ view, starts, lengths }: Rows, to: Uint8Array, offset: number, n: number): void {
  for (let row = 0, i = 0; row < starts.length; row++) {
    const start = starts[row] as number;
    const length = lengths[row] as number;
    for (let k = 0, at = offset; k < n; k++, at++, i++) to[i] = at < length ? view.getUint8(start + at) : 0;
  }
}

/** A number of which only the first bytes, three at most, were sent. */
function partial(view: DataView, at: number, sent: number): number {
  let value = 0;
  for (let i = 0; i < sent; i++) value |= view.getUint8(at + i) << (8 * i);
  return value;
}
