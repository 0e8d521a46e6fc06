import fc from "fast-check";
import { expect, test } from "vitest";
import { Site } from "#contract/geometry";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { siteOf } from "../site";
import { World } from "./world";

const scenes = ["office", "laboratory", "warehouse", "household", "industrial", "outdoor"] as const;

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
  "in the %s everything stays where it was put: nothing falls, slides or hangs loose, in either pack",
  async (name) => {
    for (const catalogue of [undefined, "second"]) {
      const layout = sceneOf(name, 2, catalogue);
      const world = await World.create({ layout, vehicle: vehicleOf("hexa650") });
      for (let i = 0; i < 1500; i++) world.step([]);
      world.layout.bodies.forEach((body, i) => {
        const { at } = world.objectPose(i);
        const moved = Math.hypot(at[0] - body.at[0], at[1] - body.at[1], at[2] - body.at[2]);
        expect(moved, body.name).toBeLessThan(0.003);
      });
      world.close();
    }
  },
  60_000,
);

/** The middle of a mover's part in the world, before anything moves. */
function partAt(name: string, mover: string, part: number): readonly number[] {
  const shape = siteOf(sceneOf(name, 5)).shapes.find((s) => s.id === `${mover}/${part}`);
  return shape?.centre_enu_m.map((x) => Math.round(x * 1000) / 1000) ?? [];
}

test("the laboratory has Fly-by-Code's places (its table 8)", () => {
  const layout = sceneOf("laboratory", 5);
  const at = (name: string): readonly number[] => layout.bodies.find((b) => b.name === name)?.at ?? [];
  expect(at("hammer")).toEqual([0.78, -3, 1.68]);
  expect(at("wrench")).toEqual([0.96, -3.01, 1.41]);
  // 0.20 m tall, so its middle is at 0.85.
  expect(at("bottle")).toEqual([3.79, 0.98, 0.75]);
  expect(partAt("laboratory", "cabinet-door-left", 3)).toEqual([3.68, 1.07, 0.98]);
  expect(partAt("laboratory", "cabinet-door-right", 3)).toEqual([3.68, 0.87, 0.98]);
  expect(partAt("laboratory", "hanging-basket-basket", 2).slice(1)).toEqual([4.01, 1.86]);
  const pegboard = layout.structures.find((s) => s.id === "pegboard")?.parts[0];
  expect((pegboard?.at[1] ?? 0) + 0.015).toBeCloseTo(-3.05);
  const shelf = layout.scene.furniture.find((f) => f.id === "cabinet");
  expect([shelf?.x, shelf?.y]).toEqual([3.91, 0.97]);
  const top = siteOf(layout).shapes.filter((s) => s.id.startsWith("cabinet/"));
  expect(Math.max(...top.map((s) => s.centre_enu_m[2] + s.half_m[2]))).toBeCloseTo(1.42);
});

test("on the laboratory's brown table: five filled bottles, three empty ones, two handled baskets (Payload)", () => {
  const { bodies } = sceneOf("laboratory", 5);
  const onTable = bodies.filter((b) => b.on?.of === "brown-table");
  const masses = Object.fromEntries(onTable.map((b) => [b.name, b.asset.mass_kg]));
  expect(masses).toEqual({
    red_bottle: 0.6,
    black_bottle: 0.4,
    yellow_bottle: 0.5,
    blue_bottle: 0.5,
    green_bottle: 0.9,
    pink_bottle: 0.03,
    purple_bottle: 0.03,
    white_bottle: 0.03,
    handled_basket: 0.1,
    "handled_basket-2": 0.1,
  });
});

test("the warehouse has nine totes whose stickers change places, a mustard bottle on another rack, two cartons loaded to opposite sides", () => {
  const { bodies } = sceneOf("warehouse", 5);
  const totes = bodies.filter((b) => b.asset.label.startsWith("purple tote"));
  expect(new Set(totes.map((b) => b.asset.label)).size).toBe(9);
  const place = (seed: number): string =>
    JSON.stringify(sceneOf("warehouse", seed).bodies.find((b) => b.name === "tote_yellow")?.at);
  expect(new Set(Array.from({ length: 120 }, (_, seed) => place(seed))).size).toBe(9);
  const mustard = bodies.find((b) => b.name === "mustard_bottle");
  expect(mustard?.at[2]).toBeGreaterThan(1.8);
  expect(Math.min(...totes.map((t) => Math.hypot(t.at[0] - 0.1, t.at[1] - 4.35)))).toBeGreaterThan(2);
  const offsets = ["carton_left", "carton_right"].map(
    (n) => bodies.find((b) => b.name === n)?.asset.com_m?.[1],
  );
  expect(offsets).toEqual([0.14, -0.14]);
});

test.each([
  ["household", ["stove-knob", "drawers-drawer-top", "drawers-drawer-middle", "drawers-drawer-bottom"]],
  ["industrial", ["tools-drawer-top", "tools-drawer-middle", "tools-drawer-bottom"]],
  ["outdoor", ["chest-drawer-top", "chest-drawer-middle", "chest-drawer-bottom"]],
  ["laboratory", ["cabinet-door-left", "cabinet-door-right", "hanging-basket-basket"]],
])("what can be opened in the %s sticks a little and is damped", (name, movers) => {
  const found = sceneOf(name, 3).movers;
  expect(found.map((m) => m.name).sort()).toEqual([...movers].sort());
  for (const { mover } of found) {
    expect(mover.friction).toBeGreaterThan(0);
    expect(mover.damping).toBeGreaterThan(0);
    // AIR-VLA asks for drawers pulled further than 0.3 m and a knob turned further than 75 degrees.
    if (mover.joint === "slide") expect(mover.range[1]).toBeGreaterThan(0.3);
    else if (mover.name === "knob") expect(mover.range[1]).toBeGreaterThan((75 * Math.PI) / 180);
  }
});

test("an AIR-VLA scene looks one of two ways, as the seed says: six environments over three kinds of space", () => {
  for (const name of ["household", "industrial", "outdoor"]) {
    const looks = new Set(
      Array.from({ length: 30 }, (_, seed) => {
        const { scene, structures } = sceneOf(name, seed);
        const floor = structures.find((s) => s.id === "floor")?.parts[0]?.paint;
        return JSON.stringify([scene.light, floor]);
      }),
    );
    expect(looks.size).toBe(2);
  }
});
