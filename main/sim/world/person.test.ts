import fc from "fast-check";
import { expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { distanceXY } from "./layout";
import { toMjcf } from "./mjcf";
import { compile } from "./mujoco";
import { away_m, personAt, personBody, personPieces, walkLasts_s } from "./person";
import { Visitor } from "./visitor";
import { planWalk } from "./walk";
import { World } from "./world";

const scenes = ["office", "laboratory", "warehouse", "household", "industrial", "outdoor"];
const seeds = fc.integer({ min: 0, max: 0x7fffffff });

test.each(scenes)(
  "%s: a person comes in for every seed, walks around what stands there, and leaves",
  (name) => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 3 }), (seed, visit) => {
        const layout = sceneOf(name, seed);
        const walk = planWalk(layout, visit);
        if (walk === null) throw new Error("no way in");
        expect(planWalk(layout, visit)).toEqual(walk);
        const solids = layout.structures
          .filter((s) => s.role === "furniture")
          .flatMap((s) => s.parts.filter((p) => p.part.collides && p.at[2] < 1.2));
        const lasts_s = walkLasts_s(walk);
        let last = personAt(walk, 0, 0);
        for (let t_s = 0; t_s <= lasts_s; t_s += 0.1) {
          const now = personAt(walk, t_s, 0);
          if (now === null || last === null) throw new Error("gone too early");
          const [x, y] = now.trunk.at;
          expect(Math.hypot(x - last.trunk.at[0], y - last.trunk.at[1])).toBeLessThan(0.12);
          // On the grid's diagonals up to half a cell nearer than planned.
          for (const part of solids) expect(distanceXY(part, x, y)).toBeGreaterThan(0.2);
          for (const body of layout.bodies)
            expect(Math.hypot(body.at[0] - x, body.at[1] - y)).toBeGreaterThan(
              body.asset.footprint_radius_m + 0.2,
            );
          last = now;
        }
        expect(personAt(walk, lasts_s + 0.01, 0)).toBeNull();
      }),
      { numRuns: 8 },
    );
  },
  60_000,
);

test("the person comes within sight of the pad, stands there facing the aircraft, and never steps under its propellers", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const walk = planWalk(sceneOf("office", seed), 0);
      if (walk === null) throw new Error("no way in");
      let nearest = 99;
      for (let t_s = 0; t_s <= walkLasts_s(walk); t_s += 0.2) {
        const at = personAt(walk, t_s, 0)?.trunk;
        if (at === undefined) continue;
        const away = Math.hypot(at.at[0], at.at[1]);
        if (away < nearest - 1e-9) nearest = away;
        expect(away).toBeGreaterThan(1.1);
      }
      expect(nearest).toBeLessThan(2.8);
    }),
    { numRuns: 40 },
  );
});

test("in the world the person is a body: seen where the plan says, gone afterwards, the same after a restore", async () => {
  const layout = sceneOf("office", 4);
  const world = await World.create({ layout, vehicle: vehicleOf("hexa650") });
  const trunk = world.bodyId(personBody("trunk"));
  expect(world.pose(trunk).at[2]).toBe(away_m);
  expect(world.visitor.enter()).toBe(true);
  expect(world.visitor.enter()).toBe(false);
  for (let i = 0; i < 1000; i++) world.step([]);
  const walk = planWalk(layout, 0);
  if (walk === null) throw new Error("no way in");
  const planned = personAt(walk, 999 * 0.002, 0)?.trunk.at ?? [0, 0, 0];
  world.pose(trunk).at.forEach((x, i) => expect(x).toBeCloseTo(planned[i] ?? 0, 2));
  const kept = world.save();
  const go = (): string => {
    for (let i = 0; i < 500; i++) world.step([]);
    return JSON.stringify(personPieces.map((p) => world.pose(world.bodyId(personBody(p)))));
  };
  const first = go();
  world.restore(kept);
  expect(go()).toBe(first);
  for (let i = 0; i < walkLasts_s(walk) * 500; i++) world.step([]);
  expect(world.pose(trunk).at[2]).toBe(away_m);
  expect(world.visitor.enter()).toBe(true);
  world.close();
}, 60_000);

test("an aircraft that is in the way is pushed: the person is felt", async () => {
  const layout = sceneOf("office", 4);
  const vehicle = vehicleOf("hexa650");
  const physics = await compile(toMjcf(layout, vehicle));
  const visitor = new Visitor(physics, layout);
  const q = physics.model("jnt_qposadr")[physics.id("joint", "free-vehicle")] ?? 0;
  const way = personAt(planWalk(layout, 0) ?? never(), 1.5, 0)?.trunk.at ?? never();
  physics.write("qpos", q, [way[0], way[1], physics.value("qpos", q + 2)]);
  const moved = (): number =>
    Math.hypot(physics.value("qpos", q) - way[0], physics.value("qpos", q + 1) - way[1]);
  for (let i = 0; i < 500; i++) physics.step();
  expect(moved()).toBeLessThan(0.02);
  expect(visitor.enter()).toBe(true);
  for (let i = 0; i < 1500; i++) {
    visitor.step();
    physics.step();
  }
  expect(moved()).toBeGreaterThan(0.2);
  physics.close();
}, 60_000);

function never(): never {
  throw new Error("no way in");
}
