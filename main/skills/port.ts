import type { PoseYaw } from "#contract/geometry";
import type { Execution, SkillStatus } from "#contract/mission";
import type { Limits } from "#contract/safety";
import type { SkillCall } from "#contract/skills";
import type { VehicleState } from "#contract/vehicle";
import type { Plan } from "../safety/plan";

/** What a skill may ask of the vehicle beside following its setpoint. */
export type SkillRequest =
  | "offboard"
  | "arm"
  | "land"
  /** ArduPilot: leave the ground up to the height of the plan's end. */
  | "takeoff";

export interface SkillInput {
  readonly vehicle: VehicleState;
  readonly now_ms: number;
  readonly limits: Limits;
  /** Who arms: on hardware the pilot does, by RC, and the skill waits. */
  readonly arming: "station" | "pilot";
  /** The vehicle's refusal of the last request; acceptance is not told, because only the heartbeat is believed. */
  readonly refused: { readonly request: SkillRequest; readonly reason: string } | null;
}

export interface SkillOutcome {
  readonly status: SkillStatus;
  readonly detail: string;
}

export interface SkillStep<S> {
  readonly state: S;
  /** Where the vehicle should be now; null when nothing is to be streamed. */
  readonly setpoint: PoseYaw | null;
  readonly request: SkillRequest | null;
  /** Set once, when the skill has ended. */
  readonly outcome: SkillOutcome | null;
}

/** The library as dispatch sees it: opaque states and a pure step. Stepped at 20 Hz or more. */
export interface SkillRunner<S> {
  start(call: SkillCall, plan: Plan | null, now_ms: number): S;
  step(state: S, input: SkillInput): SkillStep<S>;
  execution(state: S, input: SkillInput): Execution;
}
