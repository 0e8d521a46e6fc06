import { type Enu, enu, wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import { err, ok, type Result } from "#contract/result";
import type { Limits } from "#contract/safety";
import {
  climb_step_m,
  type SkillCall,
  type SkillId,
  skillLibrary,
  translate_step_m,
  yaw_step_rad,
} from "#contract/skills";
import type { VehicleState } from "#contract/vehicle";
import { distance } from "../world/path";

/** What a skill would do from here: shown as the ghost, judged by the gate, flown by the skill. World frame ENU. */
export interface Plan {
  readonly start: PoseYaw;
  readonly end: PoseYaw;
  /** Swept path of the vehicle's centre. */
  readonly path: readonly Enu[];
  readonly distance_m: number;
  readonly duration_s: number;
  readonly energy_wh: number;
}

export interface PlanBasis {
  readonly limits: Limits;
  /** The setpoint that is being held. Moves chain from it, so that errors of single moves do not add up. */
  readonly hold: PoseYaw | null;
}

/** A hold setpoint further than this from the vehicle is not where it hovers any more. */
export const hold_drift_max_m = 0.3;
/** From standstill to full speed, as the skills' setpoint ramp does it. */
export const ramp_s = 1;
const settle_s = 0.8;
const arm_s = 2.5;
/** PX4's MPC_LAND_SPEED, and the time to touch down and disarm. */
const land_speed_m_s = 0.7;
const touch_down_s = 4;
/**
 * Momentum theory: 3.95 kg on six 12-inch rotors (0.438 m2 of disc) needs 232 W in the air; at 55 % efficiency of motor,
 * controller and rotor 420 W from the battery.
 */
const hover_power_w = 420;
const mass_kg = 3.95;
const drive_efficiency = 0.55;

/** Body-frame step (forward, left, up in metres; yaw in radians) of each fixed-size move. */
const steps: Readonly<Partial<Record<SkillId, readonly [number, number, number, number]>>> = {
  forward: [translate_step_m, 0, 0, 0],
  backward: [-translate_step_m, 0, 0, 0],
  left: [0, translate_step_m, 0, 0],
  right: [0, -translate_step_m, 0, 0],
  up: [0, 0, climb_step_m, 0],
  down: [0, 0, -climb_step_m, 0],
  yaw_left: [0, 0, 0, yaw_step_rad],
  yaw_right: [0, 0, 0, -yaw_step_rad],
};

/** An argument with the library's default; NaN when the skill has no such parameter. */
export const argument = (call: SkillCall, name: string): number =>
  call.args[name] ?? skillLibrary[call.skill].parameters[name]?.default ?? NaN;

/** Where the next move starts: the held setpoint, unless the vehicle has left it. Null when the pose is unknown. */
export function startPose(vehicle: VehicleState, hold: PoseYaw | null): PoseYaw | null {
  const { position_enu_m, yaw_enu_rad } = vehicle;
  if (position_enu_m === null || yaw_enu_rad === null) return null;
  if (hold !== null && distance(hold.position_enu_m, position_enu_m) <= hold_drift_max_m) return hold;
  return { position_enu_m, yaw_enu_rad };
}

/** Sizes come from the skill library, directions from the start's heading (level body frame). */
export function planSkill(call: SkillCall, vehicle: VehicleState, basis: PlanBasis): Result<Plan, string> {
  const start = startPose(vehicle, basis.hold);
  if (start === null) return err("The vehicle's position is not known, so no path can be planned");
  const end = endPose(call, start, vehicle);
  const path =
    distance(start.position_enu_m, end.position_enu_m) > 0
      ? [start.position_enu_m, end.position_enu_m]
      : [start.position_enu_m];
  const distance_m = distance(start.position_enu_m, end.position_enu_m);
  const duration_s = durationOf(
    call,
    distance_m,
    Math.abs(wrapPi(end.yaw_enu_rad - start.yaw_enu_rad)),
    basis.limits,
  );
  const climb_m = Math.max(0, end.position_enu_m[2] - start.position_enu_m[2]);
  const energy_wh = (hover_power_w * duration_s + (mass_kg * 9.81 * climb_m) / drive_efficiency) / 3600;
  return ok({
    start,
    end,
    path,
    distance_m,
    duration_s,
    energy_wh: call.skill === "task_complete" ? 0 : energy_wh,
  });
}

function endPose(call: SkillCall, start: PoseYaw, vehicle: VehicleState): PoseYaw {
  const [x, y, z] = start.position_enu_m;
  if (call.skill === "take_off")
    return { ...start, position_enu_m: enu(x, y, z + argument(call, "altitude_m")) };
  if (call.skill === "land")
    return { ...start, position_enu_m: enu(x, y, Math.min(z, groundHeight(vehicle))) };
  const step = steps[call.skill];
  if (step === undefined) return start;
  const [forward_m, left_m, up_m, turn_rad] = step;
  const c = Math.cos(start.yaw_enu_rad);
  const s = Math.sin(start.yaw_enu_rad);
  return {
    position_enu_m: enu(x + c * forward_m - s * left_m, y + s * forward_m + c * left_m, z + up_m),
    yaw_enu_rad: wrapPi(start.yaw_enu_rad + turn_rad),
  };
}

/** Height of the body centre when it stands: that of home, which was recorded standing; the site's zero when unknown. */
const groundHeight = (vehicle: VehicleState): number => vehicle.home_enu_m?.[2] ?? 0;

function durationOf(call: SkillCall, distance_m: number, turn_rad: number, limits: Limits): number {
  const moving_s =
    Math.max(distance_m / limits.speed_max_m_s, turn_rad / limits.yaw_rate_max_rad_s) + ramp_s + settle_s;
  switch (call.skill) {
    case "take_off":
      return arm_s + moving_s;
    case "land":
      return distance_m / land_speed_m_s + touch_down_s;
    case "hold":
      return argument(call, "duration_s");
    case "task_complete":
      return 0;
    default:
      return moving_s;
  }
}
