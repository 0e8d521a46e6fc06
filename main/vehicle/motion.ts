import {
  eulerFluEnu,
  frd,
  frdToFlu,
  ned,
  nedToEnu,
  type QuatFluEnu,
  type QuatFrdNed,
  quatFrdNedToFluEnu,
  rotate,
} from "#contract/frames";
import type { VehicleState } from "#contract/vehicle";
import { num, nums, type VehicleMessage } from "./message";
import { pointToSite, quatToSite, type SiteTransform, vectorToSite } from "./site-transform";

/** Late by more than this against the newest attitude: overtaken on the way, not news. */
const OVERTAKEN_ms = 250;
/** Back by more than this: the vehicle has restarted. */
const REBOOT_ms = 3000;

type Placed = "news" | "overtaken" | "rebooted";

function place(state: VehicleState, time_boot_ms: number): Placed {
  const newest = state.boot_time_ms;
  if (newest === null || time_boot_ms >= newest - OVERTAKEN_ms) return "news";
  return time_boot_ms < newest - REBOOT_ms ? "rebooted" : "overtaken";
}

/** What a restart makes void. */
const rebooted = (state: VehicleState): VehicleState => ({
  ...state,
  boot_time_ms: null,
  position_enu_m: null,
  velocity_enu_m_s: null,
  position_at_ms: null,
  home_enu_m: null,
  reset_counter: null,
  in_air_since_ms: null,
  arming: [],
});

export function attitudeQuaternion(
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform,
): VehicleState {
  const values = nums(message, ["time_boot_ms", "q1", "q2", "q3", "q4"]);
  if (values === null) return state;
  const [time_boot_ms, w, x, y, z] = values;
  return attitude(state, time_boot_ms, [w, x, y, z], now_ms, site);
}

export function attitudeEuler(
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform,
): VehicleState {
  const values = nums(message, ["time_boot_ms", "roll", "pitch", "yaw"]);
  if (values === null) return state;
  const [time_boot_ms, roll, pitch, yaw] = values;
  return attitude(state, time_boot_ms, quatFromEuler(roll, pitch, yaw), now_ms, site);
}

function attitude(
  state: VehicleState,
  time_boot_ms: number,
  q: QuatFrdNed,
  now_ms: number,
  site: SiteTransform,
): VehicleState {
  const placed = place(state, time_boot_ms);
  if (placed === "overtaken") return state;
  if (placed === "news" && state.boot_time_ms !== null && time_boot_ms <= state.boot_time_ms) return state;
  const norm = Math.hypot(...q);
  if (!(norm > 0.5 && norm < 1.5)) return state;
  const quat_flu_enu = quatToSite(site, quatFrdNedToFluEnu(q));
  return {
    ...(placed === "rebooted" ? rebooted(state) : state),
    quat_flu_enu,
    yaw_enu_rad: eulerFluEnu(quat_flu_enu).yaw_rad,
    attitude_at_ms: now_ms,
    boot_time_ms: time_boot_ms,
  };
}

export function localPosition(
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform,
): VehicleState {
  const values = nums(message, ["time_boot_ms", "x", "y", "z", "vx", "vy", "vz"]);
  if (values === null) return state;
  const [time_boot_ms, x, y, z, vx, vy, vz] = values;
  const placed = place(state, time_boot_ms);
  if (placed === "overtaken") return state;
  return {
    ...(placed === "rebooted" ? rebooted(state) : state),
    position_enu_m: pointToSite(site, ned(x, y, z)),
    velocity_enu_m_s: vectorToSite(site, nedToEnu(ned(vx, vy, vz))),
    position_at_ms: now_ms,
    estimate: { ...state.estimate, source: "local position", rate_hz: rate(state, now_ms) },
  };
}

/** Frames in which PX4 and ArduPilot send ODOMETRY: local NED or local FRD, with a body-FRD child. */
const LOCAL_NED = 1;
const LOCAL_FRD = 20;

/**
 * Reset counter and quality always; the position only while LOCAL_POSITION_NED is absent, so that it never jumps between
 * two sources (ArduPilot/MissionPlanner#3743).
 */
export function odometry(
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform,
): VehicleState {
  const reset_counter = num(message, "reset_counter");
  const quality = num(message, "quality");
  const failed = quality === -1;
  const next: VehicleState = {
    ...state,
    reset_counter: reset_counter ?? state.reset_counter,
    estimate: failed ? { ...state.estimate, health: "bad" } : state.estimate,
  };
  const frame_id = num(message, "frame_id");
  const values = nums(message, ["x", "y", "z", "vx", "vy", "vz"]);
  const alone = state.estimate.source !== "local position";
  if (failed || !alone || values === null || (frame_id !== LOCAL_NED && frame_id !== LOCAL_FRD)) return next;
  const [x, y, z, vx, vy, vz] = values;
  const q = quaternionField(message.fields["q"]);
  return {
    ...next,
    position_enu_m: pointToSite(site, ned(x, y, z)),
    velocity_enu_m_s: q === null ? null : vectorToSite(site, rotate(q, frdToFlu(frd(vx, vy, vz)))),
    position_at_ms: now_ms,
    estimate: { ...next.estimate, source: "odometry", rate_hz: rate(state, now_ms) },
  };
}

export function homePosition(
  state: VehicleState,
  message: VehicleMessage,
  _now_ms: number,
  site: SiteTransform,
): VehicleState {
  const values = nums(message, ["x", "y", "z"]);
  if (values === null) return state;
  return { ...state, home_enu_m: pointToSite(site, ned(values[0], values[1], values[2])) };
}

/** Smoothed over about ten messages. */
function rate(state: VehicleState, now_ms: number): number | null {
  if (state.position_at_ms === null) return null;
  const gap_ms = now_ms - state.position_at_ms;
  const before = state.estimate.rate_hz;
  if (before === null) return gap_ms > 0 ? 1000 / gap_ms : null;
  const gap_mean_ms = 1000 / before + (gap_ms - 1000 / before) * 0.1;
  return 1000 / Math.max(0.5, gap_mean_ms);
}

function quaternionField(value: unknown): QuatFluEnu | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const q = value.map(Number) as [number, number, number, number];
  const norm = Math.hypot(...q);
  return norm > 0.5 && norm < 1.5 ? quatFrdNedToFluEnu(q) : null;
}

/** Roll, pitch, yaw (Z-Y-X) of an FRD body in NED. */
function quatFromEuler(roll: number, pitch: number, yaw: number): QuatFrdNed {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}
