import type { NavState } from "./modes";
import type { Parameters } from "./parameters";

/** Conditions for the failsafe; false means no failure. */
export interface FailsafeFlags {
  readonly offboard_lost: boolean;
  readonly position_lost: boolean;
  /** No origin on the globe (SET_GPS_GLOBAL_ORIGIN), as under motion capture: automatic modes cannot run. */
  readonly global_lost: boolean;
  readonly ground_station_lost: boolean;
  readonly manual_control_lost: boolean;
  readonly battery: "ok" | "low" | "critical" | "emergency";
  readonly fence_breached: boolean;
  readonly attitude_failed: boolean;
  readonly mission_missing: boolean;
}

/** Least severe first; of several the last in this list wins (PX4's framework). */
export const actions = [
  "none",
  "warn",
  "position",
  "hold",
  "return",
  "land",
  "descend",
  "disarm",
  "terminate",
] as const;
export type FailsafeAction = (typeof actions)[number];

export interface FailsafeDecision {
  readonly action: FailsafeAction;
  /** Why, for the text; empty when there is nothing. */
  readonly cause: string;
}

/** COM_OBL_RC_ACT. The manual modes need a pilot; without one PX4 falls to its loss-of-control action, a return. */
function offboardAction(value: number, pilot: boolean): FailsafeAction {
  switch (value) {
    case 0:
    case 1:
    case 2:
      return pilot ? "position" : "return";
    case 4:
      return "land";
    case 5:
      return "hold";
    case 6:
      return "terminate";
    case 7:
      return "disarm";
    default:
      return "return";
  }
}

/** NAV_DLL_ACT, NAV_RCL_ACT and GF_ACTION share their numbers but for the first ones. */
function lossAction(value: number): FailsafeAction {
  switch (value) {
    case 0:
      return "none";
    case 1:
      return "hold";
    case 2:
      return "return";
    case 3:
      return "land";
    case 5:
      return "terminate";
    case 6:
      return "disarm";
    default:
      return "return";
  }
}

function fenceAction(value: number): FailsafeAction {
  switch (value) {
    case 0:
      return "none";
    case 1:
      return "warn";
    case 2:
      return "hold";
    case 3:
      return "return";
    case 4:
      return "terminate";
    case 5:
      return "land";
    default:
      return "warn";
  }
}

/** COM_LOW_BAT_ACT: 0 warns, 2 lands at critical, 3 returns at critical and lands at emergency. */
function batteryAction(level: FailsafeFlags["battery"], value: number): FailsafeAction {
  if (level === "ok") return "none";
  if (level === "low" || value === 0) return "warn";
  if (level === "critical") return value === 2 ? "land" : "return";
  return "land";
}

/**
 * The one action for what is wrong, the worst of all that apply. Pure: the same flags in the same mode give the same answer.
 */
export function failsafe(
  flags: FailsafeFlags,
  intended: NavState,
  pilot: boolean,
  parameters: Parameters,
): FailsafeDecision {
  const p = (name: string): number => parameters.get(name);
  const found: FailsafeDecision[] = [];
  const note = (condition: boolean, action: FailsafeAction, cause: string): void => {
    if (condition && action !== "none") found.push({ action, cause });
  };
  const landing = intended === "land" || intended === "descend";
  note(flags.attitude_failed, p("CBRK_FLIGHTTERM") === 121212 ? "warn" : "terminate", "attitude failure");
  note(
    flags.position_lost && intended !== "altitude" && intended !== "stabilized" && intended !== "manual",
    "descend",
    "no valid position estimate",
  );
  note(
    intended === "offboard" && flags.offboard_lost,
    offboardAction(p("COM_OBL_RC_ACT"), pilot),
    "no offboard signal",
  );
  note(
    flags.ground_station_lost && !landing,
    lossAction(p("NAV_DLL_ACT")),
    "connection to ground station lost",
  );
  note(
    flags.manual_control_lost && intended !== "offboard" && !landing,
    lossAction(p("NAV_RCL_ACT")),
    "manual control lost",
  );
  note(
    flags.battery !== "ok",
    batteryAction(flags.battery, p("COM_LOW_BAT_ACT")),
    `battery level ${flags.battery}`,
  );
  note(flags.fence_breached && !landing, fenceAction(p("GF_ACTION")), "geofence violation");
  note(intended === "mission" && flags.mission_missing, "hold", "no valid mission");
  let worst: FailsafeDecision = { action: "none", cause: "" };
  for (const f of found) if (actions.indexOf(f.action) > actions.indexOf(worst.action)) worst = f;
  return worst;
}

/** The navigation state an action leads to; null keeps the intended one. */
export function stateForAction(action: FailsafeAction): NavState | null {
  switch (action) {
    case "none":
    case "warn":
    case "disarm":
      return null;
    case "position":
      return "position";
    case "hold":
      return "loiter";
    case "return":
      return "return";
    case "land":
      return "land";
    case "descend":
      return "descend";
    case "terminate":
      return "termination";
  }
}
