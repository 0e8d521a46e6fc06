import { err, ok, type Result } from "#contract/result";

/** MAV_PARAM_TYPE: 1-6 integers of 8, 16 and 32 bits (odd: unsigned), 9 float. */
export type ParameterType = 1 | 2 | 3 | 4 | 5 | 6 | 9;

/**
 * How integers travel in PARAM_VALUE's float field: PX4 puts their bits there ("bytewise"), ArduPilot their value
 * ("c_cast") (https://mavlink.io/en/services/parameter.html#parameter-encoding).
 */
export type ParameterEncoding = "bytewise" | "c_cast";

const CAPABILITY_BYTEWISE = 0x10;
const CAPABILITY_C_CAST = 0x2_0000;

/** From AUTOPILOT_VERSION's capabilities, or from who made the autopilot while they are not known. */
export function encodingOf(capabilities: number | null, autopilot: string): ParameterEncoding {
  if (capabilities !== null && Math.floor(capabilities / CAPABILITY_BYTEWISE) % 2 === 1) return "bytewise";
  if (capabilities !== null && Math.floor(capabilities / CAPABILITY_C_CAST) % 2 === 1) return "c_cast";
  return autopilot === "px4" ? "bytewise" : "c_cast";
}

const ranges: Readonly<Record<Exclude<ParameterType, 9>, readonly [number, number]>> = {
  1: [0, 0xff],
  2: [-0x80, 0x7f],
  3: [0, 0xffff],
  4: [-0x8000, 0x7fff],
  5: [0, 0xffffffff],
  6: [-0x80000000, 0x7fffffff],
};

export const isParameterType = (value: unknown): value is ParameterType =>
  typeof value === "number" && (value === 9 || Object.hasOwn(ranges, value));

const scratch = new DataView(new ArrayBuffer(4));

/** The value of a parameter from the 32 bits of the wire. */
export function valueFromBits(bits: number, type: ParameterType, encoding: ParameterEncoding): number {
  scratch.setUint32(0, bits);
  if (type === 9 || encoding === "c_cast") return scratch.getFloat32(0);
  switch (type) {
    case 1:
      return bits & 0xff;
    case 2:
      return (bits << 24) >> 24;
    case 3:
      return bits & 0xffff;
    case 4:
      return (bits << 16) >> 16;
    case 5:
      return bits >>> 0;
    case 6:
      return bits | 0;
  }
}

/** The 32 bits that carry a value, or why it cannot be the value of such a parameter. */
export function bitsFromValue(
  value: number,
  type: ParameterType,
  encoding: ParameterEncoding,
): Result<number, string> {
  if (!Number.isFinite(value)) return err(`${value} is not a number`);
  if (type !== 9) {
    const [min, max] = ranges[type];
    if (!Number.isInteger(value)) return err(`${value} is not a whole number`);
    if (value < min || value > max) return err(`${value} is not between ${min} and ${max}`);
    if (encoding === "bytewise") return ok(value >>> 0);
    if (Math.fround(value) !== value) return err(`${value} is too large to be sent exactly`);
  }
  scratch.setFloat32(0, value);
  return ok(scratch.getUint32(0));
}

/** Whether two values are the same to a vehicle that keeps 32-bit floats. */
export const sameValue = (a: number, b: number, type: ParameterType): boolean =>
  type === 9 ? Math.fround(a) === Math.fround(b) : a === b;
