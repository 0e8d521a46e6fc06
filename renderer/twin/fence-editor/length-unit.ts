import type { Units } from "../../ui/format";

export interface LengthUnit {
  readonly name: string;
  /** Metres in one of it. */
  readonly per_m: number;
  readonly digits: number;
  /** Beyond it a number is a typing error. */
  readonly most: number;
}

/** Typed lengths follow the operator's units, to the millimetre or the hundredth of a foot. */
export const lengthUnit = (units: Units): LengthUnit =>
  units === "metric"
    ? { name: "m", per_m: 1, digits: 3, most: 10_000 }
    : { name: "ft", per_m: 0.3048, digits: 2, most: 32_000 };
