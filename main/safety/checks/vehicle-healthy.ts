import type { VehicleState } from "#contract/vehicle";
import { type Check, condition } from "./check";

/** MAV_STATE_CRITICAL and worse: the autopilot itself says that it is in trouble. */
const critical = 5;

/** What stands in the way, all of it, in words. */
function obstacles(vehicle: VehicleState, takeOff: boolean): readonly string[] {
  const blocking = vehicle.arming.filter((issue) => issue.severity === "blocks").map((issue) => issue.text);
  return [
    ...(vehicle.failsafe ? ["the vehicle is in failsafe"] : []),
    ...(vehicle.system_status !== null && vehicle.system_status >= critical
      ? ["the vehicle reports a critical state"]
      : []),
    ...(takeOff ? blocking : []),
    ...(takeOff && isFlying(vehicle) ? ["it is in the air already"] : []),
    ...(!takeOff && !vehicle.armed ? ["it is not armed"] : []),
    ...(!takeOff && !isFlying(vehicle) ? ["it is not in the air"] : []),
  ];
}

/** An unknown landed state counts as flying only when the take-off was seen. */
export const isFlying = (vehicle: VehicleState): boolean =>
  vehicle.landed === "unknown"
    ? vehicle.armed && vehicle.in_air_since_ms !== null
    : vehicle.landed !== "on_ground";

/** Take-off needs nothing that blocks arming; moves need an armed vehicle in the air; both need no failsafe. */
export const vehicleHealthy: Check = ({ proposal, context: { vehicle } }) => {
  const found = obstacles(vehicle, proposal.call.skill === "take_off");
  const detail = found.length === 0 ? "No fault reported" : found.join("; ");
  return condition("vehicle_healthy", "Vehicle", found.length === 0, detail);
};
