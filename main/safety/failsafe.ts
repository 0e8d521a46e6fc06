import type { AlertSeverity } from "#contract/alerts";

/** Ordered by severity; the worst wins. "descend" lands without needing a position. */
export const failsafeActions = ["none", "announce", "hold", "land", "descend"] as const;
export type FailsafeAction = (typeof failsafeActions)[number];

export type FlagId =
  | "position_invalid"
  | "battery_critical"
  | "link_lost"
  | "displacement_stop"
  | "sight_lost"
  | "screen_lost"
  | "skill_timed_out"
  | "decision_needed"
  | "vehicle_failsafe"
  | "pilot_control"
  | "battery_low"
  | "checks_disabled"
  | "displacement_caution"
  | "scene_shifted"
  | "unwatched";

/** What is wrong, each with its particulars in words. An absent flag is no failure, so the empty record is the safe value. */
export interface FailsafeFlags {
  readonly wrong: Readonly<Partial<Record<FlagId, string>>>;
  readonly flying: boolean;
  /** A skill is being flown, or the loop is about to fly one. */
  readonly mission_running: boolean;
}

export interface Cause {
  readonly id: FlagId;
  readonly action: FailsafeAction;
  readonly severity: AlertSeverity;
  readonly text: string;
  readonly advice: string;
}

export interface FailsafeDecision {
  readonly action: FailsafeAction;
  /** Worst first. */
  readonly causes: readonly Cause[];
}

interface Rule {
  readonly severity: AlertSeverity;
  /** When flying with a mission running; when flying without. On the ground everything is only announced. */
  readonly in_mission: FailsafeAction;
  readonly in_flight: FailsafeAction;
  readonly text: string;
  readonly advice: string;
}

const rule = (
  severity: AlertSeverity,
  in_mission: FailsafeAction,
  in_flight: FailsafeAction,
  text: string,
  advice: string,
): Rule => ({ severity, in_mission, in_flight, text, advice });

const rules: Readonly<Record<FlagId, Rule>> = {
  position_invalid: rule(
    "warning",
    "descend",
    "descend",
    "Position lost",
    "Descending. Take over by RC if it drifts",
  ),
  battery_critical: rule(
    "warning",
    "land",
    "land",
    "Battery critical",
    "Landing here. Clear the ground below",
  ),
  link_lost: rule(
    "warning",
    "hold",
    "hold",
    "Link lost",
    "Check antenna and cable; the vehicle's own failsafe decides meanwhile",
  ),
  displacement_stop: rule(
    "warning",
    "hold",
    "announce",
    "Object moved",
    "Look at the object, then set a new baseline or land",
  ),
  sight_lost: rule(
    "caution",
    "hold",
    "announce",
    "Sight lost",
    "Check the camera; moves are refused until it is back",
  ),
  screen_lost: rule(
    "caution",
    "hold",
    "announce",
    "Window not answering",
    "Flight is watched and recorded; HOLD, LAND and KILL work from the menu",
  ),
  skill_timed_out: rule(
    "caution",
    "hold",
    "announce",
    "Skill took too long",
    "Look at what stopped it before approving the next step",
  ),
  decision_needed: rule(
    "caution",
    "hold",
    "hold",
    "Mission waits for you",
    "Resume it, give another command, or land",
  ),
  vehicle_failsafe: rule(
    "warning",
    "announce",
    "announce",
    "Vehicle failsafe took over",
    "Let it finish or take over by RC, then hand back",
  ),
  pilot_control: rule(
    "caution",
    "announce",
    "announce",
    "Pilot has control",
    "Hand back when the pilot is done",
  ),
  battery_low: rule("caution", "announce", "announce", "Battery low", "Land soon; new moves are refused"),
  checks_disabled: rule(
    "warning",
    "announce",
    "announce",
    "Arming checks are switched off",
    "Switch them on again in Setup before you fly; ready may not mean ready",
  ),
  displacement_caution: rule(
    "caution",
    "announce",
    "announce",
    "Object may have moved",
    "Watch it; the skill is held at 5 cm",
  ),
  scene_shifted: rule(
    "caution",
    "announce",
    "announce",
    "Everything in sight shifted together",
    "Distrust the position estimate; compare it with the twin",
  ),
  unwatched: rule(
    "caution",
    "announce",
    "announce",
    "Objects not watched",
    "Nothing that must stay put is in sight: a move of it would not be seen",
  ),
};
const flagIds = Object.keys(rules) as FlagId[];

/** Nobody but a pilot or the autopilot flies then: the station only speaks. */
const handsOff = (flags: FailsafeFlags): boolean =>
  !flags.flying || flags.wrong.pilot_control !== undefined || flags.wrong.vehicle_failsafe !== undefined;

const rank = (action: FailsafeAction): number => failsafeActions.indexOf(action);

/** One action for everything that is wrong: the worst wins. Pure; it asks neither reasoning nor the window. */
export function failsafe(flags: FailsafeFlags): FailsafeDecision {
  const causes = flagIds
    .flatMap((id) => cause(id, flags))
    .sort((a, b) => rank(b.action) - rank(a.action) || flagIds.indexOf(a.id) - flagIds.indexOf(b.id));
  return { action: causes[0]?.action ?? "none", causes };
}

function cause(id: FlagId, flags: FailsafeFlags): Cause[] {
  const what = flags.wrong[id];
  if (what === undefined) return [];
  const { severity, in_mission, in_flight, text, advice } = rules[id];
  const action = handsOff(flags) ? "announce" : flags.mission_running ? in_mission : in_flight;
  return [{ id, action, severity, text: what === "" ? text : `${text}: ${what}`, advice }];
}

/** What has been acted on, so that a lasting condition commands once. */
export interface FailsafeState {
  readonly active: Readonly<Partial<Record<FlagId, FailsafeAction>>>;
}
export const initialFailsafe: FailsafeState = { active: {} };

export interface FailsafeStep {
  readonly state: FailsafeState;
  /** To be commanded now; null when nothing new asks for a command. */
  readonly act: FailsafeDecision | null;
  /** Conditions that began in this step: to be raised as alerts. */
  readonly raised: readonly Cause[];
  readonly ended: readonly FlagId[];
}

/** Commands when a condition begins or gets worse, and again only after it had ended. */
export function stepFailsafe(state: FailsafeState, flags: FailsafeFlags): FailsafeStep {
  const decision = failsafe(flags);
  const fresh = decision.causes.filter((c) => {
    const before = state.active[c.id];
    return before === undefined || rank(c.action) > rank(before);
  });
  const commanding = fresh.filter((c) => rank(c.action) >= rank("hold"));
  const active = Object.fromEntries(decision.causes.map((c) => [c.id, c.action])) as FailsafeState["active"];
  return {
    state: { active },
    act: commanding[0] === undefined ? null : { action: decision.action, causes: commanding },
    raised: fresh.filter((c) => state.active[c.id] === undefined),
    ended: flagIds.filter((id) => state.active[id] !== undefined && active[id] === undefined),
  };
}
