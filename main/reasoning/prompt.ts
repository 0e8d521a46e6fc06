import { z } from "zod";
import { EnuSchema } from "#contract/frames";
import { PolicyReply, type StepRecord } from "#contract/mission";
import { type SkillCall, SkillId, skillLibrary } from "#contract/skills";

/** What is seen and known at the moment of asking: RGB-D summary and pose (AERMANI-VLM: o_t = {I_t, q_t}). */
export const Observation = z.strictObject({
  camera_seq: z.number().nullable(),
  captured_at_ms: z.number().nullable(),
  position_enu_m: EnuSchema.nullable(),
  yaw_enu_rad: z.number().nullable(),
  armed: z.boolean(),
  in_air: z.boolean(),
  /** Free distance straight ahead, metres; null when not measured. */
  ahead_m: z.number().nullable(),
  brightness: z.number().nullable(),
  objects: z
    .array(
      z.strictObject({
        label: z.string(),
        seen: z.boolean(),
        range_m: z.number(),
        /** Bearing from straight ahead, positive to the left, radians. */
        bearing_rad: z.number(),
      }),
    )
    .readonly(),
});
export type Observation = z.infer<typeof Observation>;

export const HistoryItem = z.strictObject({
  step: z.number().int(),
  skill: SkillId,
  args: z.record(z.string(), z.number()),
  /** What became of it: the skill's own end, or the operator's refusal. */
  status: z.enum(["success", "failure", "timeout", "stopped", "rejected", "expired", "voided", "refused"]),
  detail: z.string(),
  /** Full trace for the newest three, one line for older ones (design default E3). */
  trace: PolicyReply.shape.trace.nullable(),
});
export type HistoryItem = z.infer<typeof HistoryItem>;

/** P_t = {command, preamble, history, skill library, rules} (AERMANI-VLM section III-B), plus what is observed now. */
export const Prompt = z.strictObject({
  command: z.string(),
  preamble: z.string(),
  history: z.array(HistoryItem).readonly(),
  skill_library: z
    .array(z.strictObject({ skill: SkillId, what: z.string(), parameters: z.string() }))
    .readonly(),
  rules: z.array(z.string()).readonly(),
  observation: Observation,
  /** Why the previous answer to this very prompt was refused; empty on the first attempt. */
  correction: z.string(),
});
export type Prompt = z.infer<typeof Prompt>;

const preamble =
  "You supervise a hexarotor with an arm. You see what its camera sees and choose one skill at a time from a fixed library. " +
  "A gate judges every choice and an operator approves it before anything moves; you cannot approve, change limits or command the vehicle.";

const rules: readonly string[] = [
  "Answer with one JSON object and nothing else.",
  "`trace` has exactly image_description, summary, action_predictions and reasoning; action_predictions names every skill of the library once.",
  "`execute` names one skill of the library and only its own parameters.",
  "Describe only what the image and the observation show. An object that is not seen is not seen; it is not gone.",
  "Do not repeat or reverse a move that already succeeded unless the command asks for it.",
  "When a step was rejected, read the operator's reason and propose something else.",
  "Choose task_complete only when every part of the command has been carried out.",
];

const fullTraces = 3;
const maxHistory = 40;

function toHistory(steps: readonly StepRecord[]): HistoryItem[] {
  const ended = steps.filter((s) => s.status !== null || (s.decision !== null && !isApproval(s)));
  return ended.slice(-maxHistory).map((s, i, kept) => ({
    step: s.step,
    skill: s.proposal.call.skill,
    args: s.proposal.call.args,
    status: s.status ?? endOf(s),
    detail: s.status === null ? (s.decision?.reason ?? "") : s.detail,
    trace: i >= kept.length - fullTraces ? s.proposal.trace : null,
  }));
}

const isApproval = (s: StepRecord): boolean =>
  s.decision?.kind === "approved" ||
  s.decision?.kind === "approved_in_batch" ||
  s.decision?.kind === "auto_approved" ||
  s.decision?.kind === "edited";

function endOf(s: StepRecord): HistoryItem["status"] {
  switch (s.decision?.kind) {
    case "rejected":
    case "expired":
    case "voided":
    case "refused":
      return s.decision.kind;
    default:
      return "stopped";
  }
}

export function buildPrompt(input: {
  readonly command: string;
  readonly steps: readonly StepRecord[];
  readonly observation: Observation;
  readonly correction: string;
}): Prompt {
  return {
    command: input.command,
    preamble,
    history: toHistory(input.steps),
    skill_library: SkillId.options.map((skill) => {
      const spec = skillLibrary[skill];
      const parameters = Object.entries(spec.parameters)
        .map(
          ([name, p]) =>
            `${name}: ${String(p.min)} to ${String(p.max)} ${p.unit}, default ${String(p.default)}`,
        )
        .join("; ");
      return { skill, what: spec.what, parameters };
    }),
    rules,
    observation: input.observation,
    correction: input.correction,
  };
}

/** Missing arguments take the library's defaults. */
export function withDefaults(call: SkillCall): SkillCall {
  const args: Record<string, number> = {};
  for (const [name, p] of Object.entries(skillLibrary[call.skill].parameters))
    args[name] = call.args[name] ?? p.default;
  return { skill: call.skill, args };
}
