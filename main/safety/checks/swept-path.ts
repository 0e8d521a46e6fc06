import type { Enu } from "#contract/frames";
import type { Limits } from "#contract/safety";
import type { VehicleShape } from "../../world/vehicle-shape";
import type { CheckInput, Finding } from "./check";

export const vehicleShape = (limits: Limits): VehicleShape => ({
  radius_m: limits.vehicle_radius_m,
  half_height_m: limits.vehicle_height_m / 2,
});

/** From where the vehicle really is, over the planned start, along the plan. */
export function flownPath({ plan, context: { vehicle } }: CheckInput): readonly Enu[] {
  if (plan === null || vehicle.position_enu_m === null) return [];
  return [vehicle.position_enu_m, ...plan.path];
}

const slack_m = 0.01;

/**
 * A vehicle that is already too close may leave, and only leave: the path never comes nearer than its start and ends
 * with the full distance. Without this, 1 cm of drift into the margin could only be answered by landing.
 */
export function leaving(
  finding: Finding,
  start_m: number,
  lowest_m: number,
  end_m: number,
  needed_m: number,
): Finding {
  const leaves = start_m < needed_m && lowest_m >= start_m - slack_m && end_m >= needed_m;
  if (finding.status !== "fail" || !leaves) return finding;
  return { ...finding, status: "caution", detail: `${finding.detail}; it starts too close and moves away` };
}
