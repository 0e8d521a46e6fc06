/**
 * How the cursor's time is written: since the start of the recording, since the first moment in the air, since the
 * vehicle was switched on, universal time, time of this computer's zone.
 */
export const timeModes = ["recording", "flight", "boot", "utc", "local"] as const;
export type TimeMode = (typeof timeModes)[number];

export interface TimeOrigin {
  readonly start_utc_ms: number | null;
  readonly start_boot_ms: number | null;
  readonly takeoff_s: number | null;
}

/** Modes this recording can be read in: a log without a clock has no date, and none is made up. */
export function modesOf(origin: TimeOrigin): readonly TimeMode[] {
  return timeModes.filter((mode) => {
    if (mode === "boot") return origin.start_boot_ms !== null;
    if (mode === "flight") return origin.takeoff_s !== null;
    return mode === "recording" || origin.start_utc_ms !== null;
  });
}

const two = (v: number): string => String(v).padStart(2, "0");

/** 2:54.1, or 1:02:54.1 from an hour on; `digits` of the second. */
export function duration(t_s: number, digits = 1): string {
  if (!Number.isFinite(t_s)) return "–";
  const scale = 10 ** digits;
  const units = Math.round(Math.max(0, t_s) * scale);
  const whole_s = Math.floor(units / scale);
  const part = digits === 0 ? "" : `.${String(units % scale).padStart(digits, "0")}`;
  const hours = Math.floor(whole_s / 3600);
  const minutes = Math.floor(whole_s / 60) % 60;
  const tail = `${two(whole_s % 60)}${part}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** In words for the header: "4 min 12 s", "1 h 02 min", "8.4 s". */
export function spokenDuration(t_s: number): string {
  if (!Number.isFinite(t_s)) return "unknown duration";
  if (t_s < 10) return `${t_s.toFixed(1)} s`;
  const s = Math.round(t_s);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${two(s % 60)} s`;
  return `${Math.floor(s / 3600)} h ${two(Math.floor(s / 60) % 60)} min`;
}

/** "+01:00"; the offset of local time at that very moment, not of today. */
export function zoneOf(utc_ms: number): string {
  const offset_min = -new Date(utc_ms).getTimezoneOffset();
  const sign = offset_min < 0 ? "−" : "+";
  const size = Math.abs(offset_min);
  return `${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** "12 Nov 2026, 14:31:07 +01:00". English and built by hand: the words must not depend on the machine. */
export function dateText(utc_ms: number): string {
  const d = new Date(utc_ms);
  const day = `${d.getDate()} ${months[d.getMonth()] ?? ""} ${d.getFullYear()}`;
  return `${day}, ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())} ${zoneOf(utc_ms)}`;
}

/** The time of `t_s` in a mode, with its zone where it has one. */
export function timeText(mode: TimeMode, t_s: number, origin: TimeOrigin, digits = 1): string {
  if (mode === "boot" && origin.start_boot_ms !== null)
    return duration(origin.start_boot_ms / 1000 + t_s, digits);
  if (mode === "flight" && origin.takeoff_s !== null) return signed(t_s - origin.takeoff_s, digits);
  if (mode === "utc" && origin.start_utc_ms !== null)
    return `${clockText(origin.start_utc_ms, t_s, digits, true)} Z`;
  if (mode === "local" && origin.start_utc_ms !== null) {
    const zone = zoneOf(origin.start_utc_ms + t_s * 1000);
    return `${clockText(origin.start_utc_ms, t_s, digits, false)} ${zone}`;
  }
  return signed(t_s, digits);
}

/** Before zero (before take-off, or in a joined log that began earlier) with a true minus sign. */
const signed = (t_s: number, digits: number): string =>
  t_s < 0 ? `−${duration(-t_s, digits)}` : duration(t_s, digits);

function clockText(start_utc_ms: number, t_s: number, digits: number, utc: boolean): string {
  const d = new Date(start_utc_ms + t_s * 1000);
  const [h, m, s, ms] = utc
    ? [d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds(), d.getUTCMilliseconds()]
    : [d.getHours(), d.getMinutes(), d.getSeconds(), d.getMilliseconds()];
  const part = digits === 0 ? "" : `.${String(ms).padStart(3, "0").slice(0, digits)}`;
  return `${two(h)}:${two(m)}:${two(s)}${part}`;
}

/** Round steps for a time axis of `span_s` with room for about `count` marks. */
export function timeTicks(from_s: number, to_s: number, count: number): readonly number[] {
  const span_s = to_s - from_s;
  if (!(span_s > 0) || !(count >= 1)) return [];
  const steps = [
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
  ];
  const step_s = steps.find((s) => span_s / s <= count) ?? Math.ceil(span_s / count / 7200) * 7200;
  const out: number[] = [];
  for (let k = Math.ceil(from_s / step_s - 1e-9) + 0; k * step_s <= to_s + 1e-9; k += 1) out.push(k * step_s);
  return out;
}

/** 14.3 MB; decimal, as file managers and data sheets count. */
export function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
