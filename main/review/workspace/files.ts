import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { err, ok, type Result } from "#contract/result";

/** One clear sentence of a failed file operation. */
export function fileProblem(what: string, path: string, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Libraries of other languages say it in words.
  const code = /No space left/.test(text) ? "ENOSPC" : (error as NodeJS.ErrnoException | null)?.code;
  const why =
    code === "ENOSPC"
      ? "the disk is full"
      : code === "EACCES" || code === "EPERM" || code === "EROFS"
        ? "writing there is not permitted"
        : code === "ENOENT"
          ? "it does not exist"
          : code === "EISDIR"
            ? "a folder of that name is in the way"
            : code === "ENOTDIR"
              ? "a file is in the way of its folder"
              : text;
  return `${what} ${path} failed: ${why}.`;
}

/** Writes a file whole or not at all; an existing one only with `overwrite`. */
export function writeWhole(path: string, text: string, overwrite: boolean): Result<void, string> {
  if (!overwrite && existsSync(path)) return err(`${path} exists already.`);
  const next = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(next, text);
    renameSync(next, path);
    return ok(undefined);
  } catch (error) {
    rmSync(next, { force: true });
    return err(fileProblem("Saving", path, error));
  }
}

export function readJson(path: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(readFileSync(path, "utf8")) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return err(`${path} is no JSON: it may have been cut off.`);
    return err(fileProblem("Opening", path, error));
  }
}

/** Keeps an older file beside the migrated one; the name of the copy. */
export function backUp(path: string, version: number): Result<string, string> {
  const backup = `${path}.v${version}.bak`;
  try {
    if (!existsSync(backup)) copyFileSync(path, backup);
    return ok(backup);
  } catch (error) {
    return err(fileProblem("Keeping a copy as", backup, error));
  }
}

/** A title as part of a file's name. */
export const asName = (title: string): string =>
  title
    .normalize("NFKD")
    .replace(/[^\w.()-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, 80) || "review";
