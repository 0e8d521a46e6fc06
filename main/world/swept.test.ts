import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Enu, enu } from "#contract/frames";
import type { StaticShape } from "#contract/geometry";
import { fenceRoom, highestTop } from "./fence";
import { between, distance, pathLength } from "./path";
import { shapeDistance } from "./shape-distance";
import { groundRoles, sweptClearance, sweptDistance } from "./swept";

const vehicle = { radius_m: 0.48, half_height_m: 0.175 };
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const point = fc.tuple(number(-3, 3), number(-3, 3), number(0, 3)).map(([x, y, z]): Enu => enu(x, y, z));
const shape = fc
  .record({
    kind: fc.constantFrom("box" as const, "cylinder" as const),
    centre_enu_m: point,
    half: fc.tuple(number(0.05, 1.5), number(0.05, 1.5), number(0.05, 1.5)),
    yaw_enu_rad: number(-Math.PI, Math.PI),
  })
  .map(
    ({ kind, centre_enu_m, half, yaw_enu_rad }): StaticShape => ({
      id: "thing",
      kind,
      centre_enu_m,
      half_m: kind === "box" ? half : [half[0], half[0], half[2]],
      yaw_enu_rad,
      colour: [0, 0, 0],
      role: "furniture",
    }),
  );

/** Nearest distance between the vehicle and sampled points of the shape: never less than the true gap. */
function sampledGap(centre: Enu, s: StaticShape): number {
  const c = Math.cos(s.yaw_enu_rad);
  const si = Math.sin(s.yaw_enu_rad);
  const outline: [number, number][] = [];
  const steps = 64;
  for (let i = 0; i < steps; i++) {
    if (s.kind === "cylinder") {
      const a = (2 * Math.PI * i) / steps;
      outline.push([s.half_m[0] * Math.cos(a), s.half_m[0] * Math.sin(a)]);
    } else {
      const t = (4 * i) / steps;
      const u = 2 * (t % 1) - 1;
      const [hx, hy] = s.half_m;
      const side = [
        [u * hx, -hy],
        [hx, u * hy],
        [-u * hx, hy],
        [-hx, -u * hy],
      ][Math.floor(t)]!;
      outline.push([c * side[0]! - si * side[1]!, si * side[0]! + c * side[1]!]);
    }
  }
  let horizontal = Infinity;
  const [dx, dy] = [centre[0] - s.centre_enu_m[0], centre[1] - s.centre_enu_m[1]];
  for (const [ox, oy] of outline)
    for (let k = 0; k <= 24; k++)
      horizontal = Math.min(
        horizontal,
        Math.hypot(dx - (ox * k) / 24, dy - (oy * k) / 24) - vehicle.radius_m,
      );
  const dz = Math.abs(centre[2] - s.centre_enu_m[2]) - s.half_m[2] - vehicle.half_height_m;
  return Math.hypot(Math.max(horizontal, 0), Math.max(dz, 0));
}

describe("the gap between vehicle and shape", () => {
  test("agrees with brute-force samples wherever they are apart", () => {
    fc.assert(
      fc.property(point, shape, (at, s) => {
        const exact = shapeDistance(at, vehicle, s);
        fc.pre(exact > 0);
        const sampled = sampledGap(at, s);
        // Sampling finds a point at most half a step (perimeter 12 m / 64 / 2) from the nearest.
        expect(sampled).toBeGreaterThanOrEqual(exact - 1e-9);
        expect(sampled).toBeLessThanOrEqual(exact + 0.12);
      }),
      { numRuns: 500 },
    );
  });

  test("changes no faster than the vehicle moves", () => {
    fc.assert(
      fc.property(point, point, shape, (a, b, s) => {
        const change = Math.abs(shapeDistance(a, vehicle, s) - shapeDistance(b, vehicle, s));
        expect(change).toBeLessThanOrEqual(distance(a, b) + 1e-9);
      }),
    );
  });

  test("is negative exactly when they overlap", () => {
    const box: StaticShape = {
      id: "b",
      kind: "box",
      centre_enu_m: enu(2, 0, 0.4),
      half_m: [0.4, 0.4, 0.4],
      yaw_enu_rad: Math.PI / 4,
      colour: [0, 0, 0],
      role: "furniture",
    };
    const corner_m = 2 - 0.4 * Math.SQRT2;
    expect(shapeDistance(enu(corner_m - 0.48 - 0.1, 0, 0.4), vehicle, box)).toBeCloseTo(0.1, 9);
    expect(shapeDistance(enu(corner_m - 0.48 + 0.1, 0, 0.4), vehicle, box)).toBeLessThan(0);
    expect(shapeDistance(enu(2, 0, 0.8 + 0.175 + 0.25), vehicle, box)).toBeCloseTo(0.25, 9);
  });
});

