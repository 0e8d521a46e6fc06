import type { PoseYaw } from "#contract/geometry";
import type { SkillCall } from "#contract/skills";
import { followsSetpoints } from "#contract/vehicle";
import type { Plan } from "../safety/plan";
import { settledSince, takeOffTolerance } from "./arrival";
import { beginEngage, type Engage, stepEngage } from "./engage";
import type { SkillInput, SkillStep } from "./port";
import { rampPose } from "./ramp";

interface Common {
  readonly kind: "take_off";
  readonly call: SkillCall;
  readonly plan: Plan;
  readonly began_ms: number;
  readonly timeout_ms: number;
}

export type TakeOff = Common &
  (
    | { readonly phase: "engage"; readonly engage: Engage }
    | {
        readonly phase: "arm";
        readonly since_ms: number;
        readonly asked_at_ms: number | null;
        readonly refusal: string | null;
      }
    | {
        /** ArduPilot leaves the ground by a command of its own and heeds setpoints afterwards. */
        readonly phase: "lift";
        readonly since_ms: number;
        readonly asked_at_ms: number | null;
        readonly refusal: string | null;
      }
    | {
        readonly phase: "climb";
        readonly since_ms: number;
        readonly settled_ms: number | null;
        /** Where the ramp begins: the pad, or where the vehicle's own take-off ended. */
        readonly from: PoseYaw;
      }
  );

type Step = SkillStep<TakeOff>;

/** An armed flag can come 1.4 s after the acknowledgement (qgroundcontrol#10810); asking again is harmless. */
const ask_again_ms = 2000;
const arm_give_up_ms = 7000;
const pilot_arm_give_up_ms = 60_000;
const lift_give_up_ms = 8000;
/** So far up the vehicle's own take-off has done its part. */
const lifted_share = 0.85;

export const startTakeOff = (call: SkillCall, plan: Plan, now_ms: number): TakeOff => ({
  kind: "take_off",
  call,
  plan,
  began_ms: now_ms,
  timeout_ms: (2 * plan.duration_s + 20) * 1000,
  phase: "engage",
  engage: beginEngage(now_ms),
});

/** Streams the present position, enters offboard, arms, climbs along a ramp, and has arrived when it hovers there for a second. */
export function stepTakeOff(state: TakeOff, input: SkillInput): Step {
  switch (state.phase) {
    case "engage": {
      const { engage, done, ask, failed } = stepEngage(state.engage, input);
      if (failed !== null) return ended(state, "failure", failed);
      if (done)
        return onward({
          ...common(state),
          phase: "arm",
          since_ms: input.now_ms,
          asked_at_ms: null,
          refusal: null,
        });
      return { ...onward({ ...state, engage }), request: ask ? "offboard" : null };
    }
    case "arm":
      return stepArm(state, input);
    case "lift":
      return stepLift(state, input);
    case "climb":
      return stepClimb(state, input);
  }
}

const common = ({ call, plan, began_ms, timeout_ms }: TakeOff): Common => ({
  kind: "take_off",
  call,
  plan,
  began_ms,
  timeout_ms,
});

const onward = (state: TakeOff): Step => ({
  state,
  setpoint: state.plan.start,
  request: null,
  outcome: null,
});

const ended = (state: TakeOff, status: "success" | "failure", detail: string): Step => ({
  state,
  setpoint: status === "success" ? state.plan.end : state.plan.start,
  request: null,
  outcome: { status, detail },
});

