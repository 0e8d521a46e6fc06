import { expect, test } from "vitest";
import { loadScene } from "../files";
import type { ObjectAsset, Paint, Part } from "./scene-file";

const scenes = ["office", "laboratory", "warehouse", "household", "industrial", "outdoor"];

const shapeOf = (part: Part): unknown => ({ ...part, paint: "", at: [0, 0, 0] });
const shapes = (asset: ObjectAsset): string => JSON.stringify(asset.parts.map(shapeOf));
const seen = (asset: ObjectAsset, paints: Readonly<Record<string, Paint>>): string =>
  JSON.stringify(asset.parts.filter((p) => p.visible).map((p) => paints[p.paint]));

test.each(scenes)("%s: the second pack has every object class, in another shape and another look", (name) => {
  const first = loadScene(name);
  const second = loadScene(name, "second");
  if (!first.ok || !second.ok) throw new Error("both packs load");
  const { objects, paints } = first.value.catalogue;
  const other = second.value.catalogue;
  for (const [id, asset] of Object.entries(objects)) {
    const twin = other.objects[id];
    if (twin === undefined) throw new Error(`${id} is missing`);
    expect(twin.label, id).toBe(asset.label);
    expect(shapes(twin), `${id}: shape`).not.toBe(shapes(asset));
    expect(seen(twin, other.paints), `${id}: look`).not.toBe(seen(asset, paints));
    // Still the same thing: no more than twice or less than half of its height and width.
    for (const key of ["height_m", "footprint_radius_m"] as const) {
      expect(twin[key] / asset[key], `${id}: ${key}`).toBeGreaterThan(0.45);
      expect(twin[key] / asset[key], `${id}: ${key}`).toBeLessThan(2.2);
    }
  }
  expect(Object.keys(other.objects).sort()).toEqual(Object.keys(objects).sort());
  expect(second.value.scene.catalogue).not.toBe(first.value.scene.catalogue);
});

test("the second pack repaints furniture as well: the same desk is of another wood", () => {
  const [first, second] = [loadScene("office"), loadScene("office", "second")];
  if (!first.ok || !second.ok) throw new Error("both packs load");
  expect(second.value.catalogue.paints["desk wood"]).not.toEqual(first.value.catalogue.paints["desk wood"]);
});
