import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { VehicleFile } from "#contract/airframe";
import { err, type Result } from "#contract/result";
import { readJson } from "./json-file";
import { resourcePath } from "./paths";

/** The vehicle that is meant when none is named. */
export const defaultVehicle = "hexa650";

/** A vehicle of resources/vehicles by name; the error is one line, with the path inside a broken file. */
export function loadVehicle(id: string, resources = resourcePath()): Result<VehicleFile, string> {
  const folder = join(resources, "vehicles");
  const path = join(folder, `${id}.json`);
  if (!/^[a-z0-9-]+$/.test(id) || !existsSync(path))
    return err(`unknown vehicle "${id}"; there are: ${names(folder).join(", ") || "none"}`);
  return readJson(path, VehicleFile);
}

function names(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .sort();
}
