import type { VehicleFile } from "#contract/airframe";
import { hullOf } from "#contract/airframe-shape";
import type { Limits } from "#contract/safety";

/** The operator's limits with room for this aircraft: its size is never taken for less than its file says. */
export function limitsFor(limits: Limits, vehicle: VehicleFile | null): Limits {
  if (vehicle === null) return limits;
  const { radius_m, height_m } = hullOf(vehicle);
  return {
    ...limits,
    vehicle_radius_m: Math.max(limits.vehicle_radius_m, radius_m),
    vehicle_height_m: Math.max(limits.vehicle_height_m, height_m),
  };
}
