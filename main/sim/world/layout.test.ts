import fc from "fast-check";
import { expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { intrinsicsOf } from "../camera/camera";
import { loadScene } from "../files";
import { siteOf } from "../site";
import { distanceXY, layOut } from "./layout";

const seeds = fc.integer({ min: 0, max: 0x7fffffff });

const scenes = ["office", "laboratory", "warehouse", "household", "industrial", "outdoor"] as const;
const packs = ["first", "second"] as const;
const cases = scenes.flatMap((scene) => packs.map((pack) => [scene, pack] as const));

test.each(cases)(
  "%s, %s pack: every seed keeps 2 m free around the pad and everything inside the room",
  (name, pack) => {
    const decoration = new Set(sceneOf(name, 1).scene.furniture.flatMap((f) => (f.decoration ? [f.id] : [])));
    fc.assert(
      fc.property(seeds, (seed) => {
        const layout = sceneOf(name, seed, pack === "second" ? "second" : undefined);
        const { room, pad } = layout.scene;
        for (const { id, role, parts } of layout.structures) {
          if (role !== "furniture" || decoration.has(id)) continue;
          for (const part of parts)
            expect(distanceXY(part, pad.at[0], pad.at[1]), id).toBeGreaterThanOrEqual(2);
        }
        for (const shape of siteOf(layout).shapes) {
          if (!layout.movers.some((m) => shape.id.startsWith(`${m.name}/`))) continue;
          const [x, y] = shape.centre_enu_m;
          const reach = Math.hypot(shape.half_m[0], shape.half_m[1]);
          expect(Math.hypot(x - pad.at[0], y - pad.at[1]) - reach, shape.id).toBeGreaterThan(2);
        }
        for (const body of layout.bodies) {
          const [x, y, z] = body.at;
          const gap = Math.hypot(x - pad.at[0], y - pad.at[1]) - body.asset.footprint_radius_m;
          expect(gap, body.name).toBeGreaterThan(2);
          expect(x > room.min[0] && x < room.max[0] && y > room.min[1] && y < room.max[1]).toBe(true);
          expect(z).toBeGreaterThan(0.14);
        }
      }),
      { numRuns: 60 },
    );
  },
);

test("the office always holds AERMANI's objects, and its side tables come and go with the seed", () => {
  const wanted = ["red cup", "purple cup", "coke can", "soda can", "tissue box", "green bottle", "orange"];
  const also = ["banana", "apple", "cracker box", "cardboard box", "small cardboard box"];
  const tables = new Set<number>();
  fc.assert(
    fc.property(seeds, (seed) => {
      const { bodies, structures } = sceneOf("office", seed);
      const labels = bodies.map((b) => b.asset.label);
      for (const label of [...wanted, ...also]) expect(labels).toContain(label);
      tables.add(structures.filter((s) => s.id.endsWith("table")).length);
    }),
    { numRuns: 60 },
  );
  expect([...tables].sort()).toEqual([2, 3, 4]);
});

test("every seed has at least eight different objects, none overlapping its neighbour", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { bodies } = sceneOf("office", seed);
      expect(new Set(bodies.map((b) => b.asset.label)).size).toBeGreaterThanOrEqual(8);
      expect(new Set(bodies.map((b) => b.name)).size).toBe(bodies.length);
      bodies.forEach((a, i) => {
        for (const b of bodies.slice(i + 1)) {
          const gap = Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]);
          expect(gap).toBeGreaterThan(a.asset.footprint_radius_m + b.asset.footprint_radius_m);
        }
      });
    }),
    { numRuns: 100 },
  );
});

test("from the hover above the pad the camera sees all objects of the table ahead", () => {
  const camera = vehicleOf("hexa650").cameras[0];
  if (camera === undefined) throw new Error("no camera");
  const k = intrinsicsOf(camera, 424, 240);
  fc.assert(
    fc.property(seeds, (seed) => {
      const { bodies } = sceneOf("office", seed);
      const onTable = bodies.filter((b) => b.on?.of === "table");
      expect(onTable.length).toBe(8);
      for (const body of onTable) {
        const dx = body.at[0] - camera.position_flu_m[0];
        const dz = body.at[2] + body.asset.height_m / 2 - 1.5;
        const c = Math.cos(camera.pitch_down_rad);
        const s = Math.sin(camera.pitch_down_rad);
        const forward = c * dx - s * dz;
        const down = -(s * dx + c * dz);
        const u = k.cx + (k.fx * -body.at[1]) / forward;
        const v = k.cy + (k.fy * down) / forward;
        expect(u > 10 && u < k.width - 10 && v > 10 && v < k.height - 10).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test("one seed, one layout; another seed, another", () => {
  const places = (seed: number): string =>
    JSON.stringify(sceneOf("office", seed).bodies.map((b) => [b.name, b.at]));
  expect(places(4)).toBe(places(4));
  expect(places(4)).not.toBe(places(5));
});

test("a scene that asks for what the catalogue has not is refused with the name", () => {
  const source = loadScene("office");
  if (!source.ok) throw new Error(source.error);
  const { scene, catalogue } = source.value;
  const strange = { ...scene, furniture: [{ ...scene.furniture[0], asset: "piano" }] };
  const layout = layOut(strange as typeof scene, catalogue, 1);
  expect(layout.ok ? "" : layout.error).toContain('furniture "piano" is not in catalogue-a');
});
