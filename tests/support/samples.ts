import type { Alert } from "#contract/alerts";
import { enu } from "#contract/frames";
import type { Snapshot } from "#contract/ipc";
import type { ApprovalCard, MissionState, Proposal, StepRecord, Trace } from "#contract/mission";
import type { FrameReport, TrackedObject } from "#contract/perception";
import type { GateCheck, SafetyState, Verdict } from "#contract/safety";
import { defaultSettings } from "#contract/settings";
import { type SkillCall, type SkillId, SkillId as SkillIds, skillLibrary } from "#contract/skills";
import type { StationStatus } from "#contract/station";
import type { LinkStatus, VehicleState } from "#contract/vehicle";

/** A flight of the embedded vehicle in the office, six steps into its mission, as one consistent picture at `sample_now_ms`. */
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

const outcomes: Readonly<Record<SkillId, string>> = {
  take_off: "already in flight",
  land: "ends the flight before the command is done",
  hold: "nothing changes",
  yaw_left: "turns away from where the command leads",
  yaw_right: "turns 30° towards the right, as asked next",
  forward: "1.31 m free ahead; both moves asked for are done",
  backward: "undoes the last step",
  left: "free, but not asked for",
  right: "free, but not asked for",
  up: "1.93 m, below the ceiling; not asked for",
  down: "nearer the table",
  task_complete: "too early: a turn and the landing are left",
};

export const sampleTrace = (chosen: SkillId): Trace => ({
  image_description:
    "A table with a red cylinder at its left, a grey cylinder beside it and a beige box. Nothing stands in front of them; 1.31 m are free straight ahead.",
  summary: "Took off to 1.5 m and moved forward twice. The turn to the right is next, then the landing.",
  action_predictions: SkillIds.options.map((skill) => ({ skill, outcome: outcomes[skill] })),
  reasoning: `The next part of the command is to turn right, and ${skillLibrary[chosen].title.toLowerCase()} does it in place. The air around the vehicle is clear by 0.31 m more than needed.`,
});

const check = (
  id: GateCheck["id"],
  label: string,
  status: GateCheck["status"],
  figures: readonly [number, number, string, GateCheck["sense"]] | null,
  margin: number | null,
  detail: string,
): GateCheck => ({
  id,
  label,
  status,
  hard: true,
  value: figures?.[0] ?? null,
  needed: figures?.[1] ?? null,
  unit: figures?.[2] ?? "",
  sense: figures?.[3] ?? "at_least",
  margin,
  detail,
});

export const sampleVerdict: Verdict = {
  at_ms: now_ms - 4000,
  pass: true,
  checks: [
    check(
      "clearance",
      "Clearance, table",
      "caution",
      [0.31, 0.25, "m", "at_least"],
      0.24,
      "tightest 0.4 m ahead",
    ),
    check("observation_fresh", "Picture fresh", "pass", [400, 1000, "ms", "at_most"], 0.6, ""),
    check("ceiling", "Below the ceiling", "pass", [1.63, 2.6, "m", "at_most"], 0.78, ""),
    check("battery", "Battery for the way home", "pass", [0.71, 0.3, "share", "at_least"], 1.2, ""),
    check("link_fresh", "Link fresh", "pass", [200, 1500, "ms", "at_most"], 0.87, ""),
    check("geofence", "Inside the fence", "pass", [1.9, 0, "m", "at_least"], 2, ""),
    check("vehicle_healthy", "Armed and healthy", "pass", null, null, "armed, no failsafe"),
    check("position_valid", "Position valid", "pass", [0.014, 0.1, "m", "at_most"], 0.86, ""),
    check("displacement", "Nothing has moved", "pass", [97.4, 70, "", "at_least"], 0.9, ""),
    check("skill_known", "Skill in the library", "pass", null, null, "yaw_right"),
    check("arguments", "Arguments in range", "pass", null, null, "none"),
    check("mode_ours", "Mode is ours", "pass", null, null, "offboard"),
  ],
};

