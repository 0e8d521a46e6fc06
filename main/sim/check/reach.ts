import type { VehicleFile } from "#contract/airframe";
import { armFrames } from "#contract/airframe-shape";
import type { Q4, V3 } from "../world/rigid";

/** Grasp centre in the body frame for these joint angles, and where its x axis points. */
export function graspCentre(
  arm: NonNullable<VehicleFile["arm"]>,
  joints_rad: readonly number[],
): { at: V3; quat: Q4 } {
  const centre = armFrames(arm, joints_rad).at(-1);
  return { at: centre?.at_flu_m ?? arm.mount_flu_m, quat: centre?.quat ?? [1, 0, 0, 0] };
}

/** Reaches ahead and down, the gripper 29 degrees below level: over a table's edge with the legs clear of it. */
export const reachDown_rad: readonly number[] = [1.25, -0.5, -0.25, 0];

/** Straight ahead with the gripper level, 0.78 m from the body's centre: the rotors stay clear of a wall. */
export const reachAhead_rad: readonly number[] = [0.6, -0.3, -0.3, 0];
