import type { Window } from "../source";
import {
  BLOCK,
  type Run,
  readRun,
  readScalar,
  runsOf,
  type Scalar,
  type StructField,
  scalarBytes,
} from "../struct-column";
import type { MavlinkField, MavlinkMessage } from "./dialect";

const KINDS: Readonly<Record<string, Scalar>> = {
  float: "f32",
  double: "f64",
  uint8_t: "u8",
  int8_t: "i8",
  uint16_t: "u16",
  int16_t: "i16",
  uint32_t: "u32",
  int32_t: "i32",
  uint64_t: "u64",
  int64_t: "i64",
};

/** Units of the fields that everyone plots, by message and field; the rest says its unit in its name or not at all. */
const UNITS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ATTITUDE: {
    roll: "rad",
    pitch: "rad",
    yaw: "rad",
    rollspeed: "rad/s",
    pitchspeed: "rad/s",
    yawspeed: "rad/s",
  },
  LOCAL_POSITION_NED: { x: "m", y: "m", z: "m", vx: "m/s", vy: "m/s", vz: "m/s" },
  POSITION_TARGET_LOCAL_NED: { x: "m", y: "m", z: "m", vx: "m/s", vy: "m/s", vz: "m/s", yaw: "rad" },
  ODOMETRY: { x: "m", y: "m", z: "m", vx: "m/s", vy: "m/s", vz: "m/s" },
  GLOBAL_POSITION_INT: {
    lat: "degE7",
    lon: "degE7",
    alt: "mm",
    relative_alt: "mm",
    vx: "cm/s",
    vy: "cm/s",
    vz: "cm/s",
    hdg: "cdeg",
  },
  GPS_RAW_INT: { lat: "degE7", lon: "degE7", alt: "mm", vel: "cm/s", cog: "cdeg" },
  VFR_HUD: { airspeed: "m/s", groundspeed: "m/s", heading: "deg", throttle: "%", alt: "m", climb: "m/s" },
  SYS_STATUS: { voltage_battery: "mV", current_battery: "cA", battery_remaining: "%", load: "d%" },
  BATTERY_STATUS: { current_battery: "cA", battery_remaining: "%", temperature: "cdegC" },
  ALTITUDE: { altitude_local: "m", altitude_relative: "m", altitude_amsl: "m" },
};

function unitOf(message: string, field: string): string {
  const known = UNITS[message]?.[field];
  if (known !== undefined) return known;
  if (/_usec$|_us$/.test(field)) return "us";
  if (/_ms$/.test(field)) return "ms";
  return "";
}

/** The numbers of a message by path; text fields are listed separately. */
export function structFields(message: MavlinkMessage): StructField[] {
  return message.fields.flatMap((field) => {
    const kind = KINDS[field.type];
    if (kind === undefined) return [];
    const unit = unitOf(message.name, field.name);
    if (field.length === 0) return [{ path: field.name, kind, offset: field.offset, scale: 1, unit }];
    return Array.from({ length: field.length }, (_, i) => ({
      path: `${field.name}[${i}]`,
      kind,
      offset: field.offset + i * scalarBytes[kind],
      scale: 1,
      unit,
    }));
  });
}

export const textFields = (message: MavlinkMessage): readonly MavlinkField[] =>
  message.fields.filter((field) => field.type === "char");

const scratch = new DataView(new ArrayBuffer(8));
const headerOf = (magic: number): number => (magic === 0xfd ? 10 : 6);

/**
 * Reads one number of the frame at `frame`. MAVLink 2 cuts trailing zeros off a payload, even inside a number:
 * what is missing is zero (https://mavlink.io/en/guide/serialization.html#payload_truncation).
 */
export function readTrimmed(window: Window, frame: number, field: StructField): number {
  if (!window.load(frame, 10)) return Number.NaN;
  let i = frame - window.base;
  const header = headerOf(window.bytes[i] as number);
  const payload = window.bytes[i + 1] as number;
  if (!window.load(frame, header + payload)) return Number.NaN;
  i = frame - window.base;
  const start = i + header;
  return field.offset + scalarBytes[field.kind] <= payload
    ? readScalar(window.view, start + field.offset, field.kind)
    : trimmedScalar(window.bytes, start, payload, field);
}