export function sampleProposal(step: number, call: SkillCall): Proposal {
  const at = enu(-0.18, 1.42, 1.63);
  return {
    id: `proposal-${step}`,
    mission_id: "mission-1",
    step,
    call,
    tier: skillLibrary[call.skill].tier,
    trace: sampleTrace(call.skill),
    policy: "rules",
    latency_ms: 12,
    tokens: null,
    attempt: 1,
    invalid: [],
    observation: { camera_seq: 1478, captured_at_ms: now_ms - 300 },
    start: { position_enu_m: at, yaw_enu_rad: Math.PI / 2 },
    end: { position_enu_m: enu(-0.18, 1.92, 1.63), yaw_enu_rad: Math.PI / 3 },
    path: [at, enu(-0.18, 1.67, 1.63), enu(-0.18, 1.92, 1.63)],
    distance_m: 0.5,
    duration_s: 4.2,
    energy_wh: 0.9,
    created_at_ms: now_ms - 4200,
  };
}

const done = (step: number, call: SkillCall, after_ms: number): StepRecord => ({
  step,
  proposal: sampleProposal(step, call),
  verdict: sampleVerdict,
  decision: { kind: "approved", by: "operator 1", reason: "", after_ms },
  started_at_ms: now_ms - 60_000 + step * 8000,
  ended_at_ms: now_ms - 60_000 + step * 8000 + 5200,
  status: "success",
  detail: "reached",
});

export const sampleSteps: readonly StepRecord[] = [
  done(1, { skill: "take_off", args: { altitude_m: 1.5 } }, 3100),
  done(2, { skill: "forward", args: {} }, 2400),
  {
    ...done(3, { skill: "up", args: {} }, 6200),
    decision: { kind: "rejected", by: "operator 1", reason: "not needed", after_ms: 6200 },
    started_at_ms: null,
    ended_at_ms: null,
    status: null,
    detail: "",
  },
  done(4, { skill: "forward", args: {} }, 2100),
];

export const sampleCard: ApprovalCard = {
  token: "token-5",
  proposal: {
    ...sampleProposal(5, { skill: "yaw_right", args: {} }),
    attempt: 2,
    invalid: [
      {
        attempt: 1,
        text: '{"execute": {"skill": "rotate_right", "args": {"angle": 30}}, "approved": true}',
        reason: "no skill is called rotate_right",
      },
    ],
  },
  verdict: sampleVerdict,
  level: "approve_each",
  opened_at_ms: now_ms - 4000,
  expires_at_ms: now_ms + 26_000,
  dwell_until_ms: now_ms - 3000,
  hold_to_confirm: false,
};

export const sampleMission: MissionState = {
  id: "mission-1",
  command: "take off, move forward twice, turn right and land",
  phase: "awaiting_approval",
  why: "",
  understood: ["take off to 1.5 m", "forward 0.5 m twice", "turn right 30°", "land"],
  policy: "rules",
  started_at_ms: now_ms - 161_000,
  steps: sampleSteps,
  execution: null,
  batch_left: 0,
};

export const sampleAlerts: readonly Alert[] = [
  {
    id: "displacement:o4",
    severity: "caution",
    text: "yellow object moved 1.7 cm",
    action: "Watch it; the flight stops at 5 cm",
    count: 3,
    first_at_ms: now_ms - 21_000,
    last_at_ms: now_ms - 2000,
    acknowledged_by: null,
  },
  {
    id: "rc",
    severity: "advisory",
    text: "No RC receiver",
    action: "Expected in simulation",
    count: 1,
    first_at_ms: now_ms - 150_000,
    last_at_ms: now_ms - 150_000,
    acknowledged_by: "operator 1",
  },
];

export const sampleSnapshot: Snapshot = {
  station: sampleStation,
  vehicle: sampleVehicle,
  links: [sampleLink],
  mission: sampleMission,
  approval: sampleCard,
  safety: sampleSafety,
  perception: samplePerception,
  alerts: sampleAlerts,
  settings: defaultSettings,
};
