import type { Limits, SafetyState } from "#contract/safety";
import type { VehicleState } from "#contract/vehicle";
import { disabledOf } from "../vehicle";
import { knowsPosition } from "./checks/position-valid";
import { isFlying } from "./checks/vehicle-healthy";
import type { JudgeContext } from "./context";
import type { FailsafeFlags, FlagId } from "./failsafe";

export interface FlagInput {
  readonly vehicle: VehicleState;
  readonly limits: Limits;
  readonly safety: SafetyState;
  readonly observation: JudgeContext["observation"];
  readonly control: JudgeContext["control"];
  readonly mission_running: boolean;
  /** Last sign of life of the window; null when there is none (command line). */
  readonly screen_alive_at_ms: number | null;
  /** Skill that ran out of time and has not been dealt with; null when none. */
  readonly timed_out_skill: string | null;
  /** Why the mission loop stopped of its own accord and waits for a person; null when it does not. */
  readonly waiting_for_decision: string | null;
  /** Common shift of all objects, metres: {@link commonShift} of the monitor. */
  readonly common_shift_m: number;
}

/** Heartbeat silence that counts as a lost link in flight. */
export const link_lost_ms = 3000;
/** A silent window: four missed signs of life of 500 ms. */
export const screen_lost_ms = 2000;
/** A shift of everything at once that is worth telling. */
export const scene_shift_m = 0.1;
/** Single pictures without a pose or with a hidden object are ordinary. */
export const unwatched_ms = 2000;
/** Share of the minimum charge at which landing cannot wait. */
const critical_share = 0.5;

/** Turns the states of everything into flags. Pure; every condition is phrased so that NaN raises it. */
export function failsafeFlags(input: FlagInput, now_ms: number): FailsafeFlags {
  const { vehicle } = input;
  const flying = vehicle.armed && isFlying(vehicle);
  const wrong: Partial<Record<FlagId, string>> = {};
  const raise = (id: FlagId, when: boolean, what: string): void => {
    if (when) wrong[id] = what;
  };
  const heard_ms = vehicle.heartbeat_at_ms;
  const lost = heard_ms !== null && !(vehicle.connected && now_ms - heard_ms <= link_lost_ms);
  raise(
    "link_lost",
    lost,
    heard_ms === null ? "" : `silent for ${((now_ms - heard_ms) / 1000).toFixed(1)} s`,
  );
  // Without a link every position is old: one cause, not two, and no command that cannot arrive.
  raise("position_invalid", flying && !lost && !knowsPosition(vehicle, now_ms), "");
  raiseBattery(vehicle, input.limits, raise);
  const unchecked = disabledOf(vehicle.arming);
  raise("checks_disabled", unchecked.length > 0, unchecked.map(({ text }) => text).join("; "));
  raise("vehicle_failsafe", vehicle.failsafe || input.control === "vehicle_failsafe", vehicle.mode_label);
  raise("pilot_control", input.control === "pilot", "");
  raiseSafety(input.safety, raise);
  raise(
    "unwatched",
    flying && !nearGround(vehicle) && unwatched(input.safety, now_ms),
    `0 of ${input.safety.total.toString()} in sight`,
  );
  raise(
    "scene_shifted",
    !(input.common_shift_m <= scene_shift_m),
    `${(input.common_shift_m * 100).toFixed(0)} cm`,
  );
  const lost_sight = sightLost(input, now_ms);
  raise("sight_lost", lost_sight !== null, lost_sight ?? "");
  const alive_ms = input.screen_alive_at_ms;
  raise("screen_lost", alive_ms !== null && !(now_ms - alive_ms <= screen_lost_ms), "");
  raise("skill_timed_out", input.timed_out_skill !== null, input.timed_out_skill ?? "");
  raise("decision_needed", input.waiting_for_decision !== null, input.waiting_for_decision ?? "");
  return { wrong, flying, mission_running: input.mission_running };
}

type Raise = (id: FlagId, when: boolean, what: string) => void;

function raiseBattery(vehicle: VehicleState, limits: Limits, raise: Raise): void {
  const left = vehicle.battery.remaining;
  if (left === null) return;
  const what = `${Math.round(left * 100).toString()} %`;
  const critical = !(left > limits.battery_min * critical_share);
  raise("battery_critical", critical, what);
  raise("battery_low", !critical && !(left >= limits.battery_min), what);
}

function raiseSafety(safety: SafetyState, raise: Raise): void {
  const what = `${safety.worst ?? "object"} by ${(safety.worst_displacement_m * 100).toFixed(0)} cm`;
  raise("displacement_stop", safety.level === "stop", what);
  raise("displacement_caution", safety.level === "caution", what);
}

/** Twice the gate's age: one late picture refuses a move, it does not stop one. Null while there is sight. */
function sightLost({ observation, limits }: FlagInput, now_ms: number): string | null {
  const { camera, captured_at_ms, depth_at_ms } = observation;
  if (camera === "none" || captured_at_ms === null) return null;
  const fresh = (at_ms: number): boolean => now_ms - at_ms <= 2 * limits.observation_age_max_ms;
  if (!fresh(captured_at_ms)) return "picture stale";
  return depth_at_ms === undefined || (depth_at_ms !== null && fresh(depth_at_ms)) ? null : "no depth";
}

/** On the way up and down a vehicle looks at things from below: that is known and needs no word. */
const nearGround = ({ landed, mode }: VehicleState): boolean =>
  landed === "takeoff" || landed === "landing" || mode === "land";

/** Objects have been learned, and none of them has been seen for a while: turned away from, hidden, or no pose or depth. */
function unwatched({ objects }: SafetyState, now_ms: number): boolean {
  const watched = objects.filter((o) => o.state === "seen" || o.state === "not_seen");
  return watched.length > 0 && watched.every((o) => !(now_ms - o.last_seen_at_ms <= unwatched_ms));
}
