import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { appRoot } from "./paths";

/** Shown in About and written into every recording. `git` is a short hash, "+" when built from changed files. */
export interface Version {
  readonly version: string;
  readonly git: string;
}

const Stamp = z.object({ version: z.string(), git: z.string() });
const Package = z.object({ version: z.string() });

/** Reads the stamp that the build leaves in out/version.json; without a build, the package's version alone. */
export function readVersion(root: string = appRoot()): Version {
  try {
    return Stamp.parse(JSON.parse(readFileSync(join(root, "out", "version.json"), "utf8")));
  } catch {
    const { version } = Package.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
    return { version, git: "unbuilt" };
  }
}
