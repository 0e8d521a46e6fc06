import type { ApprovalCard, DecisionRecord, MissionState, Proposal, StepRecord } from "#contract/mission";
import type { SkillCall } from "#contract/skills";
import { skillLibrary } from "#contract/skills";
import { fixed, length, seconds, type Units } from "../ui/format";

/** One line of the trace: a step that is over, or the proposal that waits for a decision. */
export interface TraceStep {
  readonly proposal: Proposal;
  readonly record: StepRecord | null;
}

/** So that the card can point at its step. */
export const stepElementId = (proposal: Proposal): string => `step-${proposal.id}`;

/** Newest first. The waiting card's proposal leads unless its record is already among the steps. */
export function traceOf(mission: MissionState, card: ApprovalCard | null): readonly TraceStep[] {
  const steps = mission.steps.map((record) => ({ proposal: record.proposal, record })).reverse();
  const waiting = card !== null && !steps.some(({ proposal }) => proposal.id === card.proposal.id);
  return waiting ? [{ proposal: card.proposal, record: null }, ...steps] : steps;
}

/** "Take off to 1.5 m": the skill's title with its arguments. */
export function callTitle(call: SkillCall, units: Units): string {
  const { title, parameters } = skillLibrary[call.skill];
  const args = Object.entries(parameters).map(([name, spec]) => {
    const value = call.args[name] ?? spec.default;
    return spec.unit === "m" ? length(value, units, 1) : `${fixed(value, 0)} s`;
  });
  return [title, ...args].join(" · ");
}

const decided: Readonly<Record<DecisionRecord["kind"], string>> = {
  approved: "approved",
  approved_in_batch: "approved in a batch",
  auto_approved: "approved automatically",
  edited: "edited",
  rejected: "rejected",
  expired: "time ran out",
  voided: "void",
  refused: "refused",
};

/** "approved in 2.1 s by operator 1", "rejected: too close". */
export function decisionText(decision: DecisionRecord | null): string {
  if (decision === null) return "waiting for a decision";
  const { kind, after_ms, by, reason } = decision;
  if (kind === "approved" || kind === "edited") {
    return `${decided[kind]} in ${seconds(after_ms, 1)}${by === "" ? "" : ` by ${by}`}`;
  }
  return reason === "" ? decided[kind] : `${decided[kind]}: ${reason}`;
}

const ended = { success: "succeeded", failure: "failed", timeout: "timed out", stopped: "stopped" } as const;

/** How a step came out; "running" between start and end; empty while nothing has started. */
export function resultText(record: StepRecord): string {
  if (record.status !== null) {
    const took =
      record.started_at_ms !== null && record.ended_at_ms !== null
        ? ` in ${seconds(record.ended_at_ms - record.started_at_ms, 1)}`
        : "";
    const why = record.status !== "success" && record.detail !== "" ? `: ${record.detail}` : "";
    return `${ended[record.status]}${took}${why}`;
  }
  return record.started_at_ms === null ? "" : "running";
}

export type StepMark = "waiting" | "running" | "done" | "failed" | "refused";

/** The state of a step as one of five signs. */
export function markOf(record: StepRecord | null): StepMark {
  if (record === null) return "waiting";
  if (record.status === "success") return "done";
  if (record.status !== null) return "failed";
  const kind = record.decision?.kind;
  if (kind === "rejected" || kind === "expired" || kind === "voided" || kind === "refused") return "refused";
  return record.started_at_ms === null ? "waiting" : "running";
}
