import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { appRoot } from "../../main/platform/paths";

/** The Electron that the set-up prepared; `npm start` and `npm test` leave a note of it. */
export function electronPath(): string {
  const note = JSON.parse(readFileSync(join(appRoot(), ".cache", "runtime.json"), "utf8")) as unknown;
  return z.looseObject({ executable: z.string() }).parse(note).executable;
}
