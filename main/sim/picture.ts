import { writeFileSync } from "node:fs";
import type { VehicleFile } from "#contract/airframe";
import { err, ok, type Result } from "#contract/result";
import { encodePng } from "../platform/png";
import { overviewOf, takeStill } from "./camera/still";
import type { Layout } from "./world/layout";
import { World } from "./world/world";

const size = { width: 1120, height: 700 };

/** `--picture FILE`: the scene of a seed as a third person sees it, as PNG. */
export async function writePicture(
  file: string,
  layout: Layout,
  vehicle: VehicleFile,
): Promise<Result<void, string>> {
  const world = await World.create({ layout, vehicle });
  const still = takeStill(world, overviewOf(layout), size.width, size.height);
  world.close();
  try {
    writeFileSync(file, encodePng(still.rgb, still.width, still.height));
  } catch {
    return err(`--picture: ${file} cannot be written`);
  }
  return ok(undefined);
}
