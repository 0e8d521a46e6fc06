import { unknownVehicle, type VehicleState } from "#contract/vehicle";
import { num, type VehicleMessage } from "./message";
import { modeOf, typeName } from "./modes";
import { attitudeEuler, attitudeQuaternion, homePosition, localPosition, odometry } from "./motion";
import { identitySite, type SiteTransform } from "./site-transform";
import {
  autopilotVersion,
  batteryStatus,
  ekfStatus,
  estimatorStatus,
  extendedSysState,
  statusText,
  sysStatus,
} from "./systems";

/** Silence after which a vehicle counts as gone; MAVLink heartbeats come at 1 Hz. */
export const HEARTBEAT_TIMEOUT_ms = 3000;

/** Nothing is known yet. */
export const initialVehicle = (): VehicleState => unknownVehicle;

type Reducer = (
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform,
) => VehicleState;

const reducers: Readonly<Record<string, Reducer>> = {
  SYS_STATUS: sysStatus,
  BATTERY_STATUS: batteryStatus,
  EXTENDED_SYS_STATE: extendedSysState,
  AUTOPILOT_VERSION: autopilotVersion,
  ESTIMATOR_STATUS: estimatorStatus,
  EKF_STATUS_REPORT: ekfStatus,
  STATUSTEXT: statusText,
  ATTITUDE: attitudeEuler,
  ATTITUDE_QUATERNION: attitudeQuaternion,
  LOCAL_POSITION_NED: localPosition,
  ODOMETRY: odometry,
  HOME_POSITION: homePosition,
};

/**
 * The vehicle after one message. Pure; the same state comes back when the message is not the vehicle's or says nothing new.
 *
 * Only the autopilot speaks for the vehicle: heartbeats of its cameras, companions and of other ground stations never
 * change mode or armed state (ArduPilot/ardupilot#7088). The first autopilot heard is the vehicle until it has been silent
 * for 3 s and another is heard.
 */
export function reduceVehicle(
  state: VehicleState,
  message: VehicleMessage,
  now_ms: number,
  site: SiteTransform = identitySite,
): VehicleState {
  if (message.name === "HEARTBEAT") return heartbeat(state, message, now_ms);
  if (message.system_id !== state.system_id || message.component_id !== state.component_id) return state;
  const reducer = Object.hasOwn(reducers, message.name) ? reducers[message.name] : undefined;
  return reducer === undefined ? state : reducer(state, message, now_ms, site);
}

/** The vehicle as time goes by: what has not been heard for too long is no longer claimed. */
export function ageVehicle(state: VehicleState, now_ms: number): VehicleState {
  const connected = state.heartbeat_at_ms !== null && now_ms - state.heartbeat_at_ms <= HEARTBEAT_TIMEOUT_ms;
  const estimateStale =
    state.estimate.source !== "none" &&
    (state.position_at_ms === null || now_ms - state.position_at_ms > ESTIMATE_TIMEOUT_ms);
  if (connected === state.connected && !estimateStale) return state;
  return {
    ...state,
    connected,
    estimate: estimateStale
      ? { source: "none", health: "unknown", horizontal_sigma_m: null, rate_hz: null }
      : state.estimate,
  };
}

const ESTIMATE_TIMEOUT_ms = 2000;

/** Counts of the parameter service, which alone knows which ones have come. */
export function withParameters(state: VehicleState, received: number, count: number | null): VehicleState {
  return state.parameters.received === received && state.parameters.count === count
    ? state
    : { ...state, parameters: { received, count } };
}

const MAIN_AUTOPILOT = 1;
const AUTOPILOT_INVALID = 8;
/** GCS, onboard controller, gimbal, ADS-B, camera, charging station, and other types that never are the vehicle. */
const notVehicles = new Set([6, 5, 18, 26, 27, 30, 31, 32, 33, 34, 36, 38, 39, 40, 41, 42, 44, 45]);

function heartbeat(state: VehicleState, message: VehicleMessage, now_ms: number): VehicleState {
  const type_id = num(message, "type");
  const autopilotId = num(message, "autopilot");
  const custom_mode = num(message, "custom_mode");
  const base_mode = num(message, "base_mode");
  const system_status = num(message, "system_status");
  if (type_id === null || autopilotId === null || custom_mode === null || base_mode === null) return state;
  if (autopilotId === AUTOPILOT_INVALID || notVehicles.has(type_id)) return state;
  const before = speaksFor(state, message, now_ms);
  if (before === null) return state;
  const autopilot = autopilotId === 12 ? "px4" : autopilotId === 3 ? "ardupilot" : "other";
  const { mode, label } = modeOf(autopilot, type_id, custom_mode);
  const armed = (base_mode & 128) !== 0;
  return {
    ...before,
    system_id: message.system_id,
    component_id: message.component_id,
    autopilot,
    type: typeName(type_id),
    type_id,
    connected: true,
    heartbeat_at_ms: now_ms,
    mode,
    mode_label: label,
    custom_mode,
    armed,
    system_status,
    failsafe: system_status === 5 || system_status === 6 || system_status === 8,
    // Once armed, the reasons not to arm are history.
    arming: armed ? before.arming.filter((issue) => issue.severity === "warns") : before.arming,
  };
}

/** The state that this heartbeat continues: ours, a fresh one for a new vehicle, or null when it is not to be heeded. */
function speaksFor(state: VehicleState, message: VehicleMessage, now_ms: number): VehicleState | null {
  if (state.system_id === null) return state;
  if (message.system_id === state.system_id) {
    if (message.component_id === state.component_id) return state;
    // An autopilot on another component was heard first; the main one is the vehicle.
    return message.component_id === MAIN_AUTOPILOT ? { ...initialVehicle() } : null;
  }
  const gone = state.heartbeat_at_ms === null || now_ms - state.heartbeat_at_ms > HEARTBEAT_TIMEOUT_ms;
  return gone ? initialVehicle() : null;
}
