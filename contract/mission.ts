import { z } from "zod";
import { EnuSchema } from "./frames";
import { PoseYaw } from "./geometry";
import { Verdict } from "./safety";
import { SkillCall, SkillId, Tier } from "./skills";

/** What a policy must answer (AERMANI-VLM: DRT with exactly four fields, and the skill to execute). */
export const Trace = z.strictObject({
  image_description: z.string().min(1),
  summary: z.string().min(1),
  /** One entry for every skill of the library. */
  action_predictions: z.array(z.strictObject({ skill: SkillId, outcome: z.string().min(1) })).readonly(),
  reasoning: z.string().min(1),
});
export type Trace = z.infer<typeof Trace>;

export const PolicyReply = z.strictObject({
  trace: Trace,
  /** The skill to execute (STE). */
  execute: SkillCall,
});
export type PolicyReply = z.infer<typeof PolicyReply>;

/** An answer that was refused: kept, shown struck out, counted (IAR). */
export const InvalidAnswer = z.strictObject({ attempt: z.number(), text: z.string(), reason: z.string() });
export type InvalidAnswer = z.infer<typeof InvalidAnswer>;

/** A move the reasoning loop would like flown. Not yet judged, so never sendable. */
export const Proposal = z.strictObject({
  id: z.string(),
  mission_id: z.string(),
  step: z.number().int(),
  call: SkillCall,
  tier: Tier,
  trace: Trace,
  policy: z.string(),
  latency_ms: z.number(),
  tokens: z.number().nullable(),
  attempt: z.number().int(),
  invalid: z.array(InvalidAnswer).readonly(),
  observation: z.strictObject({
    camera_seq: z.number().nullable(),
    captured_at_ms: z.number().nullable(),
  }),
  start: PoseYaw.nullable(),
  end: PoseYaw.nullable(),
  /** Swept path of the vehicle's centre, from start to end. */
  path: z.array(EnuSchema).readonly(),
  distance_m: z.number(),
  duration_s: z.number(),
  energy_wh: z.number(),
  created_at_ms: z.number(),
});
export type Proposal = z.infer<typeof Proposal>;

export const ApprovalCard = z.strictObject({
  /** Single-use plan token; a decision must carry it. */
  token: z.string(),
  proposal: Proposal,
  verdict: Verdict,
  /** `approve` | `veto`: what happens when time runs out is always "hold", except inside a veto window. */
  level: z.enum(["approve_each", "veto_window"]),
  opened_at_ms: z.number(),
  expires_at_ms: z.number(),
  /** Approve is dead until then. */
  dwell_until_ms: z.number(),
  hold_to_confirm: z.boolean(),
});
export type ApprovalCard = z.infer<typeof ApprovalCard>;

export const Decision = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("approve"), token: z.string() }),
  z.strictObject({
    kind: z.literal("approve_next"),
    token: z.string(),
    count: z.number().int().min(2).max(10),
  }),
  z.strictObject({ kind: z.literal("edit"), token: z.string(), args: z.record(z.string(), z.number()) }),
  z.strictObject({ kind: z.literal("reject"), token: z.string(), reason: z.string().min(1).max(500) }),
  z.strictObject({ kind: z.literal("take_over"), token: z.string() }),
]);
export type Decision = z.infer<typeof Decision>;

export const SkillStatus = z.enum(["success", "failure", "timeout", "stopped"]);
export type SkillStatus = z.infer<typeof SkillStatus>;

export const DecisionRecord = z.strictObject({
  kind: z.enum([
    "approved",
    "approved_in_batch",
    "auto_approved",
    "edited",
    "rejected",
    "expired",
    "voided",
    "refused",
  ]),
  by: z.string(),
  reason: z.string(),
  after_ms: z.number(),
});
export type DecisionRecord = z.infer<typeof DecisionRecord>;

export const StepRecord = z.strictObject({
  step: z.number().int(),
  proposal: Proposal,
  verdict: Verdict,
  decision: DecisionRecord.nullable(),
  started_at_ms: z.number().nullable(),
  ended_at_ms: z.number().nullable(),
  status: SkillStatus.nullable(),
  detail: z.string(),
});
export type StepRecord = z.infer<typeof StepRecord>;

export const MissionPhase = z.enum([
  "idle",
  "reasoning",
  "awaiting_approval",
  "executing",
  "held",
  "pilot",
  "complete",
  "failed",
]);
export type MissionPhase = z.infer<typeof MissionPhase>;

export const Execution = z.strictObject({
  call: SkillCall,
  phase: z.string(),
  progress: z.number(),
  elapsed_ms: z.number(),
  timeout_ms: z.number(),
  error_m: z.number().nullable(),
});
export type Execution = z.infer<typeof Execution>;

export const MissionState = z.strictObject({
  id: z.string().nullable(),
  command: z.string(),
  phase: MissionPhase,
  /** Why it is held, failed or under the pilot; empty otherwise. */
  why: z.string(),
  /** The command as understood, step by step, in words. */
  understood: z.array(z.string()).readonly(),
  policy: z.string(),
  started_at_ms: z.number().nullable(),
  steps: z.array(StepRecord).readonly(),
  execution: Execution.nullable(),
  /** Steps still approved in the running batch. */
  batch_left: z.number(),
});
export type MissionState = z.infer<typeof MissionState>;

/** No mission has been given. */
export const idleMission = (policy: string): MissionState => ({
  id: null,
  command: "",
  phase: "idle",
  why: "",
  understood: [],
  policy,
  started_at_ms: null,
  steps: [],
  execution: null,
  batch_left: 0,
});
