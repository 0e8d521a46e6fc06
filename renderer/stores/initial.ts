import type { MissionState } from "#contract/mission";
import type { SafetyState } from "#contract/safety";
import type { StationStatus } from "#contract/station";
import type { VehicleState } from "#contract/vehicle";

/** What the stores hold until the station has spoken: nothing is known, nothing is claimed. */
export const unknownStation: StationStatus = {
  address: "",
  vehicle_kind: "none",
  simulation: false,
  scene: "",
  seed: null,
  recording: null,
  now_ms: 0,
  utc_ms: 0,
  emergency: [],
  site: null,
  pushable: [],
};

export const unknownVehicle: VehicleState = {
  system_id: null,
  component_id: null,
  autopilot: "unknown",
  type: "",
  type_id: null,
  firmware: null,
  git_hash: null,
  connected: false,
  heartbeat_at_ms: null,
  mode: "unknown",
  mode_label: "",
  custom_mode: null,
  armed: false,
  landed: "unknown",
  system_status: null,
  failsafe: false,
  position_enu_m: null,
  velocity_enu_m_s: null,
  position_at_ms: null,
  quat_flu_enu: null,
  yaw_enu_rad: null,
  attitude_at_ms: null,
  boot_time_ms: null,
  reset_counter: null,
  home_enu_m: null,
  battery: { remaining: null, voltage_v: null, current_a: null, minutes_left: null },
  estimate: { source: "", health: "unknown", horizontal_sigma_m: null, rate_hz: null },
  subsystems: [],
  arming: [],
  failsafes: [],
  in_air_since_ms: null,
  parameters: { received: 0, count: null },
};

export const noMission: MissionState = {
  id: null,
  command: "",
  phase: "idle",
  why: "",
  understood: [],
  policy: "",
  started_at_ms: null,
  steps: [],
  execution: null,
  batch_left: 0,
};

export const nothingWatched: SafetyState = {
  profile: "flight",
  score: null,
  level: "unknown",
  worst: null,
  worst_displacement_m: 0,
  seen: 0,
  total: 0,
  objects: [],
  frame_seq: null,
  at_ms: 0,
};
