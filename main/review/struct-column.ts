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

/**
 * One field of every record: the inner loop of all plots. `offsets` ascend, so the window slides through the file once.
 */
export function readColumn(
  window: Window,
  offsets: Uint32Array | Float64Array,
  field: StructField,
): Float64Array {
  const { kind, scale } = field;
  const shift = field.offset;
  const width = scalarBytes[kind];
  const out = new Float64Array(offsets.length);
  let { view, base, end } = window;
  for (let i = 0; i < offsets.length; i++) {
    const offset = (offsets[i] as number) + shift;
    if (offset < base || offset + width > end) {
      if (!window.load(offset, width)) {
        out[i] = Number.NaN;
        continue;
      }
      ({ view, base, end } = window);
    }
    out[i] = readScalar(view, offset - base, kind);
  }
  if (scale !== 1) for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) * scale;
  return out;
}
