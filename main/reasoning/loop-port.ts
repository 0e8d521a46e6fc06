import type { Enu } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type {
  DecisionRecord,
  InvalidAnswer,
  MissionState,
  Proposal,
  SkillStatus,
  StepRecord,
} from "#contract/mission";
import type { Result } from "#contract/result";
import type { Verdict } from "#contract/safety";
import type { SkillCall } from "#contract/skills";
import type { Clock } from "../platform/clock";
import type { Policy } from "./port";
import type { Observation } from "./prompt";

export interface PlannedMove {
  readonly start: PoseYaw;
  readonly end: PoseYaw;
  readonly path: readonly Enu[];
  readonly distance_m: number;
  readonly duration_s: number;
  readonly energy_wh: number;
}

/** What came of showing a proposal to the operator. `edited` asks for the same skill with other arguments. */
export type Answer =
  | { readonly kind: "approved"; readonly record: DecisionRecord }
  | {
      readonly kind: "edited";
      readonly args: Readonly<Record<string, number>>;
      readonly record: DecisionRecord;
    }
  | { readonly kind: "rejected" | "expired" | "voided" | "denied"; readonly record: DecisionRecord };

export type Flown =
  | { readonly kind: "ended"; readonly status: SkillStatus; readonly detail: string }
  /** The second judgement, on fresh state, said no: nothing moved. */
  | { readonly kind: "refused"; readonly verdict: Verdict; readonly detail: string };

/** What the mission loop needs of the station. It never sees the vehicle, the link or a `Cleared`. */
export interface LoopPorts {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly newId: () => string;
  observe(): Observation;
  plan(call: SkillCall): Result<PlannedMove, string>;
  judge(proposal: Proposal): Verdict;
  /** Shows the card; settles when it is decided, runs out or becomes void. */
  ask(proposal: Proposal, verdict: Verdict): Promise<Answer>;
  /** Judges again and flies; settles when the skill has ended. */
  fly(proposal: Proposal): Promise<Flown>;
  /** The mission cannot go on by itself: the vehicle shall hold where it is. */
  hold(why: string): void;
  changed(mission: MissionState): void;
  onProposal(proposal: Proposal, verdict: Verdict): void;
  onInvalid(answer: InvalidAnswer): void;
  onStep(step: StepRecord): void;
}
