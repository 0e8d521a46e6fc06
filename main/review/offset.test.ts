import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findOffset } from "./offset";
import type { Column } from "./reader";

/** A movement with no period, so that only one offset is right. */
const movement = (t: number): number => Math.sin(t) + 0.7 * Math.sin(0.37 * t * t * 0.2) + (t > 20 ? 1 : 0);

function recording(rate_hz: number, from_s: number, to_s: number, offset_s: number): Column {
  const count = Math.floor((to_s - from_s) * rate_hz);
  const t_s = Float64Array.from({ length: count }, (_, i) => from_s + i / rate_hz);
  return { t_s, values: t_s.map((t) => movement(t + offset_s)), unit: "" };
}

test("two recordings of one flight at different rates find their offset to a few milliseconds", () => {
  fc.assert(
    fc.property(fc.double({ min: -8, max: 8, noNaN: true }), (offset_s) => {
      const mine = recording(250, 0, 40, 0);
      const other = recording(60, 0, 38, offset_s);
      const found = findOffset(mine, other, 12);
      expect(found?.offset_s).toBeCloseTo(offset_s, 1);
      expect(Math.abs((found?.offset_s ?? 0) - offset_s)).toBeLessThan(0.02);
      expect(found?.correlation).toBeGreaterThan(0.98);
    }),
    { numRuns: 8 },
  );
});

test("signals without movement have no offset", () => {
  const flat = recording(50, 0, 30, 0);
  expect(findOffset({ ...flat, values: flat.values.map(() => 1) }, flat, 5)).toBeNull();
  expect(findOffset(flat, { t_s: new Float64Array(), values: new Float64Array(), unit: "" }, 5)).toBeNull();
});
