import type { Window } from "./source";

/** How one number is stored. All formats read here are little-endian. */
export type Scalar = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64";

export const scalarBytes: Readonly<Record<Scalar, number>> = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  i64: 8,
  u64: 8,
  f16: 2,
  f32: 4,
  f64: 8,
};

/** One number of a fixed-layout record. `scale` turns the stored number into `unit`. */
export interface StructField {
  readonly path: string;
  readonly kind: Scalar;
  /** Bytes from the start of the record's payload. */
  readonly offset: number;
  readonly scale: number;
  readonly unit: string;
}

const TWO32 = 4294967296;

export function readScalar(view: DataView, at: number, kind: Scalar): number {
  switch (kind) {
    case "f32":
      return view.getFloat32(at, true);
    case "u8":
      return view.getUint8(at);
    case "u64":
      return view.getUint32(at + 4, true) * TWO32 + view.getUint32(at, true);
    case "i32":
      return view.getInt32(at, true);
    case "u32":
      return view.getUint32(at, true);
    case "f64":
      return view.getFloat64(at, true);
    case "i16":
      return view.getInt16(at, true);
    case "u16":
      return view.getUint16(at, true);
    case "i8":
      return view.getInt8(at);
    case "f16":
      return halfFloat(view.getUint16(at, true));
    case "i64":
      return view.getInt32(at + 4, true) * TWO32 + view.getUint32(at, true);
  }
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** File offsets of a topic's records. 32 bits each where the file allows, because there may be tens of millions. */
export class OffsetList {
  #values: Uint32Array | Float64Array;
  length = 0;

  constructor(file_bytes: number, capacity = 64) {
    this.#values = file_bytes < TWO32 ? new Uint32Array(capacity) : new Float64Array(capacity);
  }
  /** One that holds these already. */
  static of(values: Uint32Array | Float64Array): OffsetList {
    const list = new OffsetList(values instanceof Uint32Array ? 0 : Number.POSITIVE_INFINITY, 1);
    list.#values = values;
    list.length = values.length;
    return list;
  }
  push(offset: number): void {
    if (this.length === this.#values.length) {
      const wider = this.#values;
      this.#values =
        wider instanceof Uint32Array ? new Uint32Array(this.length * 2) : new Float64Array(this.length * 2);
      this.#values.set(wider);
    }
    this.#values[this.length++] = offset;
  }
  get values(): Uint32Array | Float64Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Records decoded together, field by field: few enough to stay in the processor's cache meanwhile. */
export const BLOCK = 32;

/** Where the records of the block in work begin inside the window: small integers, unlike offsets in a large file. */
const blockStarts = new Int32Array(BLOCK);

// The loops take what they need as parameters, which the compiler keeps in registers; captured variables it reads anew.

interface Four {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array;
  readonly d: Float64Array;
}

function readFour(
  view: DataView,
  starts: Int32Array,
  count: number,
  shift: number,
  four: Four,
  from: number,
): void {
  const { a, b, c, d } = four;
  for (let k = 0; k < count; k++) {
    const at = (starts[k] as number) + shift;
    a[from + k] = view.getFloat32(at, true);
    b[from + k] = view.getFloat32(at + 4, true);
    c[from + k] = view.getFloat32(at + 8, true);
    d[from + k] = view.getFloat32(at + 12, true);
  }
}

function readOne(
  view: DataView,
  starts: Int32Array,
  count: number,
  { offset, kind }: StructField,
  out: Float64Array,
  from: number,
): void {
  if (kind === "f32") {
    for (let k = 0; k < count; k++) out[from + k] = view.getFloat32((starts[k] as number) + offset, true);
  } else if (kind === "u64") {
    for (let k = 0; k < count; k++) {
      const at = (starts[k] as number) + offset;
      out[from + k] = view.getUint32(at + 4, true) * TWO32 + view.getUint32(at, true);
    }
  } else if (kind === "u8") {
    for (let k = 0; k < count; k++) out[from + k] = view.getUint8((starts[k] as number) + offset);
  } else if (kind === "i16") {
    for (let k = 0; k < count; k++) out[from + k] = view.getInt16((starts[k] as number) + offset, true);
  } else if (kind === "u16") {
    for (let k = 0; k < count; k++) out[from + k] = view.getUint16((starts[k] as number) + offset, true);
  } else if (kind === "i32") {
    for (let k = 0; k < count; k++) out[from + k] = view.getInt32((starts[k] as number) + offset, true);
  } else if (kind === "u32") {
    for (let k = 0; k < count; k++) out[from + k] = view.getUint32((starts[k] as number) + offset, true);
  } else {
    for (let k = 0; k < count; k++) out[from + k] = readScalar(view, (starts[k] as number) + offset, kind);
  }
}

/** One field, or four floats side by side; `end` is where they end within the record. */
export interface Run {
  readonly field: StructField;
  readonly end: number;
  readonly one: Float64Array;
  readonly four: Four | null;
}

/** Four neighbouring floats are read in one go: they then share the loop's own cost. */
export function runsOf(fields: readonly StructField[], out: readonly Float64Array[]): Run[] {
  const runs: Run[] = [];
  for (let f = 0; f < fields.length; f++) {
    const field = fields[f] as StructField;
    const [one, b, c, d] = out.slice(f, f + 4) as [Float64Array, ...(Float64Array | undefined)[]];
    const together = [1, 2, 3].every((k) => {
      const next = fields[f + k];
      return field.kind === "f32" && next?.kind === "f32" && next.offset === field.offset + k * 4;
    });
    const four = together && b && c && d ? { a: one, b, c, d } : null;
    runs.push({ field, end: field.offset + (four ? 16 : scalarBytes[field.kind]), one, four });
    if (four) f += 3;
  }
  return runs;
}

/** The fields of `count` records that begin at `starts`, into their columns from `from` on. */
function readBlock(
  view: DataView,
  starts: Int32Array,
  count: number,
  runs: readonly Run[],
  from: number,
): void {
  for (let r = 0; r < runs.length; r++) readRun(view, starts, count, runs[r] as Run, from);
}

export function readRun(view: DataView, starts: Int32Array, count: number, run: Run, from: number): void {
  const { field, one, four } = run;
  if (four) readFour(view, starts, count, field.offset, four, from);
  else readOne(view, starts, count, field, one, from);
}

/**
 * Some fields of every record: the inner loop of all plots. `offsets` ascend, so the window slides through the file
 * once; `record_bytes` is what must be readable of each record.
 */
export function readColumns(
  window: Window,
  offsets: Uint32Array | Float64Array,
  fields: readonly StructField[],
  record_bytes: number,
): Float64Array[] {
  const out = fields.map(() => new Float64Array(offsets.length));
  const runs = runsOf(fields, out);
  const starts = blockStarts;
  for (let from = 0; from < offsets.length; ) {
    const first = offsets[from] as number;
    if (!window.load(first, record_bytes)) {
      for (const column of out) column[from] = Number.NaN;
      from += 1;
      continue;
    }
    const { view, base, end } = window;
    const stop = Math.min(offsets.length, from + BLOCK);
    let count = 0;
    for (let i = from; i < stop; i++) {
      const start = (offsets[i] as number) - base;
      if (start + record_bytes > end - base) break;
      starts[count++] = start;
    }
    readBlock(view, starts, count, runs, from);
    from += count;
  }
  for (let f = 0; f < fields.length; f++) {
    const { scale } = fields[f] as StructField;
    const column = out[f] as Float64Array;
    if (scale !== 1) for (let i = 0; i < column.length; i++) column[i] = (column[i] as number) * scale;
  }
  return out;
}

/** All columns of a topic are decoded together up to this size; a field of a larger topic is decoded alone. */
const TOGETHER_BYTES = 40 * 1024 * 1024;
const KEPT_BYTES = 128 * 1024 * 1024;

/** Columns decoded so far, whole topics where they are small, bounded in bytes; the least recently used go first. */
export class ColumnCache {
  readonly #kept = new Map<string, Map<string, Float64Array>>();
  #bytes = 0;

  /**
   * `decode` is asked for the fields that are needed, in their order. `with_path` (the topic's time) is decoded in the
   * same pass, because it is wanted next.
   */
  get(
    topic: string,
    path: string,
    fields: readonly StructField[],
    count: number,
    decode: (fields: readonly StructField[]) => readonly Float64Array[],
    with_path = path,
  ): Float64Array | null {
    const known = this.#kept.get(topic);
    const held = known?.get(path);
    if (known) {
      this.#kept.delete(topic);
      this.#kept.set(topic, known);
    }
    if (held) return held;
    const together = fields.length * count * 8 <= TOGETHER_BYTES;
    const isWanted = (name: string): boolean => name === path || (name === with_path && !known?.has(name));
    const wanted = together ? fields : fields.filter((field) => isWanted(field.path));
    if (!wanted.some((field) => field.path === path)) return null;
    const columns = known ?? new Map<string, Float64Array>();
    for (const [f, column] of decode(wanted).entries()) {
      columns.set(wanted[f]?.path ?? "", column);
      this.#bytes += column.byteLength;
    }
    this.#kept.set(topic, columns);
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#kept.delete(oldest);
      for (const column of old.values()) this.#bytes -= column.byteLength;
    }
    return columns.get(path) ?? null;
  }
}
