import { enu } from "#contract/frames";
import type { Proposal } from "#contract/mission";
import type { GateCheck, Verdict } from "#contract/safety";
import type { SkillCall } from "#contract/skills";
import {
  type ApprovalConfig,
  type ApprovalEvent,
  type ApprovalStep,
  initialApprovals,
  stepApprovals,
} from "../../main/dispatch/approvals";
import { hovering, proposalOf, standing } from "./flight";

export const asking: ApprovalConfig = { mode: "ask", timeout_s: 30, veto_window: false, simulation: true };
export const at_ms = 10_000;
export const check = (id: GateCheck["id"], status: GateCheck["status"]): GateCheck => ({
  id,
  label: id,
  status,
  hard: true,
  value: 1,
  needed: 1,
  unit: "",
  sense: "at_least",
  margin: 0,
  detail: "so and so",
});
export const passing: Verdict = { at_ms, pass: true, checks: [check("clearance", "pass")] };
export const failing: Verdict = { at_ms, pass: false, checks: [check("clearance", "fail")] };
export const forward = (x = 0): Proposal =>
  proposalOf({ skill: "forward", args: {} }, hovering(0, { position_enu_m: enu(x, 0, 1.7) }));
export const of = (call: SkillCall): Proposal =>
  proposalOf(call, call.skill === "take_off" ? standing() : hovering());
export const open = (proposal: Proposal, verdict = passing, token = "t1"): ApprovalEvent => ({
  kind: "open",
  token,
  proposal,
  verdict,
});
export const decide = (decision: unknown): ApprovalEvent => ({ kind: "decide", decision, by: "operator 1" });
export const approve = decide({ kind: "approve", token: "t1" });

/** Steps through events at their times and gives every step's result. */
export function run(events: readonly (readonly [number, ApprovalEvent])[], config = asking): ApprovalStep[] {
  let state = initialApprovals;
  return events.map(([t, event]) => {
    const step = stepApprovals(state, event, config, t);
    state = step.state;
    return step;
  });
}
export const last = (steps: readonly ApprovalStep[]): ApprovalStep => steps.at(-1)!;
