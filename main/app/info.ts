import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { AppInfo } from "#contract/station";
import { appRoot, type Home } from "../platform/paths";
import { readVersion } from "../platform/version";

const Package = z.object({ devDependencies: z.object({ electron: z.string() }) });

/** What About shows. Only the Electron that package.json pins is for the field; any other runs the bench. */
export function appInfo(home: Home, versions: Readonly<Record<string, string | undefined>>): AppInfo {
  const root = appRoot();
  const { devDependencies } = Package.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const electron = versions["electron"] ?? "none";
  const forField = electron === devDependencies.electron;
  return {
    ...readVersion(root),
    runtime: forField
      ? `Electron ${electron}`
      : `Electron ${electron} in place of the pinned ${devDependencies.electron}: not for the field`,
    runtime_for_field: forField,
    electron,
    chromium: versions["chrome"] ?? "none",
    node: versions["node"] ?? "none",
    home: home.root,
  };
}
