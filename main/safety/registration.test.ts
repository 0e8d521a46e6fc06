import fc from "fast-check";
import { expect, test } from "vitest";
import { type Enu, enu } from "#contract/frames";
import { applyMotion, commonMotion, type Match, noMotion } from "./registration";
import { minus, norm } from "./vec";

const tolerance_m = 0.01;
const stands = (at: Enu): Match => ({ expected: at, found: at, tolerance_m });
const moved = (at: Enu, by: Enu): Match => ({
  expected: at,
  found: enu(at[0] + by[0], at[1] + by[1], at[2] + by[2]),
  tolerance_m,
});

test("a far object that was pushed is not explained by a small turn about three near ones that stand", () => {
  const near = [enu(0, 0, 0), enu(0.2, 0, 0), enu(0, 0.2, 0)].map(stands);
  expect(commonMotion([...near, moved(enu(1.4, 0, 0), enu(0, 0.06, 0))])).toBe(noMotion);
});

test("any turn and shift of everything is found", () => {
  const layout = [
    enu(1, 0, 0.8),
    enu(1.4, 0.5, 0.8),
    enu(1.2, -0.6, 0.9),
    enu(2, 0.1, 0.8),
    enu(1.7, -0.4, 1),
  ];
  const number = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
  fc.assert(
    fc.property(number(0.08), number(1), number(1), number(0.3), (turn_rad, x, y, z) => {
      const motion = { turn_rad, pivot: enu(0, 0, 0), shift: enu(x, y, z) };
      const matches = layout.map((at) => ({ expected: at, found: applyMotion(motion, at), tolerance_m }));
      const found = commonMotion(matches);
      for (const m of matches)
        expect(norm(minus(m.found, applyMotion(found, m.expected)))).toBeLessThanOrEqual(0.011);
    }),
  );
});

test("fewer than three objects, or NaN among them, explain nothing", () => {
  const by = enu(1, 0, 0);
  expect(commonMotion([moved(enu(0, 0, 0), by), moved(enu(1, 0, 0), by)])).toBe(noMotion);
  const lost: Match = { expected: enu(0, 0, 0), found: enu(Number.NaN, 0, 0), tolerance_m };
  expect(commonMotion([lost, lost, lost])).toBe(noMotion);
});
