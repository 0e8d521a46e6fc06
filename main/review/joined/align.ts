import type { ReviewSource } from "#contract/review";
import { findOffset } from "../offset";
import type { Column, LogReader } from "../reader";

type Found = ReviewSource["offset"];

/** A quantity that does not depend on the frame it was measured in, and where logs keep it. */
interface Signal {
  readonly name: string;
  readonly fields: readonly (readonly [topic: string, fields: readonly string[]])[];
  /** One field as it is (times `sign`), or the length of the vector of several. */
  readonly sign?: Readonly<Record<string, number>>;
}

const TURN: Signal = {
  name: "turn rate",
  fields: [
    ["vehicle_angular_velocity", ["xyz[0]", "xyz[1]", "xyz[2]"]],
    ["sensor_combined", ["gyro_rad[0]", "gyro_rad[1]", "gyro_rad[2]"]],
    ["ATTITUDE", ["rollspeed", "pitchspeed", "yawspeed"]],
    ["ATTITUDE_QUATERNION", ["rollspeed", "pitchspeed", "yawspeed"]],
    ["IMU", ["GyrX", "GyrY", "GyrZ"]],
    ["*imu*", ["angular_velocity.x", "angular_velocity.y", "angular_velocity.z"]],
  ],
};
const SPEED: Signal = {
  name: "speed",
  fields: [
    ["vehicle_local_position", ["vx", "vy", "vz"]],
    ["LOCAL_POSITION_NED", ["vx", "vy", "vz"]],
    ["/kingfisher/vehicle", ["velocity_enu_m_s[0]", "velocity_enu_m_s[1]", "velocity_enu_m_s[2]"]],
    ["XKF1", ["VN", "VE", "VD"]],
    ["*odom*", ["twist.twist.linear.x", "twist.twist.linear.y", "twist.twist.linear.z"]],
  ],
};
const HEIGHT: Signal = {
  name: "height",
  fields: [
    ["vehicle_local_position", ["z"]],
    ["LOCAL_POSITION_NED", ["z"]],
    ["/kingfisher/vehicle", ["position_enu_m[2]"]],
    ["XKF1", ["PD"]],
    ["*odom*", ["pose.pose.position.z"]],
  ],
  sign: { vehicle_local_position: -1, LOCAL_POSITION_NED: -1, XKF1: -1 },
};
const SIGNALS = [TURN, HEIGHT, SPEED];

/** Below this the best place is a guess and the clocks, where there are any, are believed instead. */
export const TRUSTED_CORRELATION = 0.6;
/** How wrong two computers' clocks may be before a search around them would miss. */
const CLOCK_ERROR_S = 120;
const SEARCH_MAX_S = 1800;

function signalOf(reader: LogReader, signal: Signal): Column | null {
  for (const [wanted, fields] of signal.fields) {
    const topic = reader.topics.find(({ name, count }) => count > 20 && matches(name, wanted));
    const columns = topic && fields.map((field) => reader.column(topic.name, field));
    const [first] = columns ?? [];
    if (!columns || !first || columns.some((c) => c?.values.length !== first.values.length)) continue;
    if (columns.length === 1) {
      const sign = signal.sign?.[wanted] ?? 1;
      return sign === 1 ? first : { ...first, values: first.values.map((v) => sign * v) };
    }
    const values = first.values.map((_, i) => Math.hypot(...columns.map((c) => c?.values[i] ?? Number.NaN)));
    return { t_s: first.t_s, values, unit: first.unit };
  }
  return null;
}

const matches = (name: string, wanted: string): boolean =>
  wanted.startsWith("*")
    ? name.toLowerCase().includes(wanted.slice(1, -1))
    : name === wanted || name === `${wanted}#0` || name === `${wanted}[0]`;

/**
 * Where `other` lies on the clock of `reference`. What both measured (turn rate, height, speed) is laid over each other
 * around where the clocks put it, or anywhere when they have none; the most alike quantity decides.
 */
export function align(reference: LogReader, other: LogReader): Found {
  const clock_s =
    reference.start_utc_ms !== null && other.start_utc_ms !== null
      ? (other.start_utc_ms - reference.start_utc_ms) / 1000
      : null;
  let best: Found | null = null;
  for (const signal of SIGNALS) {
    const mine = signalOf(reference, signal);
    const theirs = mine && signalOf(other, signal);
    if (!mine || !theirs) continue;
    const found = around(mine, theirs, clock_s ?? 0, clock_s === null ? SEARCH_MAX_S : CLOCK_ERROR_S);
    if (found !== null && (best === null || found.correlation > (best.correlation ?? 0)))
      best = { ...found, how: "correlated", signal: signal.name };
  }
  if (best !== null && (best.correlation ?? 0) >= TRUSTED_CORRELATION) return best;
  const unsure = { correlation: best?.correlation ?? null, signal: best?.signal ?? "" };
  if (clock_s !== null) return { offset_s: clock_s, how: "clock", ...unsure };
  return { offset_s: 0, how: "none", ...unsure };
}

/** `findOffset` wants at least half of its first signal covered: the shorter log goes first. */
function around(
  mine: Column,
  theirs: Column,
  guess_s: number,
  most_s: number,
): { offset_s: number; correlation: number } | null {
  const moved: Column = { ...theirs, t_s: theirs.t_s.map((t) => t + guess_s) };
  const within_s = Math.min(most_s, Math.max(span(mine), span(theirs)));
  if (span(theirs) >= span(mine)) {
    const found = findOffset(mine, moved, within_s);
    return found && { offset_s: guess_s + found.offset_s, correlation: found.correlation };
  }
  const found = findOffset(moved, mine, within_s);
  return found && { offset_s: guess_s - found.offset_s, correlation: found.correlation };
}

const span = ({ t_s }: Column): number => (t_s.at(-1) ?? 0) - (t_s[0] ?? 0);
