import type { VehicleFile } from "#contract/airframe";
import { aboutAxis, add, identity, multiply, type Q4, turn, type V3 } from "../world/rigid";

/** Grasp centre in the body frame for these joint angles, and where its x axis points. */
export function graspCentre(
  arm: NonNullable<VehicleFile["arm"]>,
  joints_rad: readonly number[],
): { at: V3; quat: Q4 } {
  let at: V3 = arm.mount_flu_m;
  let quat: Q4 = identity;
  for (const [i, link] of arm.links.entries()) {
    quat = multiply(quat, aboutAxis(link.axis === "pitch" ? 1 : 0, joints_rad[i] ?? 0));
    const last = i === arm.links.length - 1;
    at = add(at, turn(quat, [last ? arm.gripper.reach_m : link.length_m, 0, 0]));
  }
  return { at, quat };
}

/** Reaches ahead and down, the gripper 29 degrees below level: over a table's edge with the legs clear of it. */
export const reachDown_rad: readonly number[] = [1.25, -0.5, -0.25, 0];
