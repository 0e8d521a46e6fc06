import { readdirSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import { LayoutFile, layoutSchemaVersion, type PlotLayout } from "#contract/review-workspace";
import { asName, readJson, writeWhole } from "./files";

const ENDING = ".kingfisher-layout.json";

/** Where a layout goes that is saved without a place. */
export const layoutPath = (folder: string, layout: PlotLayout): string =>
  join(folder, `${asName(layout.title)}${ENDING}`);

export const saveLayout = (path: string, layout: PlotLayout, overwrite: boolean): Result<void, string> =>
  writeWhole(path, `${JSON.stringify({ schema: layoutSchemaVersion, layout }, null, 2)}\n`, overwrite);

export function openLayout(path: string): Result<LayoutFile, string> {
  const json = readJson(path);
  if (!json.ok) return json;
  const parsed = LayoutFile.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const newer = Number((json.value as { schema?: unknown } | null)?.schema) > layoutSchemaVersion;
  return err(newer ? `${path} was written by a newer Kingfisher.` : `${path} is no Kingfisher layout.`);
}

/** Layouts kept in a folder; files that are none are passed over. */
export function savedLayouts(folder: string): PlotLayout[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .flatMap((name) => {
      const opened = openLayout(join(folder, name));
      return opened.ok ? [opened.value.layout] : [];
    });
}