function stepArm(state: TakeOff & { readonly phase: "arm" }, input: SkillInput): Step {
  const { vehicle, now_ms, refused, arming } = input;
  const refusal = refused?.request === "arm" ? refused.reason : state.refusal;
  if (vehicle.armed)
    return vehicle.autopilot === "ardupilot"
      ? stepLift(
          { ...common(state), phase: "lift", since_ms: now_ms, asked_at_ms: null, refusal: null },
          input,
        )
      : onward(climb(state, state.plan.start, now_ms));
  if (!followsSetpoints(vehicle.mode))
    return ended(state, "failure", `The vehicle left offboard for ${vehicle.mode_label} before it was armed`);
  const waited_ms = now_ms - state.since_ms;
  if (arming === "pilot")
    return waited_ms >= pilot_arm_give_up_ms
      ? ended(state, "failure", "The pilot did not arm within a minute")
      : onward({ ...state, refusal });
  if (waited_ms >= arm_give_up_ms) return ended(state, "failure", notArmed(input, refusal));
  const due = state.asked_at_ms === null || now_ms - state.asked_at_ms >= ask_again_ms;
  if (!due) return onward({ ...state, refusal });
  return { ...onward({ ...state, refusal, asked_at_ms: now_ms }), request: "arm" };
}

const climb = (state: TakeOff, from: PoseYaw, now_ms: number): TakeOff => ({
  ...common(state),
  phase: "climb",
  since_ms: now_ms,
  settled_ms: null,
  from,
});

/** Nothing is streamed meanwhile: a setpoint would end the vehicle's take-off on the ground. */
function stepLift(state: TakeOff & { readonly phase: "lift" }, input: SkillInput): Step {
  const { vehicle, now_ms, refused } = input;
  const refusal = refused?.request === "takeoff" ? refused.reason : state.refusal;
  const still = (next: TakeOff): Step => ({ ...onward(next), setpoint: null });
  const give = (detail: string): Step => ({ ...ended(state, "failure", detail), setpoint: null });
  if (!vehicle.armed) return give("The vehicle disarmed before it left the ground");
  const { start, end } = state.plan;
  const z_m = vehicle.position_enu_m?.[2] ?? Number.NaN;
  const whole_m = end.position_enu_m[2] - start.position_enu_m[2];
  const lifted_m = z_m - start.position_enu_m[2];
  if (lifted_m >= lifted_share * whole_m && vehicle.position_enu_m !== null) {
    const from = { position_enu_m: vehicle.position_enu_m, yaw_enu_rad: start.yaw_enu_rad };
    return { ...onward(climb(state, from, now_ms)), setpoint: from };
  }
  const waited_ms = now_ms - state.since_ms;
  const climb_ms = (2 * state.plan.duration_s + 5) * 1000;
  const left = lifted_m > 0.2;
  if (!left && waited_ms >= lift_give_up_ms)
    return give(refusal ?? "The vehicle was asked to take off and stayed on the ground");
  if (waited_ms >= lift_give_up_ms + climb_ms)
    return give(`The vehicle's own take-off ended ${lifted_m.toFixed(1)} m up`);
  const due = !left && (state.asked_at_ms === null || now_ms - state.asked_at_ms >= ask_again_ms);
  if (!due) return still({ ...state, refusal });
  return { ...still({ ...state, refusal, asked_at_ms: now_ms }), request: "takeoff" };
}

/** All reasons that are known, not the first (ardupilot#10662). */
function notArmed({ vehicle }: SkillInput, refusal: string | null): string {
  const reasons = vehicle.arming.filter((issue) => issue.severity === "blocks").map((issue) => issue.text);
  const known = [...(refusal === null ? [] : [refusal]), ...reasons];
  return known.length === 0 ? "The vehicle did not arm and gave no reason" : `Not armed: ${known.join("; ")}`;
}

function stepClimb(state: TakeOff & { readonly phase: "climb" }, input: SkillInput): Step {
  const { vehicle, now_ms, limits } = input;
  if (!vehicle.armed) return ended(state, "failure", "The vehicle disarmed while climbing");
  const { start, end } = state.plan;
  const settled_ms = settledSince(state.settled_ms, vehicle, end, takeOffTolerance, now_ms);
  if (settled_ms !== null && now_ms - settled_ms >= takeOffTolerance.settle_ms)
    return ended(
      state,
      "success",
      `Hovers ${(end.position_enu_m[2] - start.position_enu_m[2]).toFixed(2)} m higher`,
    );
  const setpoint = rampPose(state.from, end, (now_ms - state.since_ms) / 1000, limits);
  return { ...onward({ ...state, settled_ms }), setpoint };
}
