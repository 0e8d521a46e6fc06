import type { Enu } from "#contract/frames";
import type { FrameReport, TrackedObject } from "#contract/perception";
import { minus, norm } from "./vec";

/** What the monitor may know of the vehicle while the picture was taken. All of it is optional. */
export interface MonitorContext {
  /** Raised by the estimator when it jumps (MAVLink ODOMETRY.reset_counter). */
  readonly reset_counter?: number | null;
  readonly position_enu_m?: Enu | null;
  readonly velocity_enu_m_s?: Enu | null;
  readonly yaw_rate_rad_s?: number;
  /** Objects that the running skill is meant to move. */
  readonly exempt?: ReadonlySet<string>;
}

/** One position of an object that is fit to be judged. */
export interface Sighting {
  readonly at: Enu;
  /** One standard deviation, the vehicle's own motion included. */
  readonly sigma_m: number;
  /** Unit vector from the vehicle to the object; null when the vehicle's position is not given. */
  readonly view: Enu | null;
}

const confidence_min = 0.5;
/** Pose is interpolated to the exposure; this much of timing error remains. */
const pose_time_sigma_s = 0.01;
/** A box this close to the image's edge is cut off, and the centre of what is left is not the object's centre. */
const border_share = 0.01;
/** Smaller than this share of its known size: partly hidden. */
const whole_share = 0.7;

/** Null when the object is not seen, not sure, cut by the image's border, partly hidden, or has a NaN anywhere. */
export function sighting(
  object: TrackedObject,
  known_size_m: TrackedObject["size_m"] | null,
  report: FrameReport,
  context: MonitorContext,
): Sighting | null {
  if (!object.seen || !(object.confidence >= confidence_min)) return null;
  if (!object.position_enu_m.every((x) => Number.isFinite(x)) || !(object.sigma_m >= 0)) return null;
  if (atBorder(object.box_px, report) || partlyHidden(object.size_m, known_size_m)) return null;
  const speed_m_s = context.velocity_enu_m_s ? norm(context.velocity_enu_m_s) : 0;
  const sweep_m_s = Math.hypot(speed_m_s, object.range_m * (context.yaw_rate_rad_s ?? 0));
  const pose_time_s = Math.hypot(pose_time_sigma_s, (report.pose_gap_ms ?? 0) / 1000);
  const sigma_m = Math.hypot(object.sigma_m, sweep_m_s * pose_time_s);
  if (!Number.isFinite(sigma_m)) return null;
  return {
    at: object.position_enu_m,
    sigma_m,
    view: direction(context.position_enu_m ?? null, object.position_enu_m),
  };
}

function atBorder(box: TrackedObject["box_px"], report: FrameReport): boolean {
  if (box === null) return false;
  const [x, y, w, h] = box;
  const edge = Math.max(2, border_share * report.width);
  return !(x >= edge && y >= edge && x + w <= report.width - edge && y + h <= report.height - edge);
}

function partlyHidden(size_m: TrackedObject["size_m"], known_m: TrackedObject["size_m"] | null): boolean {
  if (known_m === null) return false;
  // Longest sides: turning or tipping exchanges them, hiding shortens them.
  return !(Math.max(...size_m) >= whole_share * Math.max(...known_m));
}

function direction(from: Enu | null, to: Enu): Enu | null {
  if (from === null) return null;
  const [x, y, z] = minus(to, from);
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : null;
}

/** Angle between two view directions, radians; 0 when either is not known. */
export function viewChange(a: Enu | null, b: Enu | null): number {
  if (a === null || b === null) return 0;
  return Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
}
