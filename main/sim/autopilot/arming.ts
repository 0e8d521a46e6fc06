import type { FailsafeFlags } from "./failsafe";
import { modes, type NavState } from "./modes";
import type { Parameters } from "./parameters";

export interface ArmingInput {
  readonly flags: FailsafeFlags;
  readonly intended: NavState;
  readonly uptime_s: number;
  readonly tilt_rad: number;
  readonly has_mission: boolean;
  readonly geofence_breached: boolean;
  readonly battery_remaining: number;
  readonly failed_motors: boolean;
}

export interface ArmingReason {
  /** Name of the event that reports it. */
  readonly id: string;
  readonly text: string;
  /** Modes it concerns; null is all. */
  readonly modes: readonly NavState[] | null;
}

/** Everything that stands in the way of arming, all at once; empty when ready. */
export function armingReasons(input: ArmingInput, parameters: Parameters): ArmingReason[] {
  const reasons: ArmingReason[] = [];
  const check = (bad: boolean, id: string, text: string, modes: readonly NavState[] | null = null): void => {
    if (bad) reasons.push({ id, text, modes });
  };
  check(!(input.uptime_s > 2), "check_estimator_starting", "Attitude estimate not ready");
  check(input.flags.position_lost, "check_modes_local_pos", "No valid local position estimate");
  check(!(input.tilt_rad < Math.PI / 4), "check_failure_detector_attitude", "Attitude failure (tilt)");
  check(
    input.flags.battery === "critical" || input.flags.battery === "emergency",
    "check_battery_level",
    `Battery level ${input.flags.battery}`,
  );
  const min = parameters.get("COM_ARM_BAT_MIN");
  check(
    !(min <= 0 || input.battery_remaining >= min),
    "check_battery_min",
    "Battery below minimum for arming",
  );
  check(input.failed_motors, "check_failure_detector_motor", "Motor failure detected");
  check(input.geofence_breached, "check_geofence", "Geofence violation");
  check(
    parameters.get("COM_ARM_MIS_REQ") > 0 && !input.has_mission,
    "check_mission_required",
    "No valid mission available",
  );
  check(parameters.get("COM_ARMABLE") === 0, "check_armable", "Arming is disabled (COM_ARMABLE)");
  if (input.intended === "offboard") {
    check(input.flags.offboard_lost, "check_modes_offboard_signal", "No offboard signal", ["offboard"]);
  } else if (!takesOff.has(input.intended)) {
    check(
      true,
      "check_modes_cannot_takeoff",
      `${modes[input.intended].title} mode is not suitable for arming`,
    );
  }
  if (onTheGlobe.has(input.intended))
    check(input.flags.global_lost, "check_modes_global_pos", "No valid global position estimate", [
      ...onTheGlobe,
    ]);
  if (input.intended === "mission") {
    check(!input.has_mission, "check_modes_mission", "No valid mission available", ["mission"]);
  }
  return reasons;
}

/** Modes that need an origin on the globe beside a position in the room. */
const onTheGlobe: ReadonlySet<NavState> = new Set(["takeoff", "loiter", "mission", "return"]);

const takesOff: ReadonlySet<NavState> = new Set([
  "manual",
  "altitude",
  "position",
  "stabilized",
  "offboard",
  "takeoff",
  "loiter",
  "mission",
]);
