import type { Alert } from "#contract/alerts";
import { enu } from "#contract/frames";
import type { Snapshot } from "#contract/ipc";
import type { ApprovalCard, MissionState, Proposal, StepRecord, Trace } from "#contract/mission";
import type { GateCheck, Verdict } from "#contract/safety";
import { defaultSettings } from "#contract/settings";
import { type SkillCall, type SkillId, SkillId as SkillIds, skillLibrary } from "#contract/skills";
import {
  sample_now_ms,
  sampleLink,
  samplePerception,
  sampleSafety,
  sampleStation,
  sampleVehicle,
} from "./sample-flight";

/** A flight of the embedded vehicle in the office, six steps into its mission, as one consistent picture at `sample_now_ms`. */
const now_ms = sample_now_ms;

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
