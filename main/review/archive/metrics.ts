import type { ArchiveMetric } from "#contract/archive";
import type { ReviewSummary } from "#contract/review";
import type { LogReader } from "../reader";
import type { Session } from "../session";
import { typed } from "../summary/kingfisher-record";

/** Figures for comparing flights. A flight has those that its log can tell. */
export const metrics: readonly ArchiveMetric[] = [
  { id: "duration_s", label: "Recorded", unit: "s" },
  { id: "airborne_s", label: "In the air", unit: "s" },
  { id: "height_max_m", label: "Highest above the start", unit: "m" },
  { id: "distance_m", label: "Way flown", unit: "m" },
  { id: "speed_max_m_s", label: "Fastest", unit: "m/s" },
  { id: "battery_used", label: "Battery used", unit: "share" },
  { id: "voltage_min_v", label: "Lowest voltage", unit: "V" },
  { id: "vibration_max", label: "Worst vibration", unit: "m/s²" },
  { id: "tracking_error_m", label: "Mean distance from the setpoint", unit: "m" },
  { id: "s_safe_min", label: "Lowest S_safe", unit: "" },
  { id: "displacement_max_m", label: "Largest displacement", unit: "m" },
  { id: "steps", label: "Steps flown", unit: "" },
  { id: "steps_failed", label: "Steps that did not end well", unit: "" },
  { id: "approval_mean_s", label: "Mean time to approve", unit: "s" },
];

export const metricOf = (id: string): ArchiveMetric | null => metrics.find((m) => m.id === id) ?? null;

const BATTERY: readonly (readonly [
  topic: string,
  share: string,
  to_share: number,
  voltage: string,
  to_volt: number,
])[] = [
  ["/kingfisher/vehicle", "battery.remaining", 1, "battery.voltage_v", 1],
  ["battery_status", "remaining", 1, "voltage_v", 1],
  ["BAT", "RemPct", 0.01, "Volt", 1],
  ["SYS_STATUS", "battery_remaining", 0.01, "voltage_battery", 1e-3],
];
const VIBRATION = [
  ["vehicle_imu_status", "accel_vibration_metric"],
  ["VIBE", "VibeX"],
  ["VIBE", "VibeY"],
  ["VIBE", "VibeZ"],
  ["VIBRATION", "vibration_z"],
] as const;
const SAMPLES = 20_000;

/** All figures of one flight. */
export function metricsOf(session: Session, summary: ReviewSummary): Record<string, number> {
  const { reader } = session.log;
  const out: Record<string, number> = { duration_s: summary.duration_s };
  const put = (id: string, value: number | null): void => {
    if (value !== null && Number.isFinite(value)) out[id] = value;
  };
  put("airborne_s", airborne(summary));
  path(session, put);
  battery(reader, put);
  put("vibration_max", vibration(reader));
  put("tracking_error_m", trackingError(session));
  mission(summary, reader, put);
  return out;
}

type Put = (id: string, value: number | null) => void;

function airborne(summary: ReviewSummary): number | null {
  const flying = summary.lanes.flatMap(({ spans }) => spans.filter(({ label }) => label === "In flight"));
  return flying.length === 0 ? null : flying.reduce((sum, s) => sum + s.to_s - s.from_s, 0);
}

function path(session: Session, put: Put): void {
  const track = session.track();
  if (!track || track.t_s.length < 2) return;
  const ground = track.position_enu_m[0]?.[2] ?? 0;
  let [height, distance, speed] = [0, 0, 0];
  for (let i = 1; i < track.t_s.length; i++) {
    const [a, b] = [track.position_enu_m[i - 1], track.position_enu_m[i]];
    if (!a || !b) continue;
    const step_m = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const dt_s = (track.t_s[i] ?? 0) - (track.t_s[i - 1] ?? 0);
    // A jump of the estimate is no flying.
    if (dt_s > 0.01 && step_m / dt_s < 100) {
      distance += step_m;
      speed = Math.max(speed, step_m / dt_s);
    }
    height = Math.max(height, b[2] - ground);
  }
  put("height_max_m", height);
  put("distance_m", distance);
  put("speed_max_m_s", speed);
}

function battery(reader: LogReader, put: Put): void {
  for (const [topic, share, to_share, voltage, to_volt] of BATTERY) {
    const left = reader.column(topic, share, SAMPLES);
    const volts = reader.column(topic, voltage, SAMPLES);
    const known = [...(left?.values ?? [])].filter((v) => v >= 0);
    if (known.length > 1) put("battery_used", ((known[0] ?? 0) - (known.at(-1) ?? 0)) * to_share);
    const positive = [...(volts?.values ?? [])].filter((v) => v > 0);
    if (positive.length > 0) put("voltage_min_v", positive.reduce((a, b) => Math.min(a, b)) * to_volt);
    if (left || volts) return;
  }
}

function vibration(reader: LogReader): number | null {
  let worst: number | null = null;
  for (const [topic, field] of VIBRATION)
    for (const value of reader.column(topic, field, SAMPLES)?.values ?? [])
      if (value > (worst ?? -Infinity)) worst = value;
  return worst;
}

/** Estimate against the newest setpoint, while there is one. */
function trackingError(session: Session): number | null {
  const tracks = session.tracks();
  const estimate = tracks.find(({ role }) => role === "estimate")?.track;
  const setpoint = tracks.find(({ role }) => role === "setpoint")?.track;
  if (!estimate || !setpoint) return null;
  let [sum, n, k] = [0, 0, 0];
  for (const [i, t] of estimate.t_s.entries()) {
    while (k + 1 < setpoint.t_s.length && (setpoint.t_s[k + 1] ?? 0) <= t) k += 1;
    const [a, b] = [estimate.position_enu_m[i], setpoint.position_enu_m[k]];
    const age_s = t - (setpoint.t_s[k] ?? 0);
    if (!a || !b || age_s < 0 || age_s > 1) continue;
    sum += Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    n += 1;
  }
  return n > 0 ? sum / n : null;
}

function mission(summary: ReviewSummary, reader: LogReader, put: Put): void {
  if (reader.kind !== "kingfisher") return;
  let [score, displacement]: (number | null)[] = [null, null];
  for (const { value } of typed(reader, "/kingfisher/s_safe")) {
    if (value.score !== null) score = Math.min(score ?? value.score, value.score);
    displacement = Math.max(displacement ?? 0, value.worst_displacement_m);
  }
  put("s_safe_min", score ?? null);
  put("displacement_max_m", displacement ?? null);
  const flown = summary.steps.filter(({ record }) => record.started_at_ms !== null);
  put("steps", flown.length);
  put(
    "steps_failed",
    flown.filter(({ record }) => record.status !== null && record.status !== "success").length,
  );
  const asked = summary.steps.flatMap(({ record }) =>
    record.decision?.kind === "approved" ? [record.decision.after_ms / 1000] : [],
  );
  put("approval_mean_s", asked.length === 0 ? null : asked.reduce((a, b) => a + b, 0) / asked.length);
}
