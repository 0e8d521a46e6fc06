import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import { type OpenedWorkspace, ReviewWorkspace, workspaceSchemaVersion } from "#contract/review-workspace";
import { backUp, readJson, writeWhole } from "./files";

const Versioned = z.looseObject({ schema: z.number().int().min(1) });

/**
 * Older files step by step: `migrations[n]` turns version n into n + 1.
 * Version 1 had bookmarks without notes of their own and no speed; its notes were a list of lines.
 */
const migrations: Readonly<Record<number, (old: Record<string, unknown>) => Record<string, unknown>>> = {
  1: (old) => ({
    ...old,
    schema: 2,
    bookmarks: asList(old["bookmarks"]).map((bookmark) => ({ note: "", ...asRecord(bookmark) })),
    notes: Array.isArray(old["notes"]) ? old["notes"].map(String).join("\n") : (old["notes"] ?? ""),
    speed: old["speed"] ?? 1,
    range: old["range"] ?? null,
  }),
};

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};

/**
 * Reads a workspace. An older one is migrated in place, its first form kept beside it; a newer one is opened read-only
 * with what this version understands of it.
 */
export function openWorkspace(path: string): Result<OpenedWorkspace, string> {
  const json = readJson(path);
  if (!json.ok) return json;
  const versioned = Versioned.safeParse(json.value);
  if (!versioned.success) return err(`${path} is no Kingfisher workspace.`);
  const version = versioned.data.schema;
  const read_only = version > workspaceSchemaVersion;
  let raw: Record<string, unknown> = versioned.data;
  for (let at = version; at < workspaceSchemaVersion; at++) raw = migrations[at]?.(raw) ?? raw;
  const parsed = read_only ? known(raw) : ReviewWorkspace.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".") ?? "";
    return err(
      read_only
        ? `${path} was written by a newer Kingfisher (version ${version}) and cannot be read by this one: ${where}.`
        : `${path} is damaged: ${where === "" ? "its content" : where} is not what it should be.`,
    );
  }
  const workspace = absolute(parsed.data, dirname(resolve(path)));
  let backup: string | null = null;
  if (version < workspaceSchemaVersion) {
    const kept = backUp(path, version);
    if (!kept.ok) return kept;
    backup = kept.value;
    const written = saveWorkspace(path, workspace, true);
    if (!written.ok) return written;
  }
  return ok({
    path,
    workspace,
    read_only,
    migrated_from: version < workspaceSchemaVersion ? version : null,
    backup,
    missing: workspace.logs.map((log) => log.path).filter((log) => !existsSync(log)),
  });
}

/** What this version knows of a newer file: unknown members are left out instead of refused. */
function known(raw: Record<string, unknown>): ReturnType<typeof ReviewWorkspace.safeParse> {
  const names = Object.keys(ReviewWorkspace.shape);
  const kept = Object.fromEntries(names.map((name) => [name, raw[name]]));
  return ReviewWorkspace.safeParse({ ...kept, schema: workspaceSchemaVersion });
}

/** Logs below the file's own folder are written relative to it, so that the folder can be passed on as a whole. */
export function saveWorkspace(
  path: string,
  workspace: ReviewWorkspace,
  overwrite: boolean,
): Result<void, string> {
  if (overwrite && existsSync(path)) {
    const there = readJson(path);
    const version = there.ok ? Versioned.safeParse(there.value) : null;
    if (version?.success && version.data.schema > workspaceSchemaVersion)
      return err(`${path} was written by a newer Kingfisher and stays as it is; save under another name.`);
  }
  const folder = dirname(resolve(path));
  const logs = workspace.logs.map((log) => ({ ...log, path: inside(folder, log.path) }));
  return writeWhole(path, `${JSON.stringify({ ...workspace, logs }, null, 2)}\n`, overwrite);
}

function inside(folder: string, path: string): string {
  const near = relative(folder, path);
  return near !== "" && !near.startsWith("..") && !isAbsolute(near) ? near : path;
}

const absolute = (workspace: ReviewWorkspace, folder: string): ReviewWorkspace => ({
  ...workspace,
  logs: workspace.logs.map((log) => ({
    ...log,
    path: isAbsolute(log.path) ? log.path : join(folder, log.path),
  })),
});
