import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { VehicleFile } from "#contract/airframe";
import { err, ok, type Result } from "#contract/result";
import { resourcePath } from "../platform/paths";
import { CatalogueFile, resolveCatalogue } from "./world/catalogue";
import { type Catalogue, SceneFile } from "./world/scene-file";

/** Reads and checks one JSON file; the error names the file, the path inside it and what was expected. */
export function readJson<T>(path: string, schema: z.ZodType<T>): Result<T, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return err(`${path}: cannot be read`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return err(`${path}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const { at, text: what } = issue === undefined ? { at: [], text: "does not fit" } : explain(issue);
  return err(`${path}: at ${at.length === 0 ? "(top)" : at.map(String).join(".")}: ${what}`);
}

interface Explained {
  readonly at: readonly PropertyKey[];
  readonly text: string;
}

/** Of several allowed forms the one that fitted furthest says what is wrong; where none fitted at all, each is named. */
function explain(issue: z.core.$ZodIssue): Explained {
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input" || issue.errors.length === 0)
    return { at: issue.path, text: issue.message };
  const forms = issue.errors.flatMap((form) => (form[0] === undefined ? [] : [explain(form[0])]));
  const furthest = forms.reduce((a, b) => (b.at.length > a.at.length ? b : a));
  const text = furthest.at.length > 0 ? furthest.text : forms.map((form) => form.text).join(", or ");
  return { at: [...issue.path, ...furthest.at], text };
}

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

export function loadVehicle(id: string, resources = resourcePath()): Result<VehicleFile, string> {
  const directory = join(resources, "vehicles");
  const path = join(directory, `${id}.json`);
  if (!/^[a-z0-9-]+$/.test(id) || !existsSync(path)) {
    return err(`unknown vehicle "${id}"; there are: ${names(directory).join(", ") || "none"}`);
  }
  return readJson(path, VehicleFile);
}
