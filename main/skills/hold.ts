import type { SkillCall } from "#contract/skills";
import { skillLibrary } from "#contract/skills";
import type { Plan } from "../safety/plan";
import { beginEngage, type Engage, stepEngage } from "./engage";
import type { SkillInput, SkillStep } from "./port";

export interface Hold {
  readonly kind: "hold";
  readonly call: SkillCall;
  readonly plan: Plan | null;
  readonly began_ms: number;
  readonly timeout_ms: number;
  readonly duration_ms: number;
  readonly phase: "hover";
  readonly engage: Engage;
}

export function startHold(call: SkillCall, plan: Plan | null, now_ms: number): Hold {
  const duration_s = call.args["duration_s"] ?? skillLibrary.hold.parameters["duration_s"]?.default ?? 3;
  return {
    kind: "hold",
    call,
    plan,
    began_ms: now_ms,
    timeout_ms: duration_s * 1000 + 10_000,
    duration_ms: duration_s * 1000,
    phase: "hover",
    engage: beginEngage(now_ms),
  };
}

/** Hovers for its time: by setpoints in offboard, by the vehicle itself in hold mode; from any other mode it goes offboard first. */
export function stepHold(state: Hold, input: SkillInput): SkillStep<Hold> {
  const { vehicle, now_ms } = input;
  const step = { state, setpoint: null, request: null, outcome: null } as const;
  if (
    now_ms - state.began_ms >= state.duration_ms &&
    (vehicle.mode === "hold" || vehicle.mode === "offboard" || !vehicle.armed)
  )
    return {
      ...step,
      setpoint: vehicle.mode === "offboard" ? startOf(state) : null,
      outcome: { status: "success", detail: "Held" },
    };
  if (!vehicle.armed || vehicle.mode === "hold" || state.plan === null) return step;
  const { engage, ask, failed } = stepEngage(state.engage, input);
  if (failed !== null)
    return { ...step, setpoint: startOf(state), outcome: { status: "failure", detail: failed } };
  return { ...step, state: { ...state, engage }, setpoint: startOf(state), request: ask ? "offboard" : null };
}

const startOf = (state: Hold) => state.plan?.start ?? null;
