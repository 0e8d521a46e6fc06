import type { ArmingIssue, VehicleState } from "#contract/vehicle";

/** What one parameter makes the vehicle do by itself, in words. */
export interface FailsafeWord {
  readonly parameter: string;
  /** Null: the vehicle has not told it. */
  readonly value: number | null;
  readonly sentence: string;
  /** Height above home to which it would climb; null when it does not climb. */
  readonly climbs_to_m: number | null;
  /** It would fly above the ceiling, or cannot be told: no arming. */
  readonly blocks: boolean;
}

/** What the vehicle does; `return` is the one that climbs. */
type Action = "nothing" | "return" | "other";
type Meaning = readonly [action: Action, words: string];

interface FailsafeParameter {
  readonly parameter: string;
  readonly when: string;
  readonly meanings: Readonly<Record<number, Meaning>>;
}

const NOTHING: Meaning = ["nothing", "go on as if nothing had happened"];
const WARN: Meaning = ["nothing", "only warn"];
const HOLD: Meaning = ["other", "stop and hold its position"];
const RETURN: Meaning = ["return", "return home"];
const LAND: Meaning = ["other", "land where it is"];
const TERMINATE: Meaning = ["other", "stop its motors and fall"];
const DISARM: Meaning = ["other", "disarm in the air"];
const SMART: Meaning = ["return", "fly its path back, or return home straight"];
const SMART_LAND: Meaning = ["other", "fly its path back, or land"];
const BRAKE: Meaning = ["other", "brake and hold, or land"];

/** https://docs.px4.io/main/en/advanced_config/parameter_reference.html */
const px4: readonly FailsafeParameter[] = [
  {
    parameter: "COM_OBL_RC_ACT",
    when: "If this station's setpoints stop",
    meanings: {
      0: ["other", "switch to position mode, for the pilot to fly"],
      1: ["other", "switch to altitude mode, for the pilot to fly"],
      2: ["other", "switch to stabilized mode, for the pilot to fly"],
      3: RETURN,
      4: LAND,
      5: HOLD,
      6: TERMINATE,
      7: DISARM,
    },
  },
  {
    parameter: "NAV_RCL_ACT",
    when: "If the remote control is lost",
    meanings: { 0: NOTHING, 1: HOLD, 2: RETURN, 3: LAND, 5: TERMINATE, 6: DISARM },
  },
  {
    parameter: "NAV_DLL_ACT",
    when: "If this station goes silent",
    meanings: { 0: NOTHING, 1: HOLD, 2: RETURN, 3: LAND, 5: TERMINATE, 6: DISARM },
  },
  {
    parameter: "COM_LOW_BAT_ACT",
    when: "If the battery is nearly empty",
    meanings: { 0: WARN, 1: RETURN, 2: LAND, 3: ["return", "return home, and land when it is critical"] },
  },
  {
    parameter: "GF_ACTION",
    when: "If it leaves its geofence",
    meanings: { 0: NOTHING, 1: WARN, 2: HOLD, 3: RETURN, 4: TERMINATE, 5: LAND },
  },
];

/** https://ardupilot.org/copter/docs/parameters.html */
const arduPilot: readonly FailsafeParameter[] = [
  {
    parameter: "FS_GCS_ENABLE",
    when: "If this station goes silent",
    meanings: { 0: NOTHING, 1: RETURN, 2: RETURN, 3: SMART, 4: SMART_LAND, 5: LAND, 6: RETURN, 7: BRAKE },
  },
  {
    parameter: "FS_THR_ENABLE",
    when: "If the remote control is lost",
    meanings: { 0: NOTHING, 1: RETURN, 2: RETURN, 3: LAND, 4: SMART, 5: SMART_LAND, 6: RETURN, 7: BRAKE },
  },
  {
    parameter: "BATT_FS_LOW_ACT",
    when: "If the battery is low",
    meanings: { 0: WARN, 1: LAND, 2: RETURN, 3: SMART, 4: SMART_LAND, 5: TERMINATE, 6: RETURN, 7: BRAKE },
  },
  {
    parameter: "BATT_FS_CRT_ACT",
    when: "If the battery is critical",
    meanings: { 0: WARN, 1: LAND, 2: RETURN, 3: SMART, 4: SMART_LAND, 5: TERMINATE, 6: RETURN, 7: BRAKE },
  },
  {
    parameter: "FENCE_ACTION",
    when: "If it leaves its geofence",
    meanings: { 0: WARN, 1: RETURN, 2: LAND, 3: SMART, 4: BRAKE, 5: SMART_LAND },
  },
];

