import type { Execution } from "#contract/mission";
import { invariant } from "#contract/result";
import type { SkillCall } from "#contract/skills";
import type { Plan } from "../safety/plan";
import { poseError } from "./arrival";
import { type Hold, startHold, stepHold } from "./hold";
import { type Land, startLand, stepLand } from "./land";
import { type Move, startMove, stepMove } from "./move";
import type { SkillInput, SkillRunner, SkillStep } from "./port";
import { startTakeOff, stepTakeOff, type TakeOff } from "./take-off";

/** Says that the command has been carried out; nothing moves. */
interface Complete {
  readonly kind: "complete";
  readonly call: SkillCall;
  readonly plan: Plan | null;
  readonly began_ms: number;
  readonly timeout_ms: number;
  readonly phase: "done";
}

export type SkillState = TakeOff | Land | Hold | Move | Complete;

function start(call: SkillCall, plan: Plan | null, now_ms: number): SkillState {
  switch (call.skill) {
    case "task_complete":
      return { kind: "complete", call, plan, began_ms: now_ms, timeout_ms: 1000, phase: "done" };
    case "land":
      return startLand(call, plan, now_ms);
    case "hold":
      return startHold(call, plan, now_ms);
    case "take_off":
      return startTakeOff(call, planned(plan), now_ms);
    default:
      return startMove(call, planned(plan), now_ms);
  }
}

function planned(plan: Plan | null): Plan {
  invariant(plan !== null, "the gate clears no move without a plan");
  return plan;
}

function advance(state: SkillState, input: SkillInput): SkillStep<SkillState> {
  switch (state.kind) {
    case "take_off":
      return stepTakeOff(state, input);
    case "land":
      return stepLand(state, input);
    case "hold":
      return stepHold(state, input);
    case "move":
      return stepMove(state, input);
    case "complete":
      return {
        state,
        setpoint: null,
        request: null,
        outcome: { status: "success", detail: "Declared complete" },
      };
  }
}

/** One step of any skill; whatever takes longer than its time-out ends there, phrased so that a NaN time ends it too. */
function step(state: SkillState, input: SkillInput): SkillStep<SkillState> {
  const next = advance(state, input);
  if (next.outcome !== null || input.now_ms - state.began_ms < state.timeout_ms) return next;
  const error = state.plan === null ? null : poseError(input.vehicle, state.plan.end);
  const missed = error === null ? "" : `, ${error.position_m.toFixed(2)} m from where it should be`;
  const detail = `Not done after ${(state.timeout_ms / 1000).toFixed(0)} s${missed}`;
  return { ...next, request: null, outcome: { status: "timeout", detail } };
}

function execution(state: SkillState, { vehicle, now_ms }: SkillInput): Execution {
  const error_m = state.plan === null ? null : (poseError(vehicle, state.plan.end)?.position_m ?? null);
  return {
    call: state.call,
    phase: state.phase,
    progress: progressOf(state, vehicle, now_ms),
    elapsed_ms: now_ms - state.began_ms,
    timeout_ms: state.timeout_ms,
    error_m,
  };
}

/** Share of the way covered, 0 to 1; of the time for skills that stay in place. */
function progressOf(state: SkillState, vehicle: SkillInput["vehicle"], now_ms: number): number {
  const share = (part: number): number => (part > 0 ? Math.min(1, part) : 0);
  if (state.kind === "complete") return 1;
  if (state.kind === "hold") return share((now_ms - state.began_ms) / state.duration_ms);
  if (state.phase === "engage" || state.phase === "arm" || state.phase === "ask" || state.plan === null)
    return 0;
  const left = poseError(vehicle, state.plan.end);
  if (left === null) return 0;
  if (state.plan.distance_m > 0) return share(1 - left.position_m / state.plan.distance_m);
  const turn_rad = poseErrorYaw(state.plan);
  return turn_rad > 0 ? share(1 - left.yaw_rad / turn_rad) : 1;
}

const poseErrorYaw = ({ start: from, end }: Plan): number =>
  Math.abs(
    Math.atan2(Math.sin(end.yaw_enu_rad - from.yaw_enu_rad), Math.cos(end.yaw_enu_rad - from.yaw_enu_rad)),
  );

/** The built-in skills, each a pure step machine. */
export const skillRunner: SkillRunner<SkillState> = { start, step, execution };
