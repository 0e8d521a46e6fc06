import fc from "fast-check";
import { expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { intrinsicsOf } from "../camera/camera";
import { loadScene } from "../files";
import { distanceXY, layOut } from "./layout";

const seeds = fc.integer({ min: 0, max: 0x7fffffff });

test("every seed keeps 2 m free around the pad and everything inside the room", () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const layout = sceneOf("office", seed);
      const { room, pad } = layout.scene;
      for (const structure of layout.structures) {
        if (structure.role === "furniture") {
          for (const part of structure.parts) {
            const high = part.at[2] > 2.5 || /^(window|door|poster|lamp)/.test(structure.id);
            if (!high) expect(distanceXY(part, pad.at[0], pad.at[1])).toBeGreaterThanOrEqual(2);
          }
        }
      }
      for (const body of layout.bodies) {
        const [x, y, z] = body.at;
        expect(Math.hypot(x, y) - body.asset.footprint_radius_m).toBeGreaterThan(2);
        expect(x > room.min[0] && x < room.max[0] && y > room.min[1] && y < room.max[1]).toBe(true);
        expect(z).toBeGreaterThan(0.4);
      }
    }),
    { numRuns: 150 },
  );
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
