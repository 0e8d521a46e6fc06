import type { PoseYaw } from "#contract/geometry";
import type { VehicleState } from "#contract/vehicle";
import { between, distance } from "./points";

/** Braking that a hexarotor does gently with a position setpoint behind its nose. */
const braking_m_s2 = 1;

/**
 * Where to freeze the setpoint so that the vehicle stops soonest without swinging back: on the way to its setpoint, its
 * own braking distance ahead. Freezing a setpoint that runs ahead would still be followed for half a metre.
 * The heading setpoint stays as it is. Null when neither setpoint nor position is known.
 */
export function stopPoint(vehicle: VehicleState, setpoint: PoseYaw | null): PoseYaw | null {
  const { position_enu_m: at, yaw_enu_rad, velocity_enu_m_s } = vehicle;
  const known = at?.every((x) => Number.isFinite(x)) === true ? at : null;
  if (setpoint === null)
    return known === null || yaw_enu_rad === null ? null : { position_enu_m: known, yaw_enu_rad };
  if (known === null) return setpoint;
  const lead_m = distance(known, setpoint.position_enu_m);
  const speed_m_s = velocity_enu_m_s === null ? 0 : Math.hypot(...velocity_enu_m_s);
  const braking_m = speed_m_s ** 2 / (2 * braking_m_s2);
  if (!(braking_m < lead_m)) return setpoint;
  return {
    position_enu_m: between(known, setpoint.position_enu_m, braking_m / lead_m),
    yaw_enu_rad: setpoint.yaw_enu_rad,
  };
}