/**
 * Every failsafe parameter in words, with whether it would take the vehicle above `ceiling_m` (above home). `read` gives a
 * parameter's value or undefined; other autopilots than PX4 and ArduPilot give an empty list.
 */
export function failsafeWords(
  autopilot: VehicleState["autopilot"],
  read: (name: string) => number | undefined,
  ceiling_m: number,
): readonly FailsafeWord[] {
  const table = autopilot === "px4" ? px4 : autopilot === "ardupilot" ? arduPilot : [];
  if (table.length === 0) return [];
  const altitude_m = returnAltitude(autopilot, read);
  const words = table.map((entry) => word(entry, read(entry.parameter), altitude_m, ceiling_m));
  return [...words, ...altitudeWords(autopilot, read, ceiling_m, words)];
}

function word(
  { parameter, when, meanings }: FailsafeParameter,
  value: number | undefined,
  altitude_m: number | null,
  ceiling_m: number,
): FailsafeWord {
  if (value === undefined) {
    const sentence = `${when}, it is not known what the vehicle does.`;
    return { parameter, value: null, sentence, climbs_to_m: null, blocks: true };
  }
  const meaning = meanings[value];
  if (meaning === undefined) {
    const sentence = `${when}, the vehicle does something this station does not know (${value}).`;
    return { parameter, value, sentence, climbs_to_m: null, blocks: true };
  }
  const [action, words] = meaning;
  if (action !== "return") {
    return {
      parameter,
      value,
      sentence: `${when}, the vehicle will ${words}.`,
      climbs_to_m: null,
      blocks: false,
    };
  }
  const height = altitude_m === null ? "an unknown height" : `${metres(altitude_m)} above home`;
  const sentence = `${when}, the vehicle will climb to ${height} and ${words}.`;
  return {
    parameter,
    value,
    sentence,
    climbs_to_m: altitude_m,
    blocks: !((altitude_m ?? Number.NaN) <= ceiling_m),
  };
}

function returnAltitude(autopilot: string, read: (name: string) => number | undefined): number | null {
  if (autopilot === "px4") {
    const [transit, near] = [read("RTL_RETURN_ALT"), read("RTL_DESCEND_ALT")];
    return transit === undefined || near === undefined ? null : Math.max(transit, near);
  }
  const centimetres = read("RTL_ALT");
  return read("RTL_ALT_M") ?? (centimetres === undefined ? null : centimetres / 100);
}

/** The altitudes themselves, which block only if something returns at all. */
function altitudeWords(
  autopilot: string,
  read: (name: string) => number | undefined,
  ceiling_m: number,
  words: readonly FailsafeWord[],
): readonly FailsafeWord[] {
  const used = words.some((entry) => entry.climbs_to_m !== null);
  const line = (parameter: string, value_m: number | undefined, what: string): FailsafeWord => ({
    parameter,
    value: value_m ?? null,
    sentence:
      value_m === undefined
        ? `The height at which it ${what} is not known.`
        : `On a return it ${what} at ${metres(value_m)} above home.`,
    climbs_to_m: value_m ?? null,
    blocks: used && !((value_m ?? Number.NaN) <= ceiling_m),
  });
  if (autopilot === "px4") {
    return [
      line("RTL_RETURN_ALT", read("RTL_RETURN_ALT"), "flies back"),
      line("RTL_DESCEND_ALT", read("RTL_DESCEND_ALT"), "waits near home before it lands"),
    ];
  }
  const centimetres = read("RTL_ALT");
  const value_m = read("RTL_ALT_M") ?? (centimetres === undefined ? undefined : centimetres / 100);
  return [line("RTL_ALT", value_m, "flies back")];
}

/** Those that block, as reasons not to arm. */
export function failsafeIssues(words: readonly FailsafeWord[], ceiling_m: number): readonly ArmingIssue[] {
  return words
    .filter((entry) => entry.blocks)
    .map((entry) => ({
      id: `failsafe:${entry.parameter}`,
      severity: "blocks",
      text: entry.sentence.replace(/\.$/, ""),
      advice:
        entry.value === null
          ? `download the parameters again; ${entry.parameter} is missing`
          : `set ${entry.parameter} so that the vehicle stays below the ceiling of ${metres(ceiling_m)}, or raise the ceiling`,
    }));
}

const metres = (value: number): string => `${Math.round(value * 10) / 10} m`;
