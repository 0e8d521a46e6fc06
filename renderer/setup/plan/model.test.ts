import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fence, PlanItem, RallyPoint } from "#contract/plan";
import { sameFence } from "../../twin/fence-editor/zones";
import { draftOf, fenceOf, fenceText, itemText, pathOf, planText, sameMission, sameRally } from "./model";

const fence: Fence = {
  polygons: [
    {
      inclusion: true,
      corners_enu_m: [
        [-2, -2],
        [2, -2],
        [2, 2],
      ],
    },
    {
      inclusion: false,
      corners_enu_m: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
  ],
  circles: [{ inclusion: false, centre_enu_m: [1, 1], radius_m: 0.5 }],
};
const item: PlanItem = {
  command: 16,
  frame: 3,
  params: [0, null, null, null],
  x: 1,
  y: 2,
  z: 1.1,
  autocontinue: true,
  label: "waypoint",
  position_enu_m: [1, 2, 1.1],
};

describe("a plan", () => {
  it("is drawn and sent as the same fence, whatever its corners", () => {
    const metre = fc.integer({ min: -20_000, max: 20_000 }).map((mm) => mm / 1000);
    const point = fc.tuple(metre, metre);
    const fences: fc.Arbitrary<Fence> = fc.record({
      polygons: fc.array(
        fc.record({
          inclusion: fc.boolean(),
          corners_enu_m: fc.array(point, { minLength: 3, maxLength: 8 }),
        }),
        { maxLength: 4 },
      ),
      circles: fc.array(
        fc.record({
          inclusion: fc.boolean(),
          centre_enu_m: point,
          radius_m: fc.integer({ min: 200, max: 9000 }).map((mm) => mm / 1000),
        }),
        { maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(fences, (one) => {
        expect(fenceOf(draftOf(one, 2))).toEqual(one);
        expect(sameFence(draftOf(one, 2), draftOf(one, null))).toBe(true);
      }),
    );
  });

  it("is told in a few words", () => {
    expect(fenceText(fence)).toBe("1 keep-in, 2 keep-out");
    expect(fenceText({ polygons: [], circles: [] })).toBe("no fence");
    expect(planText({ fence, mission: [item], rally: [], origin: null })).toBe(
      "1 keep-in, 2 keep-out · 1 item · no rally points",
    );
    expect(itemText(item, "metric")).toEqual({ what: "waypoint", where: "E 1.00 m · N 2.00 m · up 1.10 m" });
    expect(itemText({ ...item, label: "", position_enu_m: null }, "feet")).toEqual({
      what: "command 16",
      where: "",
    });
    expect(pathOf([item, { ...item, position_enu_m: null }])).toEqual([[1, 2, 1.1]]);
  });

  it("is the same when the vehicle keeps the same, and not when it is shorter (mavlink/MAVSDK#1745)", () => {
    expect(sameMission([item], [{ ...item, label: "", position_enu_m: null, z: Math.fround(1.1) }])).toBe(
      true,
    );
    expect(sameMission([item, item], [item])).toBe(false);
    expect(sameMission([item], [{ ...item, x: 3 }])).toBe(false);
    const rally: readonly RallyPoint[] = [{ position_enu_m: [1, 1, 1] }];
    expect(sameRally(rally, [{ position_enu_m: [1.01, 1, 1] }])).toBe(true);
    expect(sameRally(rally, [])).toBe(false);
  });
});
