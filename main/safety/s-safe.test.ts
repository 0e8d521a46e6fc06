import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scoreOf } from "./s-safe";

describe("the score (AIR-VLA equation 5, profile flight)", () => {
  test("100 when nothing moved, caution at 2.8 cm, stop at 5.1 cm, 0 from 20 cm on, 0 for NaN", () => {
    expect(scoreOf(0)).toBe(100);
    expect(scoreOf(0.027)).toBeGreaterThan(90);
    expect(scoreOf(0.028)).toBeLessThan(90);
    expect(scoreOf(0.05)).toBeGreaterThan(70);
    expect(scoreOf(0.051)).toBeLessThan(70);
    expect(scoreOf(0.1999)).toBeGreaterThan(0);
    expect(scoreOf(0.2)).toBe(0);
    expect(scoreOf(Number.NaN)).toBe(0);
  });
  test("never rises with distance", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          expect(scoreOf(Math.max(a, b))).toBeLessThanOrEqual(scoreOf(Math.min(a, b)));
        },
      ),
    );
  });
});
