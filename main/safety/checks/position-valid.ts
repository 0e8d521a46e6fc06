import { wrapPi } from "#contract/frames";
import type { Limits } from "#contract/safety";
import type { VehicleState } from "#contract/vehicle";
import { distance } from "../../world/path";
import { type Check, type Finding, measured, unmeasured } from "./check";

const label = "Position";
/** PX4 sends 50 Hz; a slow radio 4 Hz. */
export const position_age_max_ms = 1000;
/** What is flown must be what was shown: the planned end may not wander further than this after the proposal was made. */
const end_shift_max_m = 0.15;
const end_turn_max_rad = (10 * Math.PI) / 180;

/** Whether the vehicle knows where it is: present, finite, recent, and not called bad by its estimator. */
export function positionUsable(vehicle: VehicleState, now_ms: number): boolean {
  const { position_enu_m, position_at_ms, estimate, yaw_enu_rad } = vehicle;
  if (position_enu_m === null || position_at_ms === null || estimate.health === "bad") return false;
  if (yaw_enu_rad === null || !Number.isFinite(yaw_enu_rad)) return false;
  return now_ms - position_at_ms <= position_age_max_ms && position_enu_m.every((x) => Number.isFinite(x));
}

/**
 * The same as of when the vehicle was last heard: a silent link makes every position old to us, which says nothing of
 * whether the vehicle has one.
 */
export function knowsPosition(vehicle: VehicleState, now_ms: number): boolean {
  const { heartbeat_at_ms, attitude_at_ms } = vehicle;
  const heard_ms = Math.max(heartbeat_at_ms ?? -Infinity, attitude_at_ms ?? -Infinity);
  return positionUsable(vehicle, heard_ms === -Infinity ? now_ms : Math.min(now_ms, heard_ms));
}

export const positionValid: Check = ({ proposal, plan, context: { vehicle, limits }, now_ms }) => {
  const failed = (detail: string): Finding => unmeasured("position_valid", label, detail);
  if (vehicle.position_at_ms === null || vehicle.position_enu_m === null)
    return failed("No position from the vehicle");
  if (plan === null || vehicle.yaw_enu_rad === null) return failed("Position or heading is not known");
  const age_ms = now_ms - vehicle.position_at_ms;
  const finding = measured({
    id: "position_valid",
    label,
    value: age_ms,
    needed: position_age_max_ms,
    unit: "ms",
    sense: "at_most",
    detail: `Estimate from ${vehicle.estimate.source}, ${Math.round(age_ms).toString()} ms old`,
  });
  if (!positionUsable(vehicle, now_ms))
    return { ...finding, status: "fail", detail: failure(vehicle, finding.detail) };
  const shift = proposal.end === null ? null : endShift(proposal.end, plan.end, limits);
  if (shift !== null) return { ...finding, status: "fail", detail: shift };
  return vehicle.estimate.health === "good" || finding.status === "fail"
    ? finding
    : {
        ...finding,
        status: "caution",
        detail: `${finding.detail}; its health is ${vehicle.estimate.health}`,
      };
};

const failure = (vehicle: VehicleState, detail: string): string =>
  vehicle.estimate.health === "bad" ? "The vehicle calls its own position estimate bad" : detail;

function endShift(
  shown: NonNullable<Parameters<Check>[0]["proposal"]["end"]>,
  now: typeof shown,
  limits: Limits,
): string | null {
  const shift_m = distance(shown.position_enu_m, now.position_enu_m);
  const turn_rad = Math.abs(wrapPi(shown.yaw_enu_rad - now.yaw_enu_rad));
  if (shift_m <= Math.min(end_shift_max_m, limits.clearance_m) && turn_rad <= end_turn_max_rad) return null;
  return `The move would now end ${shift_m.toFixed(2)} m away from where it was shown`;
}
