import type { SkillCall } from "#contract/skills";
import { followsSetpoints } from "#contract/vehicle";
import type { Plan } from "../safety/plan";
import type { SkillInput, SkillStep } from "./port";

export interface Land {
  readonly kind: "land";
  readonly call: SkillCall;
  readonly plan: Plan | null;
  readonly began_ms: number;
  readonly timeout_ms: number;
  readonly phase: "ask" | "descend";
  readonly since_ms: number;
  readonly asked_at_ms: number | null;
  readonly refusal: string | null;
}

const ask_again_ms = 1000;
const give_up_ms = 6000;
/** Slow descent from a high place, and the wait for the automatic disarm. */
const descend_max_ms = 60_000;

export const startLand = (call: SkillCall, plan: Plan | null, now_ms: number): Land => ({
  kind: "land",
  call,
  plan,
  began_ms: now_ms,
  timeout_ms: give_up_ms + descend_max_ms,
  phase: "ask",
  since_ms: now_ms,
  asked_at_ms: null,
  refusal: null,
});

/** Asks for AUTO.LAND, keeps the setpoint up until the heartbeat shows it, and is done when on the ground and disarmed. */
export function stepLand(state: Land, input: SkillInput): SkillStep<Land> {
  const { vehicle, now_ms, refused } = input;
  const refusal = refused?.request === "land" ? refused.reason : state.refusal;
  const step = { state: { ...state, refusal }, setpoint: null, request: null, outcome: null } as const;
  if (!vehicle.armed && vehicle.landed !== "in_air")
    return { ...step, outcome: { status: "success", detail: "On the ground and disarmed" } };
  if (state.phase === "descend") return step;
  if (vehicle.mode === "land")
    return { ...step, state: { ...step.state, phase: "descend", since_ms: now_ms } };
  const setpoint = followsSetpoints(vehicle.mode) ? (state.plan?.start ?? null) : null;
  if (now_ms - state.since_ms >= give_up_ms) {
    const detail = refusal ?? `The vehicle stayed in ${vehicle.mode_label} instead of landing`;
    return { ...step, setpoint, outcome: { status: "failure", detail } };
  }
  const due = state.asked_at_ms === null || now_ms - state.asked_at_ms >= ask_again_ms;
  if (!due) return { ...step, setpoint };
  return { ...step, state: { ...step.state, asked_at_ms: now_ms }, setpoint, request: "land" };
}
