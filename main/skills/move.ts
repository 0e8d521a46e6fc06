import type { SkillCall } from "#contract/skills";
import type { Plan } from "../safety/plan";
import { moveTolerance, settledSince } from "./arrival";
import { beginEngage, type Engage, stepEngage } from "./engage";
import type { SkillInput, SkillStep } from "./port";
import { rampPose } from "./ramp";

interface Common {
  readonly kind: "move";
  readonly call: SkillCall;
  readonly plan: Plan;
  readonly began_ms: number;
  readonly timeout_ms: number;
}

export type Move = Common &
  (
    | { readonly phase: "engage"; readonly engage: Engage }
    | { readonly phase: "fly"; readonly since_ms: number; readonly settled_ms: number | null }
  );

export const startMove = (call: SkillCall, plan: Plan, now_ms: number): Move => ({
  kind: "move",
  call,
  plan,
  began_ms: now_ms,
  timeout_ms: (2 * plan.duration_s + 8) * 1000,
  phase: "engage",
  engage: beginEngage(now_ms),
});

/** Turns and translations of fixed size: a ramped setpoint from the planned start, then still for 0.8 s within 8 cm and 3 degrees. */
export function stepMove(state: Move, input: SkillInput): SkillStep<Move> {
  const { vehicle, now_ms, limits } = input;
  const { start, end } = state.plan;
  const step = { state, setpoint: start, request: null, outcome: null } as const;
  if (state.phase === "engage") {
    const { engage, done, ask, failed } = stepEngage(state.engage, input);
    if (failed !== null) return { ...step, outcome: { status: "failure", detail: failed } };
    const { kind, call, plan, began_ms, timeout_ms } = state;
    if (!done) return { ...step, state: { ...state, engage }, request: ask ? "offboard" : null };
    return stepMove(
      { kind, call, plan, began_ms, timeout_ms, phase: "fly", since_ms: now_ms, settled_ms: null },
      input,
    );
  }
  if (!vehicle.armed)
    return { ...step, outcome: { status: "failure", detail: "The vehicle disarmed in mid-move" } };
  const setpoint = rampPose(start, end, (now_ms - state.since_ms) / 1000, limits);
  const settled_ms = settledSince(state.settled_ms, vehicle, end, moveTolerance, now_ms);
  if (settled_ms !== null && now_ms - settled_ms >= moveTolerance.settle_ms && setpoint === end)
    return { ...step, setpoint: end, outcome: { status: "success", detail: "Arrived and settled" } };
  return { ...step, state: { ...state, settled_ms }, setpoint };
}
