/**
 * Numbers as they stand on the screen. Never through a locale: a decimal comma turned 12.34 into 1234 for others
 * (ArduPilot/MissionPlanner#2567). Unknown and NaN are a dash, never 0. A true minus sign keeps columns aligned.
 */
export type Units = "metric" | "feet";
export type Maybe = number | null | undefined;

export const unknown = "–";
const feet_per_m = 1 / 0.3048;
const inches_per_m = feet_per_m * 12;

const known = (value: Maybe): value is number =>
  value !== null && value !== undefined && Number.isFinite(value);

/** Fixed decimals; "-0.0" is written without its sign. */
export function fixed(value: Maybe, digits: number): string {
  if (!known(value)) return unknown;
  const text = Math.abs(value).toFixed(digits);
  const zero = Number(text) === 0;
  return value < 0 && !zero ? `−${text}` : text;
}

const withUnit = (text: string, unit: string): string => (text === unknown ? text : `${text} ${unit}`);

/** Metres or feet. */
export function length(value_m: Maybe, units: Units, digits = 2): string {
  if (units === "metric") return withUnit(fixed(value_m, digits), "m");
  return withUnit(fixed(known(value_m) ? value_m * feet_per_m : null, Math.max(0, digits - 1)), "ft");
}

/** Centimetres or inches, for displacements and accuracies. */
export function small_length(value_m: Maybe, units: Units, digits = 1): string {
  const metric = units === "metric";
  const value = known(value_m) ? value_m * (metric ? 100 : inches_per_m) : null;
  return withUnit(fixed(value, digits), metric ? "cm" : "in");
}

export function speed(value_m_s: Maybe, units: Units, digits = 1): string {
  const metric = units === "metric";
  const value = known(value_m_s) ? value_m_s * (metric ? 1 : feet_per_m) : null;
  return withUnit(fixed(value, digits), metric ? "m/s" : "ft/s");
}

/** Radians in, whole degrees out (the screen speaks degrees). */
export const degrees = (value_rad: Maybe, digits = 0): string => {
  const text = fixed(known(value_rad) ? (value_rad * 180) / Math.PI : null, digits);
  return text === unknown ? text : `${text}°`;
};

/** Compass bearing of an ENU yaw: clockwise from north, 000 to 359. */
export function bearing(yaw_enu_rad: Maybe): string {
  if (!known(yaw_enu_rad)) return unknown;
  const turn = Math.round(90 - (yaw_enu_rad * 180) / Math.PI) % 360;
  return `${String(turn < 0 ? turn + 360 : turn).padStart(3, "0")}°`;
}

export const percent = (share: Maybe, digits = 0): string =>
  withUnit(fixed(known(share) ? share * 100 : null, digits), "%");

export const seconds = (value_ms: Maybe, digits = 0): string =>
  withUnit(fixed(known(value_ms) ? value_ms / 1000 : null, digits), "s");

/** 04:07, or 1:04:07 from an hour on; never negative. */
export function clock(duration_ms: Maybe): string {
  if (!known(duration_ms)) return "––:––";
  const total_s = Math.max(0, Math.floor(duration_ms / 1000));
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(total_s / 3600);
  const rest = `${two(Math.floor(total_s / 60) % 60)}:${two(total_s % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Age of something: 0.2 s, 12 s, 4 min, 2 h. */
export function age(value_ms: Maybe): string {
  if (!known(value_ms)) return unknown;
  const s = Math.max(0, value_ms) / 1000;
  if (s < 10) return `${fixed(s, 1)} s`;
  if (s < 120) return `${fixed(s, 0)} s`;
  return s < 7200 ? `${fixed(s / 60, 0)} min` : `${fixed(s / 3600, 0)} h`;
}

/** 0 B/s … 1.2 kB/s … 3.4 MB/s. */
export function byteRate(bytes_per_s: Maybe): string {
  if (!known(bytes_per_s)) return unknown;
  if (bytes_per_s < 1000) return `${fixed(bytes_per_s, 0)} B/s`;
  if (bytes_per_s < 1e6) return `${fixed(bytes_per_s / 1e3, 1)} kB/s`;
  return `${fixed(bytes_per_s / 1e6, 1)} MB/s`;
}

/** A measured quantity of a check in its own unit; lengths follow the unit switch. */
export function quantity(value: Maybe, unit: string, units: Units): string {
  if (unit === "m") return length(value, units);
  if (unit === "m/s") return speed(value, units);
  if (unit === "rad") return degrees(value);
  if (unit === "ms") return seconds(value, 1);
  if (unit === "share" || unit === "1") return percent(value);
  return withUnit(fixed(value, unit === "%" || unit === "°" ? 0 : 1), unit).trimEnd();
}

/** "take_off" → "take off": identifiers as words. */
export const words = (id: string): string => id.replaceAll("_", " ");
