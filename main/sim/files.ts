import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import { readJson } from "../platform/json-file";
import { resourcePath } from "../platform/paths";
import { CatalogueFile, resolveCatalogue } from "./world/catalogue";
import { type Catalogue, SceneFile } from "./world/scene-file";

export { loadVehicle } from "../platform/vehicle-file";

export interface SceneSource {
  readonly scene: SceneFile;
  readonly catalogue: Catalogue;
}

const jsonFiles = (directory: string): string[] => {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.slice(0, -".json".length))
      .sort();
  } catch {
    return [];
  }
};
const names = (directory: string): string[] =>
  jsonFiles(directory).filter((file) => !file.startsWith("catalogue-"));
const catalogues = (directory: string): string[] =>
  jsonFiles(directory).filter((file) => file.startsWith("catalogue-"));

/**
 * A scene by name, with its catalogue or another one, to look at the same place with other objects: `second` is the
 * scene's own second pack.
 */
export function loadScene(
  name: string,
  catalogue?: string,
  resources = resourcePath(),
): Result<SceneSource, string> {
  const directory = join(resources, "scenes");
  const path = join(directory, `${name}.json`);
  if (!/^[a-z0-9-]+$/.test(name) || !existsSync(path)) {
    return err(`unknown scene "${name}"; there are: ${names(directory).join(", ") || "none"}`);
  }
  const scene = readJson(path, SceneFile);
  if (!scene.ok) return scene;
  const { catalogue: first, second_catalogue: second } = scene.value;
  const chosen = catalogue === "second" ? second : (catalogue ?? first);
  const objects = loadCatalogue(directory, chosen);
  if (!objects.ok) return objects;
  return ok({ scene: { ...scene.value, catalogue: chosen }, catalogue: objects.value });
}

/** Follows `base` from pack to pack; no catalogue of ours is more than two deep. */
function loadCatalogue(directory: string, name: string, depth = 0): Result<Catalogue, string> {
  const path = join(directory, `${name}.json`);
  if (!/^catalogue-[a-z0-9-]+$/.test(name) || !existsSync(path))
    return err(`unknown catalogue "${name}"; there are: ${catalogues(directory).join(", ") || "none"}`);
  const file = readJson(path, CatalogueFile);
  if (!file.ok) return file;
  const bases: Catalogue[] = [];
  for (const base of file.value.base) {
    if (depth >= 3) return err(`${path}: at base: expected catalogues that do not lead back here`);
    const found = loadCatalogue(directory, base, depth + 1);
    if (!found.ok) return err(`${path}: at base: ${found.error}`);
    bases.push(found.value);
  }
  const resolved = resolveCatalogue(file.value, bases);
  return resolved.ok ? resolved : err(`${path}: ${resolved.error}`);
}
