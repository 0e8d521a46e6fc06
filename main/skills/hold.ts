import type { SkillCall } from "#contract/skills";
import { skillLibrary } from "#contract/skills";
import { followsSetpoints } from "#contract/vehicle";
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
  const follows = followsSetpoints(vehicle.mode);
  const start = state.plan?.start ?? null;
  const step = { state, setpoint: follows ? start : null, request: null, outcome: null } as const;
  const hovers = follows || vehicle.mode === "hold" || !vehicle.armed;
  if (hovers && now_ms - state.began_ms >= state.duration_ms)
    return { ...step, outcome: { status: "success", detail: "Held" } };
  if (hovers || start === null) return step;
  const { engage, ask, failed } = stepEngage(state.engage, input);
  if (failed !== null) return { ...step, setpoint: start, outcome: { status: "failure", detail: failed } };
  return { ...step, state: { ...state, engage }, setpoint: start, request: ask ? "offboard" : null };
}
