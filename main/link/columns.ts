import { messageById } from "./codec";
import { frameCrc } from "./crc";
import { STX_V1, STX_V2 } from "./frame";
import type { FieldDef, MessageDef } from "./message";

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
  const starts = plan.starts.subarray(0, rows);
  const time_us = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const at = (starts[row] as number) - STAMP;
    time_us[row] = view.getUint32(at) * 4_294_967_296 + view.getUint32(at + 4);
  }
  const packed = packPayloads(def, starts, bytes);
  const columns = def.fields
    .filter((field) => field.alias === undefined)
    .map((field) => fillColumn(field, packed, rows, def.full_length));
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

/** Payloads one behind the other at full length; what was trimmed stays zero. */
function packPayloads(def: MessageDef, starts: Uint32Array, bytes: Uint8Array): DataView {
  const stride = def.full_length;
  const packed = new Uint8Array(starts.length * stride);
  for (let row = 0; row < starts.length; row++) {
    const start = starts[row] as number;
    const from = start + (bytes[start] === STX_V2 ? 10 : 6);
    const length = Math.min(bytes[start + 1] as number, stride);
    const to = row * stride;
    for (let i = 0; i < length; i++) packed[to + i] = bytes[from + i] as number;
  }
  return new DataView(packed.buffer);
}

function fillColumn(field: FieldDef, packed: DataView, rows: number, stride: number): Column {
  const width = Math.max(1, field.length);
  const n = rows * width;
  const fill = <T extends NumberArray>(
    values: T,
    size: number,
    read: (at: number, i: number) => void,
  ): Column => {
    let i = 0;
    for (let row = 0; row < rows; row++) {
      let at = row * stride + field.offset;
      for (let k = 0; k < width; k++, at += size) read(at, i++);
    }
    return { name: field.name, width, values };
  };
  switch (field.type) {
    case "float": {
      const values = new Float32Array(n);
      return fill(values, 4, (at, i) => (values[i] = packed.getFloat32(at, true)));
    }
    case "double": {
      const values = new Float64Array(n);
      return fill(values, 8, (at, i) => (values[i] = packed.getFloat64(at, true)));
    }
    case "uint8_t":
    case "char": {
      const values = new Uint8Array(n);
      return fill(values, 1, (at, i) => (values[i] = packed.getUint8(at)));
    }
    case "int8_t": {
      const values = new Int8Array(n);
      return fill(values, 1, (at, i) => (values[i] = packed.getInt8(at)));
    }
    case "uint16_t": {
      const values = new Uint16Array(n);
      return fill(values, 2, (at, i) => (values[i] = packed.getUint16(at, true)));
    }
    case "int16_t": {
      const values = new Int16Array(n);
      return fill(values, 2, (at, i) => (values[i] = packed.getInt16(at, true)));
    }
    case "uint32_t": {
      const values = new Uint32Array(n);
      return fill(values, 4, (at, i) => (values[i] = packed.getUint32(at, true)));
    }
    case "int32_t": {
      const values = new Int32Array(n);
      return fill(values, 4, (at, i) => (values[i] = packed.getInt32(at, true)));
    }
    case "uint64_t": {
      const values = new BigUint64Array(n);
      return fill(values, 8, (at, i) => (values[i] = packed.getBigUint64(at, true)));
    }
    case "int64_t": {
      const values = new BigInt64Array(n);
      return fill(values, 8, (at, i) => (values[i] = packed.getBigInt64(at, true)));
    }
  }
}
