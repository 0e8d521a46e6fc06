import { expect, it } from "vitest";
import { Limits } from "#contract/safety";
import { defaultLimits } from "#contract/settings";
import { limitFields, readLimits, shownLimit } from "./limits";

it("covers every limit of the contract, and its own defaults are within its bounds", () => {
  expect(limitFields.map(({ key }) => key).sort()).toEqual(Object.keys(Limits.shape).sort());
  for (const field of limitFields) {
    const shown = Number(shownLimit(defaultLimits, field));
    expect(shown).toBeGreaterThanOrEqual(field.min);
    expect(shown).toBeLessThanOrEqual(field.max);
  }
});

it("saves untouched limits exactly, though they are shown rounded", () => {
  const shown = Object.fromEntries(limitFields.map((field) => [field.key, shownLimit(defaultLimits, field)]));
  expect(readLimits(shown, defaultLimits).limits).toEqual(defaultLimits);
  expect(readLimits({}, defaultLimits).limits).toEqual(defaultLimits);
});

it("turns what is typed into the contract's units, with a comma too (ArduPilot/MissionPlanner#2567)", () => {
  const typed = { yaw_rate_max_rad_s: "90", battery_min: "25", link_age_max_ms: "1,2" };
  const { limits } = readLimits(typed, defaultLimits);
  expect(limits?.yaw_rate_max_rad_s).toBeCloseTo(Math.PI / 2);
  expect(limits?.battery_min).toBeCloseTo(0.25);
  expect(limits?.link_age_max_ms).toBe(1200);
});

it("saves nothing while one field is wrong", () => {
  const draft = readLimits({ ceiling_m: "high", clearance_m: "0.3" }, defaultLimits);
  expect(draft.limits).toBeNull();
  expect(draft.problems).toEqual({ ceiling_m: "Not a number" });
});
