import { expect, test } from "vitest";
import { disabledChecks, disabledOf } from "./disabled-checks";

const reader = (values: Record<string, number>) => (name: string) => values[name];

test("ArduPilot/MissionPlanner#1749: checks that were switched off are told, all of them, by their parameter", () => {
  const none = disabledChecks("ardupilot", reader({ ARMING_CHECK: 0 }));
  expect(none).toEqual([
    {
      id: "disabled:ARMING_CHECK",
      severity: "warns",
      text: "The vehicle does not check anything at all before arming",
      advice: "it was switched off: ARMING_CHECK is 0; switch it on again before you fly",
    },
  ]);
  const text = (name: string, value: number): string =>
    disabledChecks("ardupilot", reader({ [name]: value }))[0]?.text ?? "";
  expect(text("ARMING_CHECK", 1)).toBe("");
  expect(text("ARMING_CHECK", 6)).toContain("some of the things");
  expect(text("ARMING_CHECK", Number.NaN)).not.toBe("");
  expect(text("ARMING_SKIPCHK", 0)).toBe("");
  expect(text("ARMING_SKIPCHK", -1)).toContain("anything at all");
  expect(text("ARMING_SKIPCHK", 32)).toContain("some of the things");
  const px4 = disabledChecks("px4", reader({ CBRK_SUPPLY_CHK: 894281, COM_ARM_HFLT_CHK: 0 }));
  expect(px4.map(({ id }) => id)).toEqual(["disabled:CBRK_SUPPLY_CHK", "disabled:COM_ARM_HFLT_CHK"]);
  expect(disabledChecks("px4", reader({ CBRK_SUPPLY_CHK: 0, COM_ARM_HFLT_CHK: 1 }))).toEqual([]);
  expect(disabledChecks("other", reader({ ARMING_CHECK: 0 }))).toEqual([]);
  expect(disabledOf([...none, { id: "x", severity: "blocks", text: "", advice: "" }])).toEqual(none);
});