describe("a swept path", () => {
  test("finds the least of all positions on it", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 4 }), shape, (path, s) => {
        const swept = sweptDistance(path, vehicle, s).distance_m;
        let least = shapeDistance(path[0]!, vehicle, s);
        for (let i = 1; i < path.length; i++)
          for (let k = 0; k <= 100; k++)
            least = Math.min(least, shapeDistance(between(path[i - 1]!, path[i]!, k / 100), vehicle, s));
        expect(swept).toBeLessThanOrEqual(least + 1e-6);
        expect(swept).toBeGreaterThanOrEqual(least - pathLength(path) / 100);
      }),
      { numRuns: 300 },
    );
  });

  test("with a NaN in it has no distance, to any shape", () => {
    fc.assert(
      fc.property(point, shape, fc.constantFrom(0, 1, 2), (at, s, axis) => {
        const bad = at.map((x, i) => (i === axis ? Number.NaN : x)) as unknown as Enu;
        expect(sweptDistance([at, bad], vehicle, s).distance_m).toBeNaN();
        expect(sweptClearance([bad], vehicle, [s, s]).distance_m).toBeNaN();
      }),
    );
  });

  test("names the closest shape and leaves out exempt roles", () => {
    const at = enu(0, 0, 0.2);
    const floor = {
      id: "floor",
      kind: "box",
      centre_enu_m: enu(0, 0, -0.1),
      half_m: [5, 5, 0.1],
      yaw_enu_rad: 0,
      colour: [0, 0, 0],
      role: "floor",
    } as const;
    const post = {
      ...floor,
      id: "post",
      centre_enu_m: enu(2, 0, 1),
      half_m: [0.1, 0.1, 1],
      role: "furniture",
    } as const;
    expect(sweptClearance([at], vehicle, [floor, post])).toMatchObject({ what: "floor" });
    expect(sweptClearance([at], vehicle, [floor, post], groundRoles)).toMatchObject({ what: "post" });
    expect(sweptClearance([at], vehicle, [], groundRoles).distance_m).toBe(Infinity);
  });
});

describe("the fence", () => {
  const fence = { min_enu_m: enu(-4, -3, 0), max_enu_m: enu(4, 3, 3) };
  test("is kept by a path exactly when every point on it keeps it", () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const room = fenceRoom([a, b], vehicle, fence).distance_m;
        let least = Infinity;
        for (let k = 0; k <= 50; k++) {
          const [x, y] = between(a, b, k / 50);
          least = Math.min(least, 4 - Math.abs(x) - 0.48, 3 - Math.abs(y) - 0.48);
        }
        expect(room).toBeCloseTo(least, 9);
      }),
    );
  });
  test("NaN is outside; the top is the vehicle's highest point", () => {
    expect(fenceRoom([enu(0, Number.NaN, 1)], vehicle, fence).distance_m).toBeNaN();
    expect(highestTop([enu(0, 0, 1), enu(0, 0, 2)], vehicle)).toBeCloseTo(2.175, 9);
    expect(highestTop([enu(0, 0, Number.NaN), enu(0, 0, 2)], vehicle)).toBeNaN();
  });
});
