import { type FieldDef, type Scalar, scalarSize } from "./message";

const TWO_32 = 4294967296;

/** Unsigned 64 bits as a number while that is exact, else as a bigint. */
function readUint64(view: DataView, at: number): number | bigint {
  const high = view.getUint32(at + 4, true);
  return high < 0x200000 ? high * TWO_32 + view.getUint32(at, true) : view.getBigUint64(at, true);
}

function readInt64(view: DataView, at: number): number | bigint {
  const value = view.getBigInt64(at, true);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** As `readScalar`, by the kind's number: the decoder's inner loop. */
export function readKind(kind: number, view: DataView, at: number): number | bigint {
  switch (kind) {
    case 0:
      return view.getFloat32(at, true);
    case 2:
      return view.getInt8(at);
    case 3:
      return view.getUint16(at, true);
    case 4:
      return view.getInt16(at, true);
    case 5:
      return view.getUint32(at, true);
    case 6:
      return view.getInt32(at, true);
    case 7:
      return readUint64(view, at);
    case 8:
      return view.getFloat64(at, true);
    case 9:
      return readInt64(view, at);
    default:
      return view.getUint8(at);
  }
}

function readScalar(type: Scalar, view: DataView, at: number): number | bigint {
  switch (type) {
    case "float":
      return view.getFloat32(at, true);
    case "uint8_t":
    case "char":
      return view.getUint8(at);
    case "int32_t":
      return view.getInt32(at, true);
    case "uint16_t":
      return view.getUint16(at, true);
    case "uint32_t":
      return view.getUint32(at, true);
    case "int16_t":
      return view.getInt16(at, true);
    case "int8_t":
      return view.getInt8(at);
    case "uint64_t":
      return readUint64(view, at);
    case "double":
      return view.getFloat64(at, true);
    case "int64_t":
      return readInt64(view, at);
  }
}

const utf8 = new TextDecoder();

/** Text up to its first NUL; bytes that are not UTF-8 become U+FFFD. */
function readText(view: DataView, at: number, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) {
    const byte = view.getUint8(at + i);
    if (byte === 0) return text;
    if (byte >= 0x80) return readUtf8(view, at, length);
    text += String.fromCharCode(byte);
  }
  return text;
}

function readUtf8(view: DataView, at: number, length: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length);
  const end = bytes.indexOf(0);
  return utf8.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** The values of an array field, or its text. */
export function readMany(field: FieldDef, view: DataView, at: number): unknown {
  if (field.type === "char") return readText(view, at, field.length);
  const size = scalarSize[field.type];
  const values: (number | bigint)[] = [];
  for (let i = 0; i < field.length; i++) values.push(readScalar(field.type, view, at + i * size));
  return values;
}

const integerRange: Readonly<Partial<Record<Scalar, readonly [number, number]>>> = {
  uint8_t: [0, 0xff],
  char: [0, 0xff],
  int8_t: [-0x80, 0x7f],
  uint16_t: [0, 0xffff],
  int16_t: [-0x8000, 0x7fff],
  uint32_t: [0, 0xffffffff],
  int32_t: [-0x80000000, 0x7fffffff],
};
const bigRange: Readonly<Partial<Record<Scalar, readonly [bigint, bigint]>>> = {
  uint64_t: [0n, (1n << 64n) - 1n],
  int64_t: [-(1n << 63n), (1n << 63n) - 1n],
};
const FLOAT_MAX = 3.4028234663852886e38;

function writeBig(type: Scalar, view: DataView, at: number, value: unknown): string | null {
  const range = bigRange[type];
  const whole = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (range === undefined || typeof whole !== "bigint" || whole < range[0] || whole > range[1]) {
    return `${String(value)} does not fit ${type}`;
  }
  if (type === "uint64_t") view.setBigUint64(at, whole, true);
  else view.setBigInt64(at, whole, true);
  return null;
}

/** Writes one value; what does not fit is told, never bent into something that does. NaN is a value of float fields only. */
function writeScalar(type: Scalar, view: DataView, at: number, value: unknown): string | null {
  if (type === "uint64_t" || type === "int64_t") return writeBig(type, view, at, value);
  if (typeof value !== "number") return `${String(value)} is not a number`;
  if (type === "float" || type === "double") {
    if (type === "float" && Math.abs(value) > FLOAT_MAX && Number.isFinite(value)) {
      return `${String(value)} does not fit float`;
    }
    if (type === "float") view.setFloat32(at, value, true);
    else view.setFloat64(at, value, true);
    return null;
  }
  const [min, max] = integerRange[type] ?? [0, -1];
  if (!Number.isInteger(value) || !(value >= min && value <= max)) {
    return `${String(value)} does not fit ${type}`;
  }
  switch (scalarSize[type]) {
    case 1:
      view.setUint8(at, value & 0xff);
      break;
    case 2:
      view.setUint16(at, value & 0xffff, true);
      break;
    default:
      view.setUint32(at, value >>> 0, true);
  }
  return null;
}

function writeText(field: FieldDef, view: DataView, at: number, value: unknown): string | null {
  if (typeof value !== "string") return `${String(value)} is not text`;
  const bytes = new TextEncoder().encode(value);
  if (bytes.length > field.length) {
    return `text of ${String(bytes.length)} bytes does not fit char[${String(field.length)}]`;
  }
  bytes.forEach((byte, i) => {
    view.setUint8(at + i, byte);
  });
  return null;
}

/** Null, or what is wrong with the value. Shorter arrays are refused too: a missing element is not a zero. */
export function writeField(field: FieldDef, view: DataView, at: number, value: unknown): string | null {
  if (field.length === 0) return writeScalar(field.type, view, at, value);
  if (field.type === "char") return writeText(field, view, at, value);
  const values: unknown = value instanceof Uint8Array ? [...value] : value;
  if (!Array.isArray(values) || values.length !== field.length) {
    return `needs ${String(field.length)} values`;
  }
  const size = scalarSize[field.type];
  for (const [i, element] of values.entries()) {
    const problem = writeScalar(field.type, view, at + i * size, element);
    if (problem !== null) return problem;
  }
  return null;
}
