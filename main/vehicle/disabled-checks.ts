import type { ArmingIssue, VehicleState } from "#contract/vehicle";

/** What a vehicle's own settings keep it from looking at before it arms; null when all is looked at. */
interface Switch {
  readonly parameter: string;
  readonly off: (value: number) => string | null;
}

/** PX4's circuit breakers are magic numbers: https://docs.px4.io/main/en/advanced_config/parameter_reference.html */
const px4: readonly Switch[] = [
  {
    parameter: "CBRK_SUPPLY_CHK",
    off: (value) => (value === 894281 ? "its power supply" : null),
  },
  {
    parameter: "COM_ARM_HFLT_CHK",
    off: (value) => (value === 0 ? "crashes of its software before" : null),
  },
];

const someOf = (none: boolean): string => (none ? "anything at all" : "some of the things it knows to check");

/** https://ardupilot.org/copter/docs/parameters.html: ARMING_CHECK names what is checked, its successor what is not. */
const arduPilot: readonly Switch[] = [
  {
    parameter: "ARMING_CHECK",
    off: (value) => (Number.isInteger(value) && (value & 1) === 1 ? null : someOf(value === 0)),
  },
  { parameter: "ARMING_SKIPCHK", off: (value) => (value === 0 ? null : someOf(value === -1)) },
];

/**
 * Checks that were switched off in the vehicle, as warnings that stay for as long as they are: a vehicle that says "ready"
 * because nobody looks has crashed others (ArduPilot/MissionPlanner#1749). `read` gives a parameter's value or undefined.
 */
export function disabledChecks(
  autopilot: VehicleState["autopilot"],
  read: (name: string) => number | undefined,
): readonly ArmingIssue[] {
  const table = autopilot === "px4" ? px4 : autopilot === "ardupilot" ? arduPilot : [];
  return table.flatMap(({ parameter, off }): ArmingIssue[] => {
    const value = read(parameter);
    const what = value === undefined ? null : off(value);
    if (what === null) return [];
    return [
      {
        id: `${disabled}${parameter}`,
        severity: "warns",
        text: `The vehicle does not check ${what} before arming`,
        advice: `it was switched off: ${parameter} is ${value}; switch it on again before you fly`,
      },
    ];
  });
}

const disabled = "disabled:";
/** The warnings of {@link disabledChecks} among all that there is to say on arming. */
export const disabledOf = (arming: readonly ArmingIssue[]): readonly ArmingIssue[] =>
  arming.filter(({ id }) => id.startsWith(disabled));
