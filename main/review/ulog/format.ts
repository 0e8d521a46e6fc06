import { type Scalar, type StructField, scalarBytes } from "../struct-column";

const KINDS: Readonly<Record<string, Scalar>> = {
  int8_t: "i8",
  uint8_t: "u8",
  bool: "u8",
  int16_t: "i16",
  uint16_t: "u16",
  int32_t: "i32",
  uint32_t: "u32",
  int64_t: "i64",
  uint64_t: "u64",
  float: "f32",
  double: "f64",
};

export interface TextField {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** One message format with its nested formats laid out flat. */
export interface Layout {
  readonly numbers: readonly StructField[];
  readonly texts: readonly TextField[];
  readonly bytes: number;
  /** Trailing padding is not logged. */
  readonly padding: number;
  /** Offset of the 64-bit `timestamp` in microseconds; -1 when there is none. */
  readonly time_offset: number;
}

const MAX_NESTING = 6;
const MAX_BYTES = 65_535;

/**
 * Lays out a format definition ("uint64_t timestamp;float[4] q;…", https://docs.px4.io/main/en/dev_log/ulog_file_format).
 * Null when a type is missing or the result is impossible: such a topic cannot be read, the rest of the log can.
 */
export function layoutOf(name: string, formats: ReadonlyMap<string, string>): Layout | null {
  const numbers: StructField[] = [];
  const texts: TextField[] = [];
  let padding = 0;

  const place = (type: string, prefix: string, start: number, depth: number): number => {
    const text = formats.get(type);
    if (text === undefined || depth > MAX_NESTING) return -1;
    let at = start;
    for (const part of text.split(";")) {
      if (part.trim() === "") continue;
      const match = /^\s*(\w+)(?:\[(\d+)\])?\s+(\w+)\s*$/.exec(part);
      const [, kindName = "", length, field = ""] = match ?? [];
      if (!match) return -1;
      const count = length === undefined ? 1 : Number(length);
      const path = prefix === "" ? field : `${prefix}.${field}`;
      const kind = KINDS[kindName];
      if (kindName === "char") {
        texts.push({ path, offset: at, length: count });
        at += count;
      } else if (kind === undefined) {
        for (let i = 0; i < count; i++) {
          at = place(kindName, length === undefined ? path : `${path}[${i}]`, at, depth + 1);
          if (at < 0) return -1;
        }
        padding = 0;
        continue;
      } else {
        const width = scalarBytes[kind];
        if (!field.startsWith("_padding"))
          for (let i = 0; i < count; i++)
            numbers.push({
              path: length === undefined ? path : `${path}[${i}]`,
              kind,
              offset: at + i * width,
              scale: 1,
              unit: unitOf(field),
            });
        at += width * count;
        padding = field.startsWith("_padding") ? width * count : 0;
        if (at > MAX_BYTES) return -1;
        continue;
      }
      padding = 0;
    }
    return at;
  };

  const bytes = place(name, "", 0, 0);
  if (bytes <= 0) return null;
  const time = numbers.find(({ path, kind }) => path === "timestamp" && kind === "u64");
  return { numbers, texts, bytes, padding, time_offset: time?.offset ?? -1 };
}

/** PX4 keeps units in comments of its message files, which a log does not carry: the ones everyone plots, by name. */
const UNITS: Readonly<Record<string, string>> = {
  timestamp: "us",
  timestamp_sample: "us",
  x: "m",
  y: "m",
  z: "m",
  vx: "m/s",
  vy: "m/s",
  vz: "m/s",
  ax: "m/s²",
  ay: "m/s²",
  az: "m/s²",
  heading: "rad",
  roll: "rad",
  pitch: "rad",
  yaw: "rad",
  rollspeed: "rad/s",
  pitchspeed: "rad/s",
  yawspeed: "rad/s",
  gyro_rad: "rad/s",
  accelerometer_m_s2: "m/s²",
  xyz: "",
  voltage_v: "V",
  current_a: "A",
  discharged_mah: "mAh",
  temperature: "°C",
  baro_alt_meter: "m",
  eph: "m",
  epv: "m",
};
const unitOf = (field: string): string => UNITS[field] ?? "";
