import { type Enu, wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { VehicleState } from "#contract/vehicle";

/** Looks for jumps of the position estimate: a step that no motion explains, beside a raised reset counter. */
export interface JumpWatch {
  readonly position: Enu | null;
  readonly yaw_rad: number | null;
  readonly at_ms: number | null;
  readonly counter: number | null;
  readonly counter_at_ms: number | null;
  readonly step: (PoseYaw & { readonly at_ms: number }) | null;
}

export const initialJumpWatch: JumpWatch = {
  position: null,
  yaw_rad: null,
  at_ms: null,
  counter: null,
  counter_at_ms: null,
  step: null,
};

/** More than noise and gusts between two samples; wander is 1.5 cm. */
export const step_min_m = 0.15;
/** A turn of a few degrees between samples is flying, not a reset of the heading. */
export const turn_min_rad = 0.2;
/** Counter and position come in different messages. */
const together_ms = 400;

export interface JumpStep {
  readonly watch: JumpWatch;
  /** How far the frame moved, as a pose difference; null when it did not. */
  readonly jump: PoseYaw | null;
}

/** Fed with every new vehicle state. The physical vehicle did not move in a jump: what is held must move along with it. */
export function watchJump(watch: JumpWatch, vehicle: VehicleState, now_ms: number): JumpStep {
  const counted =
    vehicle.reset_counter !== watch.counter && watch.counter !== null && vehicle.reset_counter !== null;
  const counter_at_ms = counted ? now_ms : watch.counter_at_ms;
  const step = stepOf(watch, vehicle, now_ms) ?? watch.step;
  const next: JumpWatch = {
    position: vehicle.position_enu_m,
    yaw_rad: vehicle.yaw_enu_rad,
    at_ms: vehicle.position_at_ms,
    counter: vehicle.reset_counter ?? watch.counter,
    counter_at_ms,
    step: step !== null && now_ms - step.at_ms <= together_ms ? step : null,
  };
  const both = next.step !== null && counter_at_ms !== null && now_ms - counter_at_ms <= together_ms;
  return both
    ? { watch: { ...next, step: null, counter_at_ms: null }, jump: next.step }
    : { watch: next, jump: null };
}

/** The part of the newest position that the velocity does not explain, when it is a step. */
function stepOf(watch: JumpWatch, vehicle: VehicleState, now_ms: number): JumpWatch["step"] {
  const { position_enu_m: at, position_at_ms, velocity_enu_m_s, yaw_enu_rad } = vehicle;
  if (at === null || position_at_ms === null || watch.position === null || watch.at_ms === null) return null;
  const dt_s = (position_at_ms - watch.at_ms) / 1000;
  if (!(dt_s > 0 && dt_s < 1)) return null;
  const v = velocity_enu_m_s ?? [0, 0, 0];
  const [x, y, z] = watch.position;
  const off: Enu = [at[0] - x - v[0] * dt_s, at[1] - y - v[1] * dt_s, at[2] - z - v[2] * dt_s];
  if (!(Math.hypot(...off) >= step_min_m)) return null;
  const turn_rad = yaw_enu_rad === null || watch.yaw_rad === null ? 0 : wrapPi(yaw_enu_rad - watch.yaw_rad);
  return {
    position_enu_m: off,
    yaw_enu_rad: Math.abs(turn_rad) >= turn_min_rad ? turn_rad : 0,
    at_ms: now_ms,
  };
}

export const shifted = (pose: PoseYaw, by: PoseYaw): PoseYaw => ({
  position_enu_m: [
    pose.position_enu_m[0] + by.position_enu_m[0],
    pose.position_enu_m[1] + by.position_enu_m[1],
    pose.position_enu_m[2] + by.position_enu_m[2],
  ],
  yaw_enu_rad: wrapPi(pose.yaw_enu_rad + by.yaw_enu_rad),
});

/** For the operator; NaN is a jump that could not be measured. */
export function jumpWords(jump_m: number, turn_rad: number): string {
  if (Number.isNaN(jump_m)) return "The position estimate jumped";
  if (Math.abs(turn_rad) < turn_min_rad) return `The position estimate jumped by ${jump_m.toFixed(1)} m`;
  const turn = `${Math.abs((turn_rad * 180) / Math.PI).toFixed(0)}°`;
  return jump_m < step_min_m
    ? `The heading estimate jumped by ${turn}`
    : `The position estimate jumped by ${jump_m.toFixed(1)} m and its heading by ${turn}`;
}