/** A block's payloads side by side, each with its trailing zeros put back. */
const ROW = 256;
const rows = new Uint8Array(BLOCK * ROW);
const rowsView = new DataView(rows.buffer);
const rowStarts = Int32Array.from({ length: BLOCK }, (_, k) => k * ROW);
const frameStarts = new Int32Array(BLOCK);

/** Some fields of every frame, a block of frames at a time, field by field. */
export function readTrimmedColumns(
  window: Window,
  frames: Uint32Array | Float64Array,
  fields: readonly StructField[],
): Float64Array[] {
  const out = fields.map(() => new Float64Array(frames.length));
  const runs = runsOf(fields, out);
  let needed = 0;
  for (const { offset, kind } of fields) needed = Math.max(needed, offset + scalarBytes[kind]);
  for (let from = 0; from < frames.length; ) {
    const first = frames[from] as number;
    window.load(first, Math.min(LONGEST, window.size - first));
    const { bytes, view, base, end } = window;
    const stop = Math.min(frames.length, from + BLOCK);
    let count = 0;
    let shortest = 255;
    while (from + count < stop) {
      const frame = frames[from + count] as number;
      if (count > 0 && frame + LONGEST > end && end < window.size) break;
      const i = frame - base;
      const payload = bytes[i + 1] as number;
      frameStarts[count] = i + headerOf(bytes[i] as number);
      if (payload < shortest) shortest = payload;
      count += 1;
    }
    let cut = needed;
    for (const { field, end: run_end } of runs) if (run_end > shortest) cut = Math.min(cut, field.offset);
    if (cut < needed) fillRows(bytes, frames, base, from, count, cut, needed);
    for (let r = 0; r < runs.length; r++) {
      const run = runs[r] as Run;
      if (run.end <= shortest) readRun(view, frameStarts, count, run, from);
      else readRun(rowsView, rowStarts, count, run, from);
    }
    from += count;
  }
  return out;
}
/** Header, payload, checksum: as much as one frame can need. */
const LONGEST = 267;

/** Bytes `first` to `needed` of each payload, zeros where it is shorter. */
function fillRows(
  bytes: Uint8Array,
  frames: Uint32Array | Float64Array,
  base: number,
  from: number,
  count: number,
  first: number,
  needed: number,
): void {
  for (let k = 0; k < count; k++) {
    const start = frameStarts[k] as number;
    const payload = bytes[(frames[from + k] as number) - base + 1] as number;
    const row = k * ROW;
    const filled = Math.max(first, Math.min(needed, payload));
    for (let b = first; b < filled; b++) rows[row + b] = bytes[start + b] as number;
    for (let b = filled; b < needed; b++) rows[row + b] = 0;
  }
}

/** A number whose end, or all of it, was cut off with the payload's trailing zeros. */
function trimmedScalar(bytes: Uint8Array, start: number, payload: number, field: StructField): number {
  if (field.offset >= payload) return 0;
  const width = scalarBytes[field.kind];
  for (let k = 0; k < width; k++)
    scratch.setUint8(k, field.offset + k < payload ? (bytes[start + field.offset + k] as number) : 0);
  return readScalar(scratch, 0, field.kind);
}

export function readText(window: Window, frame: number, field: MavlinkField): string {
  if (!window.load(frame, 10)) return "";
  const header = headerOf(window.bytes[frame - window.base] as number);
  const payload = window.bytes[frame - window.base + 1] as number;
  if (!window.load(frame, header + payload)) return "";
  const start = frame - window.base + header + field.offset;
  const stop = frame - window.base + header + Math.min(payload, field.offset + Math.max(1, field.length));
  if (start >= stop) return "";
  const bytes = window.bytes.subarray(start, stop);
  const zero = bytes.indexOf(0);
  const text = zero < 0 ? bytes : bytes.subarray(0, zero);
  return Buffer.from(text.buffer, text.byteOffset, text.length).toString("utf8");
}
