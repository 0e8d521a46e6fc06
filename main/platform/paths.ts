import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * The folder that holds package.json, resources/ and out/: found by walking up, because the same code runs
 * from its source in tests and from out/main/chunks when built.
 */
export function appRoot(from: string = __dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "contract"))) return folder;
    if (dirname(folder) === folder) throw new Error(`Invariant: no Kingfisher folder above ${from}`);
  }
}

/** A file of resources/ (scenes, vehicles, prompts), by its path inside it. */
export function resourcePath(...parts: readonly string[]): string {
  return join(appRoot(), "resources", ...parts);
}

/** Where settings, recordings and logs live: `KINGFISHER_HOME` moves them all. */
export interface Home {
  readonly root: string;
  readonly settings: string;
  readonly flights: string;
  /** Runs of suites, a folder each. */
  readonly evaluations: string;
  readonly logs: string;
  /** Chromium's own profile; also what the single-instance lock is bound to. */
  readonly profile: string;
}

export function homePaths(env: Readonly<Record<string, string | undefined>> = process.env): Home {
  const chosen = env["KINGFISHER_HOME"];
  const root = chosen !== undefined && chosen !== "" ? chosen : join(homedir(), ".kingfisher");
  return {
    root,
    settings: join(root, "settings.json"),
    flights: join(root, "flights"),
    evaluations: join(root, "evaluations"),
    logs: join(root, "logs"),
    profile: join(root, "profile"),
  };
}
