import { wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { VehicleState } from "#contract/vehicle";

export interface PoseError {
  readonly position_m: number;
  readonly yaw_rad: number;
}

/** Null when the vehicle's pose is not known. */
export function poseError(vehicle: VehicleState, target: PoseYaw): PoseError | null {
  const { position_enu_m: at, yaw_enu_rad: yaw } = vehicle;
  if (at === null || yaw === null) return null;
  const [x, y, z] = target.position_enu_m;
  return {
    position_m: Math.hypot(at[0] - x, at[1] - y, at[2] - z),
    yaw_rad: Math.abs(wrapPi(yaw - target.yaw_enu_rad)),
  };
}

export interface Tolerance {
  readonly position_m: number;
  readonly yaw_rad: number;
  readonly settle_ms: number;
}

const rad = Math.PI / 180;
export const moveTolerance: Tolerance = { position_m: 0.08, yaw_rad: 3 * rad, settle_ms: 800 };
export const takeOffTolerance: Tolerance = { position_m: 0.1, yaw_rad: 5 * rad, settle_ms: 1000 };

/** Since when the vehicle has been within tolerance without a break; null when it is not. A NaN is never within. */
export function settledSince(
  before_ms: number | null,
  vehicle: VehicleState,
  target: PoseYaw,
  tolerance: Tolerance,
  now_ms: number,
): number | null {
  const error = poseError(vehicle, target);
  if (error === null) return null;
  const within = error.position_m <= tolerance.position_m && error.yaw_rad <= tolerance.yaw_rad;
  return within ? (before_ms ?? now_ms) : null;
}
