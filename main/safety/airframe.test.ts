import { expect, test } from "vitest";
import { defaultLimits } from "#contract/settings";
import { vehicleOf } from "../../tests/support/sim-scene";
import { limitsFor } from "./airframe";

test("the judge's size of the vehicle is the file's where that is larger, the operator's where theirs is", () => {
  const quad = limitsFor(defaultLimits, vehicleOf("airvla-quad7"));
  expect(quad.vehicle_radius_m).toBeCloseTo(0.947, 2);
  expect(quad.vehicle_height_m).toBeGreaterThan(0.6);
  expect(
    limitsFor({ ...defaultLimits, vehicle_radius_m: 2 }, vehicleOf("airvla-quad7")).vehicle_radius_m,
  ).toBe(2);
  expect(limitsFor(defaultLimits, vehicleOf("flybycode-tilt")).vehicle_radius_m).toBe(
    defaultLimits.vehicle_radius_m,
  );
  expect(limitsFor(defaultLimits, null)).toEqual(defaultLimits);
});
