import type { ReviewSeries } from "#contract/review";
import type { Units } from "../ui/format";

export interface Display {
  readonly factor: number;
  readonly unit: string;
}

const degrees = 180 / Math.PI;
const feet = 1 / 0.3048;

/** How a recorded unit is shown: angles in degrees always, lengths in feet where the operator chose them. */
export function displayOf(unit: string, units: Units): Display {
  if (unit === "rad") return { factor: degrees, unit: "°" };
  if (unit === "rad/s") return { factor: degrees, unit: "°/s" };
  if (units === "feet" && /^m(\/s|\/s²|\/s\^2|\/s\/s)?$/.test(unit))
    return { factor: feet, unit: unit.replace(/^m/, "ft") };
  return { factor: 1, unit };
}

/** The series in the unit of the screen. */
export function inDisplay(series: ReviewSeries, units: Units): ReviewSeries {
  const { factor, unit } = displayOf(series.unit, units);
  if (factor === 1) return series;
  const scale = (values: readonly (number | null)[]): (number | null)[] =>
    values.map((v) => (v === null ? null : v * factor));
  return { ...series, unit, min: scale(series.min), max: scale(series.max) };
}
