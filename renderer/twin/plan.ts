import type { ApprovalCard, MissionState, Proposal } from "#contract/mission";
import type { Limits, Verdict } from "#contract/safety";
import type { Plan } from "./scene/plan-model";

/** The move to show as a ghost: the one that asks for approval, else the one being flown. Turning in place has a ghost and no path. */
export function planOf(card: ApprovalCard | null, mission: MissionState, limits: Limits): Plan | null {
  if (card !== null) return fromProposal(card.proposal, card.verdict, limits);
  if (mission.phase !== "executing") return null;
  const running = mission.steps.filter((s) => s.started_at_ms !== null && s.status === null).at(-1);
  return running === undefined ? null : fromProposal(running.proposal, running.verdict, limits);
}

export function fromProposal(proposal: Proposal, verdict: Verdict, limits: Limits): Plan | null {
  if (proposal.end === null) return null;
  const check = verdict.checks.find((c) => c.id === "clearance");
  return {
    id: proposal.id,
    path: proposal.path,
    end: proposal.end,
    clearance_m: check?.value ?? null,
    clearance_state: check?.status ?? "pass",
    radius_m: limits.vehicle_radius_m,
  };
}
