import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { VehicleFile } from "#contract/airframe";
import { err, ok, type Result } from "#contract/result";
import { resourcePath } from "../platform/paths";
import { Catalogue, SceneFile } from "./world/scene-file";

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
  const where = issue === undefined || issue.path.length === 0 ? "(top)" : issue.path.map(String).join(".");
  return err(`${path}: at ${where}: ${issue?.message ?? "does not fit"}`);
}

export interface SceneSource {
  readonly scene: SceneFile;
  readonly catalogue: Catalogue;
}

const names = (directory: string): string[] => {
  try {
    return readdirSync(directory)
      .filter((file) => file.endsWith(".json") && !file.startsWith("catalogue-"))
      .map((file) => file.slice(0, -".json".length))
      .sort();
  } catch {
    return [];
  }
};

/** A scene by name, with its catalogue (or another one, to look at the same place with other objects). */
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
  const chosen = catalogue ?? scene.value.catalogue;
  const objects = readJson(join(directory, `${chosen}.json`), Catalogue);
  if (!objects.ok) return objects;
  return ok({ scene: scene.value, catalogue: objects.value });
}

export function loadVehicle(id: string, resources = resourcePath()): Result<VehicleFile, string> {
  const directory = join(resources, "vehicles");
  const path = join(directory, `${id}.json`);
  if (!/^[a-z0-9-]+$/.test(id) || !existsSync(path)) {
    return err(`unknown vehicle "${id}"; there are: ${names(directory).join(", ") || "none"}`);
  }
  return readJson(path, VehicleFile);
}
