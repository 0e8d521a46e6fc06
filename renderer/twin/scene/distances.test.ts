import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Enu } from "#contract/frames";
import { distance, measured, nearestOnSolid, type Solid, sampled, tightestAlong } from "./distances";

const box: Solid = {
  id: "table",
  kind: "box",
  centre_enu_m: [2, 0, 0.4],
  half_m: [0.5, 0.3, 0.4],
  yaw_enu_rad: 0,
};
const can: Solid = {
  id: "can",
  kind: "cylinder",
  centre_enu_m: [0, 3, 1],
  half_m: [0.2, 0.2, 0.5],
  yaw_enu_rad: 0,
};
const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
const point = fc.tuple(coordinate, coordinate, coordinate);
const solid = fc.record({
  id: fc.constant("x"),
  kind: fc.constantFrom("box" as const, "cylinder" as const),
  centre_enu_m: point,
  half_m: fc.double({ min: 0.05, max: 1, noNaN: true }).map((r) => [r, r, 0.7] as const),
  yaw_enu_rad: fc.double({ min: -3, max: 3, noNaN: true }),
});

describe("distance to solids", () => {
  it("knows faces, edges and corners of a box", () => {
    expect(nearestOnSolid([0, 0, 0.4], box)).toEqual({ distance_m: 1.5, point: [1.5, 0, 0.4] });
    expect(nearestOnSolid([2, 0, 1.8], box).distance_m).toBeCloseTo(1);
    expect(nearestOnSolid([1.2, 0.7, 0.4], box).distance_m).toBeCloseTo(0.5);
  });

  it("turns with the box", () => {
    const turned = { ...box, yaw_enu_rad: Math.PI / 2 };
    expect(nearestOnSolid([0, 0, 0.4], turned).distance_m).toBeCloseTo(1.7);
  });

  it("knows side and top of a cylinder", () => {
    expect(nearestOnSolid([0, 1, 1], can).distance_m).toBeCloseTo(1.8);
    expect(nearestOnSolid([0, 3, 2], can).distance_m).toBeCloseTo(0.5);
  });

  it("is negative inside, by the way out", () => {
    expect(nearestOnSolid([2, 0.2, 0.4], box).distance_m).toBeCloseTo(-0.1);
    expect(nearestOnSolid([0.1, 3, 1], can).distance_m).toBeCloseTo(-0.1);
  });

  it("gives a nearest point that lies as far away as it says", () => {
    fc.assert(
      fc.property(point, solid, (p, s) => {
        const near = nearestOnSolid(p, s);
        expect(distance(p, near.point)).toBeCloseTo(Math.abs(near.distance_m), 6);
      }),
    );
  });
});

describe("the tightest place of a path", () => {
  it("is found between the corners of the path, and names the solid", () => {
    const path: Enu[] = [
      [0, 2.5, 0.4],
      [4, -2.5, 0.4],
    ];
    const t = tightestAlong(path, [box, can]);
    expect(t?.solid).toBe("table");
    expect(t?.distance_m).toBeLessThanOrEqual(0);
  });

  it("is nowhere without a path or without solids", () => {
    expect(tightestAlong([], [box])).toBeNull();
    expect(tightestAlong([[0, 0, 0]], [])).toBeNull();
  });

  it("samples no gap wider than asked, and keeps the ends", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 2, maxLength: 4 }), (path) => {
        const points = sampled(path, 0.1);
        expect(points[0]).toEqual(path[0]);
        expect(points.at(-1)).toEqual(path.at(-1));
        for (let i = 1; i < points.length; i += 1)
          expect(distance(points[i - 1] as Enu, points[i] as Enu)).toBeLessThanOrEqual(0.1 + 1e-9);
      }),
    );
  });
});

it("measures straight, level and up", () => {
  expect(measured([0, 0, 1], [3, 4, 1.5])).toEqual({
    straight_m: Math.hypot(3, 4, 0.5),
    level_m: 5,
    up_m: 0.5,
  });
});
