import { type Scalar, type StructField, scalarBytes } from "../struct-column";

/** Format characters (ArduPilot, libraries/AP_Logger/LogStructure.h). `scale` where the character implies one. */
const NUMBERS: Readonly<Record<string, readonly [Scalar, number]>> = {
  b: ["i8", 1],
  B: ["u8", 1],
  M: ["u8", 1],
  h: ["i16", 1],
  H: ["u16", 1],
  i: ["i32", 1],
  I: ["u32", 1],
  q: ["i64", 1],
  Q: ["u64", 1],
  g: ["f16", 1],
  f: ["f32", 1],
  d: ["f64", 1],
  c: ["i16", 0.01],
  C: ["u16", 0.01],
  e: ["i32", 0.01],
  E: ["u32", 0.01],
  L: ["i32", 1e-7],
};
const TEXTS: Readonly<Record<string, number>> = { n: 4, N: 16, Z: 64 };

export interface DataflashText {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** One message type as its FMT record defines it. Offsets count from the record's payload, behind magic and type. */
export interface DataflashFormat {
  readonly type: number;
  readonly name: string;
  /** Whole record, head included. */
  readonly length: number;
  readonly letters: string;
  readonly labels: readonly string[];
  readonly numbers: readonly StructField[];
  readonly texts: readonly DataflashText[];
  readonly time_offset: number;
}

export const RECORD_HEAD = 3;
export const FMT_TYPE = 128;
export const FMT_LENGTH = 89;

const latin = (bytes: Uint8Array): string => {
  const zero = bytes.indexOf(0);
  return Buffer.from(zero < 0 ? bytes : bytes.subarray(0, zero)).toString("latin1");
};

/** Parses the payload of an FMT record; null when it contradicts itself. */
export function parseFormat(body: Uint8Array): DataflashFormat | null {
  const type = body[0] as number;
  const length = body[1] as number;
  const name = latin(body.subarray(2, 6));
  const letters = latin(body.subarray(6, 22));
  const labels = latin(body.subarray(22, 86)).split(",");
  if (!/^\w{1,4}$/.test(name) || labels.length !== letters.length) return null;
  const numbers: StructField[] = [];
  const texts: DataflashText[] = [];
  let at = 0;
  for (const [i, letter] of Array.from(letters).entries()) {
    const label = labels[i] ?? "";
    const number = NUMBERS[letter];
    const text = TEXTS[letter];
    if (number) {
      const [kind, scale] = number;
      numbers.push({ path: label, kind, offset: at, scale, unit: "" });
      at += scalarBytes[kind];
    } else if (text !== undefined) {
      texts.push({ path: label, offset: at, length: text });
      at += text;
    } else if (letter === "a") {
      for (let k = 0; k < 32; k++)
        numbers.push({ path: `${label}[${k}]`, kind: "i16", offset: at + 2 * k, scale: 1, unit: "" });
      at += 64;
    } else return null;
  }
  if (at + RECORD_HEAD !== length) return null;
  const time = numbers.find(({ path, kind }) => path === "TimeUS" && kind === "u64");
  return { type, name, length, letters, labels, numbers, texts, time_offset: time?.offset ?? -1 };
}

/** Letters whose stored number is scaled when read: their unit needs no prefix. */
const SELF_SCALED = "cCeEL";
const PREFIX: Readonly<Record<string, string>> = {
  "0.000001": "µ",
  "0.001": "m",
  "0.01": "c",
  "0.1": "d",
  "1000": "k",
};

/** The unit of a number as it is stored: "s" with multiplier 1e-6 is "µs". */
export function unitLabel(unit: string, multiplier: number, letter: string): string {
  if (unit === "" || unit === "UNKNOWN") return "";
  if (multiplier === 1 || multiplier === 0 || SELF_SCALED.includes(letter)) return unit;
  // Multipliers come from single-precision constants: 9.99999997e-7 means 1e-6.
  const rounded = String(Number(multiplier.toPrecision(6)));
  const prefix = PREFIX[rounded];
  return prefix === undefined ? `${rounded} ${unit}` : prefix + unit;
}
