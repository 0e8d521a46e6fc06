import type { Proposal } from "#contract/mission";
import type { CheckId, GateCheck, Verdict } from "#contract/safety";
import type { SkillId } from "#contract/skills";
import { argumentsInRange } from "./checks/arguments";
import { battery } from "./checks/battery";
import { ceiling } from "./checks/ceiling";
import type { Check, CheckInput, Finding } from "./checks/check";
import { clearance } from "./checks/clearance";
import { displacementCalm } from "./checks/displacement";
import { geofence } from "./checks/geofence";
import { linkFresh } from "./checks/link-fresh";
import { modeOurs } from "./checks/mode-ours";
import { observationFresh } from "./checks/observation-fresh";
import { positionValid } from "./checks/position-valid";
import { skillKnown } from "./checks/skill-known";
import { vehicleHealthy } from "./checks/vehicle-healthy";
import type { JudgeContext } from "./context";
import { type Plan, planSkill } from "./plan";

declare const brand: unique symbol;

/** A proposal that {@link judge} passed, with the plan it passed for. Only this module mints one, so only judged moves fly. */
export interface Cleared {
  readonly [brand]: true;
  readonly proposal: Proposal;
  /** Planned from the state it was judged on; null for skills that go nowhere while the position is unknown. */
  readonly plan: Plan | null;
  readonly verdict: Verdict;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly cleared: Cleared | null;
}

const checks: Readonly<Record<CheckId, Check>> = {
  link_fresh: linkFresh,
  vehicle_healthy: vehicleHealthy,
  position_valid: positionValid,
  battery,
  geofence,
  ceiling,
  clearance,
  observation_fresh: observationFresh,
  skill_known: skillKnown,
  arguments: argumentsInRange,
  displacement: displacementCalm,
  mode_ours: modeOurs,
};
const everyCheck = Object.keys(checks) as CheckId[];

/** Which checks are asked at all, and which of them block. What does not block is still shown. */
interface Profile {
  readonly asked: readonly CheckId[];
  readonly hard: ReadonlySet<CheckId>;
}

const form: readonly CheckId[] = ["skill_known", "arguments"];
const moving: Profile = { asked: everyCheck, hard: new Set(everyCheck) };
const profiles: Readonly<Partial<Record<SkillId, Profile>>> = {
  /** Coming down is always allowed while there is a link to ask for it and the pilot does not fly. */
  land: { asked: everyCheck, hard: new Set<CheckId>([...form, "link_fresh", "mode_ours"]) },
  /** Staying is never blocked by the state of vehicle or world; the pilot's control is not taken for it. */
  hold: { asked: everyCheck, hard: new Set<CheckId>([...form, "mode_ours"]) },
  /** Words only: nothing moves. */
  task_complete: { asked: form, hard: new Set(form) },
};

/**
 * Judges one proposal on the state as it is now and names every margin, worst first.
 *
 * The path is planned anew from `context.vehicle`: the path in the proposal is what the operator was shown, and it is
 * never trusted. Pure; `now_ms` and all ages are readings of the station's monotonic clock.
 */
export function judge(proposal: Proposal, context: JudgeContext, now_ms: number): Judgement {
  const known = skillKnown({ proposal, plan: null, context, now_ms }).status === "pass";
  const planned = known ? planSkill(proposal.call, context.vehicle, context) : null;
  const plan = planned?.ok === true ? planned.value : null;
  const profile = (known ? profiles[proposal.call.skill] : undefined) ?? moving;
  const input: CheckInput = { proposal, plan, context, now_ms };
  const found = profile.asked.map((id) => weigh(checks[id](input), profile.hard.has(id)));
  const verdict: Verdict = {
    at_ms: now_ms,
    pass: found.every((check) => check.status !== "fail"),
    checks: [...found].sort(worstFirst),
  };
  return { verdict, cleared: verdict.pass ? mint(proposal, plan, verdict) : null };
}

const mint = (proposal: Proposal, plan: Plan | null, verdict: Verdict): Cleared =>
  Object.freeze({ proposal, plan, verdict }) as unknown as Cleared;

/** A failure that does not block is a caution: "fail" always means no. */
const weigh = (finding: Finding, hard: boolean): GateCheck => ({
  ...finding,
  status: finding.status === "fail" && !hard ? "caution" : finding.status,
  hard,
});

const severity = { fail: 0, caution: 1, pass: 2 } as const;

function worstFirst(a: GateCheck, b: GateCheck): number {
  const by = severity[a.status] - severity[b.status];
  if (by !== 0) return by;
  const left = a.margin ?? -Infinity;
  const right = b.margin ?? -Infinity;
  return left < right ? -1 : left > right ? 1 : 0;
}
