import fc from "fast-check";
import { expect, test } from "vitest";
import { Site } from "#contract/geometry";
import { sceneOf } from "../../tests/support/sim-scene";
import { siteOf } from "./site";

test("the site of every seed fits the contract, has its fence inside the walls, and names no movable object", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const layout = sceneOf("office", seed);
      const site = Site.parse(siteOf(layout));
      const { min, max } = layout.scene.room;
      for (const k of [0, 1] as const) {
        expect(site.fence.min_enu_m[k]).toBeGreaterThan(min[k]);
        expect(site.fence.max_enu_m[k]).toBeLessThan(max[k]);
      }
      expect(new Set(site.shapes.map((s) => s.id)).size).toBe(site.shapes.length);
      const text = JSON.stringify(site);
      for (const body of layout.bodies) expect(text).not.toContain(`"${body.name}`);
      expect(site.shapes.filter((s) => s.role === "wall").length).toBeGreaterThanOrEqual(4);
      expect(site.shapes.some((s) => s.id.startsWith("table/"))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
