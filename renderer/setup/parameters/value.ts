import type { ParameterRow } from "#contract/link-ipc";
import { fixed } from "../../ui/format";
import { parseDecimal } from "../../ui/parse";

type Kind = Pick<ParameterRow, "type" | "decimals">;
type Limits = Pick<ParameterRow, "type" | "min" | "max" | "unit" | "name">;

const ranges: Readonly<Record<Exclude<ParameterRow["type"], "float">, readonly [number, number]>> = {
  uint8: [0, 0xff],
  int8: [-0x80, 0x7f],
  uint16: [0, 0xffff],
  int16: [-0x8000, 0x7fff],
  uint32: [0, 0xffffffff],
  int32: [-0x80000000, 0x7fffffff],
};
/** What a 32-bit float holds to the digit. */
const float_digits = 7;

/** A value as a number with a point, without noise of its 32 bits: 0.1, not 0.10000000149. */
export function plainValue(value: number, { type, decimals }: Kind): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  if (type !== "float") return fixed(value, 0);
  const short = Number(value.toPrecision(float_digits));
  if (decimals !== null && Number(short.toFixed(decimals)) === short) return fixed(short, decimals);
  const text = String(Math.abs(short));
  // Exponents are not what operators type; very small and very large values are written out.
  const digits = text.includes("e")
    ? Math.min(20, Math.max(0, float_digits - Math.floor(Math.log10(Math.abs(short)))))
    : -1;
  const plain =
    digits < 0
      ? text
      : Math.abs(short)
          .toFixed(digits)
          .replace(/\.?0+$/, "");
  return short < 0 ? `−${plain}` : plain;
}

/** What a value means in words: the name of the enumeration, the set bits, or null where it is only a number. */
export function valueMeaning(value: number, row: Pick<ParameterRow, "values" | "bits">): string | null {
  const named = row.values.find((one) => one.value === value);
  if (named !== undefined) return named.text;
  if (row.bits.length === 0) return null;
  const set = row.bits.filter(({ index }) => hasBit(value, index)).map(({ text }) => text);
  return set.length === 0 ? "none" : set.join(", ");
}

/** Bits of whole numbers up to 2^32, without JavaScript's 32-bit sign. */
export const hasBit = (value: number, index: number): boolean => Math.floor(value / 2 ** index) % 2 === 1;
export const withBit = (value: number, index: number, on: boolean): number =>
  hasBit(value, index) === on ? value : value + (on ? 1 : -1) * 2 ** index;

/** A typed value within what the type holds and, as a warning of its own, within what the description allows. */
export type ReadValue =
  | { readonly state: "good"; readonly value: number }
  /** May be written, knowingly: the vehicle's description advises against it. */
  | { readonly state: "unusual"; readonly value: number; readonly text: string }
  | { readonly state: "wrong"; readonly text: string };

export function readValue(text: string, row: Limits): ReadValue {
  const value = parseDecimal(text);
  if (value === null) return { state: "wrong", text: "Not a number" };
  if (row.type !== "float") {
    const [least, most] = ranges[row.type];
    if (!Number.isInteger(value)) return { state: "wrong", text: "A whole number, without a point" };
    if (value < least || value > most)
      return { state: "wrong", text: `Must be ${least} to ${most}: it is stored as ${row.type}` };
  } else if (!Number.isFinite(Math.fround(value))) {
    return { state: "wrong", text: "Too large for what the vehicle stores" };
  }
  const unit = row.unit === "" ? "" : ` ${row.unit}`;
  if (row.min !== null && value < row.min)
    return { state: "unusual", value, text: `Below the recommended least, ${row.min}${unit}` };
  if (row.max !== null && value > row.max)
    return { state: "unusual", value, text: `Above the recommended most, ${row.max}${unit}` };
  return { state: "good", value };
}

/** "0 to 20 m/s", "at least 0", "" as far as the description says. */
export function rangeText({ min, max, unit }: Pick<ParameterRow, "min" | "max" | "unit">): string {
  const end = unit === "" ? "" : ` ${unit}`;
  if (min !== null && max !== null) return `${min} to ${max}${end}`;
  if (min !== null) return `at least ${min}${end}`;
  return max === null ? "" : `at most ${max}${end}`;
}
