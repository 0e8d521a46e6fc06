import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { resourcePath } from "../platform/paths";
import { loadScene, loadVehicle } from "./files";

let resources = "";
beforeEach(() => {
  resources = mkdtempSync(join(tmpdir(), "kingfisher-resources-"));
  cpSync(resourcePath("scenes"), join(resources, "scenes"), { recursive: true });
});
afterEach(() => rmSync(resources, { recursive: true, force: true }));

const file = (name: string): string => join(resources, "scenes", `${name}.json`);

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Changes one value of a file, by its path inside it; undefined takes it away. */
function damage(name: string, path: readonly (string | number)[], value: Json | undefined): void {
  const top = JSON.parse(readFileSync(file(name), "utf8")) as Json;
  let at = top as Record<string | number, Json>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, Json>;
  const last = path.at(-1) ?? "";
  if (value === undefined) Reflect.deleteProperty(at, last);
  else at[last] = value;
  writeFileSync(file(name), JSON.stringify(top));
}

const refusal = (scene: string, catalogue?: string): string => {
  const loaded = loadScene(scene, catalogue, resources);
  if (loaded.ok) throw new Error("it was accepted");
  return loaded.error;
};

test.each([
  ["furniture.0.x", ["furniture", 0, "x"], "left", /expected number.* or .*expected (array|tuple)/],
  ["furniture.0.x.1", ["furniture", 0, "x"], [1, "far"], /expected number/],
  ["room.max", ["room", "max"], [4, 3], /3|array/i],
  ["light.strength", ["light", "strength"], -1, />\s*0/],
  [
    "objects.0.extra",
    ["objects", 0, "extra"],
    "some",
    /expected array.* or .*"all"|expected tuple.* or .*"all"/,
  ],
  ["schema", ["schema"], 2, /expected 1/],
  ["pad", ["pad"], undefined, /expected object/],
  ["(top)", ["colour"], "red", /colour/],
] as const)(
  "a scene file broken at %s names itself, that path and what was expected",
  (where, path, value, what) => {
    damage("office", path, value as Json | undefined);
    const said = refusal("office");
    expect(said).toContain(`${file("office")}: at ${where}: `);
    expect(said).toMatch(what);
  },
);

test("a broken catalogue names its own file and the path of the part, through all that leads to it", () => {
  damage("catalogue-a", ["objects", "red_cup", "parts", 1, "radius"], "wide");
  const said = refusal("office");
  expect(said).toContain(`${file("catalogue-a")}: at objects.red_cup`);
  expect(said).toContain("parts.1.radius");
  expect(said).toMatch(/expected number/);
  expect(refusal("household")).toContain(file("catalogue-a"));
});

test("a likeness of something that is not there, a paint that is not there, a catalogue that leads back to itself", () => {
  damage("catalogue-airvla", ["objects", "blue_mug", "like"], "red_jug");
  expect(refusal("household")).toMatch(
    /objects\.blue_mug\.like: expected an object of this catalogue, not "red_jug"/,
  );
  damage("catalogue-airvla", ["objects", "blue_mug", "like"], "red_mug");
  damage("catalogue-airvla", ["furniture", "stove", "parts", 0, "paint"], "tartan");
  expect(refusal("household")).toMatch(/furniture\.stove: expected paints of this catalogue, not "tartan"/);
  damage("catalogue-a", ["base"], ["catalogue-b"]);
  expect(refusal("office")).toMatch(/at base: expected catalogues that do not lead back here/);
});

test("what is no JSON at all, and what does not exist", () => {
  writeFileSync(file("office"), "{ scene:");
  expect(refusal("office")).toMatch(/office\.json: not valid JSON: /);
  expect(refusal("attic")).toBe(
    'unknown scene "attic"; there are: household, industrial, laboratory, office, outdoor, warehouse',
  );
  expect(refusal("../office")).toMatch(/^unknown scene/);
  expect(refusal("warehouse", "catalogue-z")).toMatch(
    /^unknown catalogue "catalogue-z"; there are: catalogue-a,/,
  );
  const vehicle = loadVehicle("blimp", resourcePath());
  expect(vehicle.ok ? "" : vehicle.error).toMatch(/^unknown vehicle "blimp"; there are: .*hexa650/);
});
