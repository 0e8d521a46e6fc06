import fc from "fast-check";
import { expect, test } from "vitest";
import { Site } from "#contract/geometry";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { siteOf } from "../site";
import { World } from "./world";

const scenes = ["office", "laboratory", "warehouse"] as const;

test.each(scenes)("the %s can be laid out for any seed, and its site fits the contract", (name) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0x7fffffff }), (seed) => {
      const layout = sceneOf(name, seed);
      expect(Site.safeParse(siteOf(layout)).success).toBe(true);
      expect(new Set(layout.bodies.map((b) => b.name)).size).toBe(layout.bodies.length);
    }),
    { numRuns: 25 },
  );
});

test.each(scenes)(
  "in the %s everything stays where it was put: nothing falls, slides or hangs loose",
  async (name) => {
    const world = await World.create({ layout: sceneOf(name, 2), vehicle: vehicleOf("hexa650") });
    for (let i = 0; i < 1500; i++) world.step([]);
    world.layout.bodies.forEach((body, i) => {
      const { at } = world.objectPose(i);
      const moved = Math.hypot(at[0] - body.at[0], at[1] - body.at[1], at[2] - body.at[2]);
      expect(moved, body.name).toBeLessThan(0.003);
    });
    world.close();
  },
  60_000,
);

test("the laboratory has Fly-by-Code's places: hammer, wrench, bottle behind the doors, hanging basket", () => {
  const layout = sceneOf("laboratory", 5);
  const at = (name: string): readonly number[] => layout.bodies.find((b) => b.name === name)?.at ?? [];
  expect(at("hammer")).toEqual([0.78, -3, 1.68]);
  expect(at("wrench")).toEqual([0.96, -3.01, 1.41]);
  const doors = layout.movers.filter((m) => m.name.startsWith("cabinet-door"));
  expect(doors.length).toBe(2);
  expect(layout.bodies.filter((b) => b.asset.label.includes("bottle")).length).toBe(8);
  expect(layout.movers.some((m) => m.name === "hanging-basket-basket")).toBe(true);
});

test("the warehouse has nine totes, a mustard bottle high up and two cartons loaded to opposite sides", () => {
  const { bodies } = sceneOf("warehouse", 5);
  expect(bodies.filter((b) => b.asset.label === "purple tote").length).toBe(9);
  expect(bodies.find((b) => b.name === "mustard_bottle")?.at[2]).toBeGreaterThan(1.8);
  const offsets = ["carton_left", "carton_right"].map(
    (n) => bodies.find((b) => b.name === n)?.asset.com_m?.[1],
  );
  expect(offsets).toEqual([0.06, -0.06]);
});
