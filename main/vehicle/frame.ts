import { wrapPi } from "#contract/frames";
import { type Anchor, initialAnchor, stepAnchor } from "./anchor";
import { num, nums, type VehicleMessage } from "./message";
import type { SiteTransform } from "./site-transform";

interface Place {
  readonly time_ms: number;
  readonly local_ned_m: readonly [number, number, number];
  readonly velocity_ned_m_s: readonly [number, number, number];
}
interface Heading {
  readonly time_ms: number;
  readonly yaw_ned_rad: number;
  readonly rate_rad_s: number;
}

/**
 * The vehicle's local frame as the site sees it. A reset shows in the position first and in ODOMETRY's counter up to a
 * tenth of a second later; between the two nobody may believe the new position, or the world would jump there and back.
 */
export interface LocalFrame {
  readonly anchor: Anchor;
  readonly place: Place | null;
  readonly heading: Heading | null;
  /** Messages of an unexplained step, waiting for the counter, oldest first. */
  readonly held: readonly VehicleMessage[];
  readonly held_at_ms: number;
  /** Boot time of the step: odometry of that time or later decides. */
  readonly step_time_ms: number;
  readonly odometry_at_ms: number;
  /** Smoothed; null before the second one. */
  readonly odometry_hz: number | null;
  /** 0 to 100 of the newest odometry, -1 failed; null while unknown. */
  readonly quality: number | null;
}

export const initialFrame = (site?: SiteTransform): LocalFrame => ({
  anchor: initialAnchor(site),
  place: null,
  heading: null,
  held: [],
  held_at_ms: 0,
  step_time_ms: 0,
  odometry_at_ms: Number.NEGATIVE_INFINITY,
  odometry_hz: null,
  quality: null,
});

/** More than noise and gusts between two samples. */
const STEP_m = 0.15;
const STEP_rad = 0.2;
/** Odometry comes at 10 Hz; later than this the step stands as it was reported. */
const DECIDE_ms = 350;
/** Without odometry of late there is no counter to wait for. */
const ODOMETRY_FRESH_ms = 700;

export interface FrameStep {
  readonly frame: LocalFrame;
  /** What may be believed now, in order. */
  readonly pass: readonly VehicleMessage[];
  /** The estimator has just moved its frame; null otherwise. */
  readonly reset: { readonly jump_m: number; readonly turn_rad: number } | null;
}

/** One message of the vehicle's autopilot. `flying`: a world stands on the frame, so that a reset re-anchors it. */
export function stepFrame(
  frame: LocalFrame,
  message: VehicleMessage,
  flying: boolean,
  now_ms: number,
): FrameStep {
  if (message.name === "ODOMETRY") return odometry(frame, message, flying, now_ms);
  const moved = follow(frame, message);
  if (moved === null) return { frame, pass: [message], reset: null };
  const { next, time_ms, unexplained } = moved;
  const waits =
    frame.held.length > 0
      ? now_ms - frame.held_at_ms <= DECIDE_ms
      : flying && unexplained && now_ms - frame.odometry_at_ms <= ODOMETRY_FRESH_ms;
  if (!waits) return { frame: { ...next, held: [] }, pass: [...frame.held, message], reset: null };
  const began = frame.held.length === 0;
  return {
    frame: {
      ...next,
      held: [...frame.held, message],
      held_at_ms: began ? now_ms : frame.held_at_ms,
      step_time_ms: began ? time_ms : frame.step_time_ms,
    },
    pass: [],
    reset: null,
  };
}

/** The operator sets another transform: everything is seen from there. */
export const withSite = (frame: LocalFrame, site: SiteTransform): LocalFrame => ({
  ...frame,
  anchor: { ...frame.anchor, site },
});

function odometry(frame: LocalFrame, message: VehicleMessage, flying: boolean, now_ms: number): FrameStep {
  const anchor = stepAnchor(frame.anchor, message, flying);
  const quality = num(message, "quality");
  const next = {
    ...frame,
    anchor,
    odometry_at_ms: now_ms,
    odometry_hz: rate(frame, now_ms),
    // Zero is MAVLink's "not known", to senders from before the field.
    quality: quality === 0 ? null : quality,
  };
  if (anchor.resets !== frame.anchor.resets) {
    return {
      frame: { ...next, held: [] },
      pass: [...frame.held, message],
      reset: { jump_m: anchor.last_jump_m, turn_rad: anchor.last_turn_rad },
    };
  }
  const time_us = num(message, "time_usec");
  const decided = time_us !== null && time_us / 1000 >= frame.step_time_ms && now_ms - frame.held_at_ms > 0;
  return frame.held.length > 0 && decided
    ? { frame: { ...next, held: [] }, pass: [...frame.held, message], reset: null }
    : { frame: next, pass: [message], reset: null };
}

function rate(frame: LocalFrame, now_ms: number): number | null {
  const gap_ms = now_ms - frame.odometry_at_ms;
  if (!Number.isFinite(gap_ms) || gap_ms <= 0) return frame.odometry_hz;
  const before_ms = frame.odometry_hz === null ? gap_ms : 1000 / frame.odometry_hz;
  return 1000 / (before_ms + (gap_ms - before_ms) * 0.1);
}

/** Where position and heading have got to, and whether the motion explains it; null for other messages. */
function follow(
  frame: LocalFrame,
  message: VehicleMessage,
): { readonly next: LocalFrame; readonly time_ms: number; readonly unexplained: boolean } | null {
  if (message.name === "LOCAL_POSITION_NED") {
    const values = nums(message, ["time_boot_ms", "x", "y", "z", "vx", "vy", "vz"]);
    if (values === null) return null;
    const [time_ms, x, y, z, vx, vy, vz] = values;
    const place: Place = { time_ms, local_ned_m: [x, y, z], velocity_ned_m_s: [vx, vy, vz] };
    return { next: { ...frame, place }, time_ms, unexplained: stepped(frame.place, place) };
  }
  const heading = headingOf(message);
  if (heading === null) return null;
  return {
    next: { ...frame, heading },
    time_ms: heading.time_ms,
    unexplained: swung(frame.heading, heading),
  };
}

function headingOf(message: VehicleMessage): Heading | null {
  if (message.name === "ATTITUDE") {
    const values = nums(message, ["time_boot_ms", "yaw", "yawspeed"]);
    return values === null ? null : { time_ms: values[0], yaw_ned_rad: values[1], rate_rad_s: values[2] };
  }
  if (message.name !== "ATTITUDE_QUATERNION") return null;
  const values = nums(message, ["time_boot_ms", "q1", "q2", "q3", "q4", "yawspeed"]);
  if (values === null) return null;
  const [time_ms, w, x, y, z, rate_rad_s] = values;
  return { time_ms, yaw_ned_rad: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)), rate_rad_s };
}

function stepped(before: Place | null, now: Place): boolean {
  const dt_s = before === null ? 0 : (now.time_ms - before.time_ms) / 1000;
  if (before === null || !(dt_s > 0 && dt_s < 1)) return false;
  const off = now.local_ned_m.map(
    (value, i) => value - (before.local_ned_m[i] ?? 0) - (before.velocity_ned_m_s[i] ?? 0) * dt_s,
  );
  return Math.hypot(...off) >= STEP_m;
}

function swung(before: Heading | null, now: Heading): boolean {
  const dt_s = before === null ? 0 : (now.time_ms - before.time_ms) / 1000;
  if (before === null || !(dt_s > 0 && dt_s < 1)) return false;
  return Math.abs(wrapPi(now.yaw_ned_rad - before.yaw_ned_rad - before.rate_rad_s * dt_s)) >= STEP_rad;
}
