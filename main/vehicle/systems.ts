import type { Health, VehicleState } from "#contract/vehicle";
import { firmwareName, gitHash } from "./firmware";
import { armingReason, sensorIssues, subsystemsOf, textIssue } from "./health";
import { num, nums, text, type VehicleMessage } from "./message";

export function sysStatus(state: VehicleState, message: VehicleMessage): VehicleState {
  const bits = nums(message, [
    "onboard_control_sensors_present",
    "onboard_control_sensors_enabled",
    "onboard_control_sensors_health",
  ]);
  if (bits === null) return state;
  const { ready, issues } = sensorIssues(...bits);
  // Texts and events stand until the vehicle says that it is ready.
  const told = ready === true ? [] : state.arming.filter((issue) => !issue.id.startsWith("sensor:"));
  const millivolt = num(message, "voltage_battery");
  const centiampere = num(message, "current_battery");
  const percent = num(message, "battery_remaining");
  return {
    ...state,
    subsystems: subsystemsOf(...bits),
    arming: state.armed ? issues.filter((issue) => issue.severity === "warns") : [...issues, ...told],
    battery: {
      ...state.battery,
      voltage_v: millivolt === null || millivolt === 0xffff || millivolt === 0 ? null : millivolt / 1000,
      current_a: centiampere === null || centiampere < 0 ? null : centiampere / 100,
      remaining: percent === null || percent < 0 ? null : Math.min(1, percent / 100),
    },
  };
}

const MAIN_BATTERY = 0;

export function batteryStatus(state: VehicleState, message: VehicleMessage): VehicleState {
  if (num(message, "id") !== MAIN_BATTERY) return state;
  const seconds = num(message, "time_remaining");
  const percent = num(message, "battery_remaining");
  const centiampere = num(message, "current_battery");
  const cells = message.fields["voltages"];
  const known = Array.isArray(cells) ? cells.map(Number).filter((mv) => mv > 0 && mv < 0xffff) : [];
  const voltage_v = known.length > 0 ? known.reduce((a, b) => a + b, 0) / 1000 : state.battery.voltage_v;
  return {
    ...state,
    battery: {
      remaining: percent !== null && percent >= 0 ? Math.min(1, percent / 100) : state.battery.remaining,
      voltage_v,
      current_a: centiampere !== null && centiampere >= 0 ? centiampere / 100 : state.battery.current_a,
      minutes_left: seconds !== null && seconds > 0 ? seconds / 60 : null,
    },
  };
}

const landedStates = ["unknown", "on_ground", "in_air", "takeoff", "landing"] as const;

export function extendedSysState(state: VehicleState, message: VehicleMessage, now_ms: number): VehicleState {
  const landed = landedStates[num(message, "landed_state") ?? 0] ?? "unknown";
  const flying = landed === "in_air" || landed === "takeoff" || landed === "landing";
  const in_air_since_ms = flying
    ? (state.in_air_since_ms ?? now_ms)
    : landed === "on_ground"
      ? null
      : state.in_air_since_ms;
  return landed === state.landed && in_air_since_ms === state.in_air_since_ms
    ? state
    : { ...state, landed, in_air_since_ms };
}

export function autopilotVersion(state: VehicleState, message: VehicleMessage): VehicleState {
  return {
    ...state,
    firmware: firmwareName(num(message, "flight_sw_version") ?? 0),
    git_hash: gitHash(state.autopilot, message.fields["flight_custom_version"]),
  };
}

/** ESTIMATOR_STATUS flags (https://mavlink.io/en/messages/common.html#ESTIMATOR_STATUS_FLAGS). */
const ATTITUDE = 1;
const POS_HORIZ = 8 | 16;
const POS_VERT = 32;
const CONST_POS_MODE = 128;
const ACCEL_ERROR = 2048;

export function estimatorStatus(state: VehicleState, message: VehicleMessage): VehicleState {
  const flags = num(message, "flags");
  if (flags === null) return state;
  const ratios = ["pos_horiz_ratio", "pos_vert_ratio", "vel_ratio"].map((name) => num(message, name) ?? 0);
  return {
    ...state,
    estimate: {
      ...state.estimate,
      health: estimateHealth(flags, Math.max(...ratios)),
      horizontal_sigma_m: num(message, "pos_horiz_accuracy"),
    },
  };
}

/** ArduPilot's equivalent; its variances are test ratios too, 1 being the limit. */
export function ekfStatus(state: VehicleState, message: VehicleMessage): VehicleState {
  const flags = num(message, "flags");
  if (flags === null) return state;
  const names = ["pos_horiz_variance", "pos_vert_variance", "velocity_variance"];
  const ratios = names.map((name) => num(message, name) ?? 0);
  return {
    ...state,
    estimate: { ...state.estimate, health: estimateHealth(flags & 0x3ff, Math.max(...ratios)) },
  };
}

/** A test ratio above 1 means that measurements are being rejected; from 0.7 on it is near that. */
function estimateHealth(flags: number, worstRatio: number): Health {
  const positioned = (flags & POS_HORIZ) !== 0 && (flags & POS_VERT) !== 0;
  if ((flags & ATTITUDE) === 0 || !positioned || (flags & CONST_POS_MODE) !== 0) return "bad";
  if ((flags & ACCEL_ERROR) !== 0 || worstRatio > 1) return "bad";
  return worstRatio > 0.7 ? "degraded" : "good";
}

const LATEST_REASONS = 20;

/** Refusals to arm that come as text. A chunk continues the issue that its first chunk opened. */
export function statusText(state: VehicleState, message: VehicleMessage): VehicleState {
  const chunkId = num(message, "id") ?? 0;
  const chunkSeq = num(message, "chunk_seq") ?? 0;
  const piece = text(message, "text");
  if (chunkId !== 0 && chunkSeq > 0) return continueIssue(state, `text:#${String(chunkId)}:`, piece);
  const reason = armingReason(piece);
  if (reason === null || state.armed) return state;
  const id = chunkId === 0 ? `text:${reason}` : `text:#${String(chunkId)}:${reason}`;
  if (state.arming.some((issue) => issue.id === id)) return state;
  return { ...state, arming: [...state.arming, textIssue(id, reason)].slice(-LATEST_REASONS) };
}

function continueIssue(state: VehicleState, prefix: string, piece: string): VehicleState {
  const index = state.arming.findIndex((issue) => issue.id.startsWith(prefix));
  const open = state.arming[index];
  if (open === undefined) return state;
  const arming = [...state.arming];
  arming[index] = { ...open, text: open.text + piece };
  return { ...state, arming };
}
