import { enu } from "#contract/frames";
import type { FrameReport, TrackedObject } from "#contract/perception";
import type { SafetyState } from "#contract/safety";
import type { StationStatus } from "#contract/station";
import type { LinkStatus, VehicleState } from "#contract/vehicle";

/** The aircraft, its link, camera and surroundings in the sample flight (samples.ts), all at this moment. */
export const sample_now_ms = 161_000;
const now_ms = sample_now_ms;

export const sampleVehicle: VehicleState = {
  system_id: 1,
  component_id: 1,
  autopilot: "px4",
  type: "Hexa 650 · arm",
  type_id: 13,
  firmware: "1.17.0",
  git_hash: "d6f12ad1",
  connected: true,
  heartbeat_at_ms: now_ms - 200,
  mode: "offboard",
  mode_label: "Offboard",
  custom_mode: 393216,
  armed: true,
  landed: "in_air",
  system_status: 4,
  failsafe: false,
  position_enu_m: enu(-0.18, 1.42, 1.63),
  velocity_enu_m_s: enu(0.01, 0.02, 0),
  position_at_ms: now_ms - 20,
  quat_flu_enu: [0.7071, 0, 0, 0.7071],
  yaw_enu_rad: Math.PI / 2,
  attitude_at_ms: now_ms - 10,
  boot_time_ms: 170_000,
  reset_counter: 0,
  home_enu_m: enu(0, 0, 0),
  battery: { remaining: 0.71, voltage_v: 22.9, current_a: 31.2, minutes_left: 11.2 },
  estimate: { source: "Vision", health: "good", horizontal_sigma_m: 0.014, rate_hz: 48 },
  subsystems: [
    { name: "gyroscope", health: "good" },
    { name: "accelerometer", health: "good" },
    { name: "vision position", health: "good" },
    { name: "battery", health: "good" },
    { name: "rc receiver", health: "unknown" },
  ],
  arming: [
    {
      id: "rc",
      severity: "warns",
      text: "No RC receiver",
      advice: "In simulation this is expected; on hardware switch the transmitter on.",
    },
  ],
  failsafes: [],
  in_air_since_ms: now_ms - 148_000,
  parameters: { received: 214, count: 214 },
};

export const sampleLink: LinkStatus = {
  address: "sim://office?seed=1",
  primary: true,
  state: "open",
  advice: "",
  bytes_per_s: 21_400,
  frames_per_s: 412,
  loss: 0,
  faults: { bad_checksum: 0, unknown_message: 3 },
  last_frame_at_ms: now_ms - 4,
  signing: "off",
};

export const sampleStation: StationStatus = {
  address: "sim://office?seed=1",
  vehicle_kind: "embedded",
  simulation: true,
  scene: "office",
  seed: 1,
  recording: "/home/operator/.kingfisher/flights/2026-11-30T23-40-00/flight.mcap",
  now_ms,
  utc_ms: 1_796_082_000_000,
  emergency: (["hold", "land", "kill"] as const).map((action) => ({
    action,
    state: "idle" as const,
    detail: "",
    at_ms: null,
  })),
  site: {
    schema: 1,
    name: "office",
    seed: 1,
    shapes: [
      {
        id: "floor",
        kind: "box",
        centre_enu_m: enu(0, 1, -0.05),
        half_m: [4, 4, 0.05],
        yaw_enu_rad: 0,
        colour: [0.35, 0.36, 0.38],
        role: "floor",
      },
      {
        id: "table",
        kind: "box",
        centre_enu_m: enu(0.1, 3, 0.7),
        half_m: [0.8, 0.4, 0.03],
        yaw_enu_rad: 0,
        colour: [0.55, 0.43, 0.29],
        role: "furniture",
      },
      {
        id: "shelf",
        kind: "box",
        centre_enu_m: enu(-2.4, 3.2, 0.9),
        half_m: [0.5, 0.2, 0.9],
        yaw_enu_rad: 0.2,
        colour: [0.4, 0.4, 0.42],
        role: "furniture",
      },
    ],
    fence: { min_enu_m: enu(-3.5, -2.5, 0), max_enu_m: enu(3.5, 4.5, 2.8) },
    pad_enu_m: enu(0, 0, 0),
  },
  pushable: ["cup", "can", "box", "banana"],
};

const object = (
  id: string,
  label: string,
  x_m: number,
  confidence: number,
  box_px: TrackedObject["box_px"],
  colour: TrackedObject["colour"],
): TrackedObject => ({
  id,
  label,
  confidence,
  seen: box_px !== null,
  last_seen_at_ms: box_px === null ? now_ms - 6000 : now_ms - 40,
  position_enu_m: enu(x_m, 2.9, 0.8),
  size_m: [0.08, 0.08, 0.12],
  sigma_m: 0.006,
  range_m: 1.6,
  box_px,
  colour,
});

export const samplePerception: FrameReport = {
  camera: "wrist",
  seq: 1480,
  captured_at_ms: now_ms - 41,
  width: 320,
  height: 240,
  frames_per_s: 10,
  latency_ms: 41,
  depth_range_m: [0.52, 4],
  localised: true,
  objects: [
    object("o1", "red cylinder", -0.25, 0.94, [84, 92, 34, 48], [0.72, 0.14, 0.18]),
    object("o2", "grey cylinder", 0.05, 0.88, [146, 84, 26, 54], [0.5, 0.54, 0.57]),
    object("o3", "beige box", 0.4, 0.91, [202, 92, 66, 42], [0.78, 0.72, 0.6]),
    object("o4", "yellow object", -0.6, 0.71, null, [0.88, 0.75, 0.27]),
  ],
  brightness: 0.46,
  depth_share: 0.93,
  ahead_m: 1.31,
};

export const sampleSafety: SafetyState = {
  profile: "flight",
  score: 97.4,
  level: "ok",
  worst: "yellow object",
  worst_displacement_m: 0.017,
  seen: 3,
  total: 4,
  objects: samplePerception.objects.map((tracked) => ({
    id: tracked.id,
    label: tracked.label,
    state: tracked.seen ? "seen" : "not_seen",
    baseline_enu_m: tracked.position_enu_m,
    position_enu_m: tracked.position_enu_m,
    size_m: tracked.size_m,
    colour: tracked.colour,
    displacement_m: tracked.id === "o4" ? 0.017 : 0.003,
    deadband_m: 0.018,
    score: tracked.id === "o4" ? 97.4 : 100,
    last_seen_at_ms: tracked.last_seen_at_ms,
  })),
  frame_seq: 1480,
  at_ms: now_ms - 30,
};
