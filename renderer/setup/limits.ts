import type { Limits } from "#contract/safety";
import { parseWithin } from "../ui/parse";

export interface LimitField {
  readonly key: keyof Limits;
  readonly label: string;
  /** As shown and typed; `per_unit` turns it into the contract's unit. */
  readonly unit: string;
  readonly per_unit: number;
  readonly digits: number;
  readonly min: number;
  readonly max: number;
  readonly what: string;
}

const degree = Math.PI / 180;
const field = (
  key: keyof Limits,
  label: string,
  unit: string,
  per_unit: number,
  digits: number,
  range: readonly [number, number],
  what: string,
): LimitField => ({ key, label, unit, per_unit, digits, min: range[0], max: range[1], what });

/** Flight limits as the operator reads them. The bounds keep typing errors out; the operator's judgement sets the value. */
export const limitFields: readonly LimitField[] = [
  field("ceiling_m", "Ceiling", "m", 1, 2, [0.5, 120], "highest point of any path, above the pad"),
  field("clearance_m", "Clearance", "m", 1, 2, [0.05, 5], "least distance of a free move to known structure"),
  field("speed_max_m_s", "Speed", "m/s", 1, 2, [0.05, 5], "fastest the setpoint may travel"),
  field("yaw_rate_max_rad_s", "Turn rate", "°/s", degree, 0, [5, 180], "fastest the heading may turn"),
  field("battery_min", "Battery", "%", 0.01, 0, [5, 90], "below this nothing new is approved"),
  field(
    "link_age_max_ms",
    "Link age",
    "s",
    1000,
    1,
    [0.2, 10],
    "oldest heartbeat that still counts as connected",
  ),
  field(
    "observation_age_max_ms",
    "Picture age",
    "s",
    1000,
    1,
    [0.1, 10],
    "oldest picture a proposal may rest on",
  ),
  field(
    "vehicle_radius_m",
    "Vehicle radius",
    "m",
    1,
    2,
    [0.1, 3],
    "rotor tips included; paths are swept with it",
  ),
  field("vehicle_height_m", "Vehicle height", "m", 1, 2, [0.05, 3], "from the feet to the top"),
];

export const shownLimit = (limits: Limits, { key, per_unit, digits }: LimitField): string =>
  (limits[key] / per_unit).toFixed(digits);

export interface LimitsDraft {
  readonly limits: Limits | null;
  readonly problems: Readonly<Partial<Record<keyof Limits, string>>>;
}

/** All fields read; null limits while any of them is wrong. */
export function readLimits(texts: Readonly<Record<string, string>>, base: Limits): LimitsDraft {
  const limits: Record<keyof Limits, number> = { ...base };
  const problems: Partial<Record<keyof Limits, string>> = {};
  for (const one of limitFields) {
    const text = texts[one.key];
    // Untouched fields keep their exact value: showing rounds, saving must not.
    if (text === undefined || text === shownLimit(base, one)) continue;
    const read = parseWithin(text, one);
    if ("problem" in read) problems[one.key] = read.problem;
    else limits[one.key] = read.value * one.per_unit;
  }
  return { limits: Object.keys(problems).length === 0 ? limits : null, problems };
}
