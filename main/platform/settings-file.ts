import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { z } from "zod";
import { err, ok, type Result } from "#contract/result";

/** Turns the content of schema version n into that of n + 1. */
export type Migration = (older: Readonly<Record<string, unknown>>) => Record<string, unknown>;

export interface SettingsFormat<T extends { readonly schema: number }> {
  readonly path: string;
  /** Version this program writes. */
  readonly version: number;
  readonly schema: z.ZodObject & z.ZodType<T>;
  readonly defaults: T;
  /** Keyed by the version they start from. */
  readonly migrations: Readonly<Record<number, Migration>>;
}

export interface SettingsFile<T> {
  readonly value: T;
  /** False when the file was written by a newer program: nothing here may overwrite it. */
  readonly writable: boolean;
  /** What the operator should know about how it was opened; null when all is well. */
  readonly problem: string | null;
  /** Writes through a temporary file, so that a crash leaves the old or the new content, never half of one. */
  write(next: T): Result<void, string>;
}

interface Opened<T> {
  readonly value: T;
  readonly writable: boolean;
  readonly problem: string | null;
}

/**
 * Opens the settings. An older file is migrated step by step with a copy kept beside it; a newer one is read as
 * far as it is understood and never written; an unreadable one is put aside under a new name and defaults are used.
 */
export function openSettings<T extends { readonly schema: number }>(
  format: SettingsFormat<T>,
): SettingsFile<T> {
  const opened = load(format);
  return {
    ...opened,
    write: (next) => {
      if (!opened.writable)
        return err("These settings were written by a newer version and are read-only here");
      const parsed = format.schema.safeParse(next);
      if (!parsed.success) return err(`Settings not saved: ${firstIssue(parsed.error)}`);
      try {
        replaceFile(format.path, `${JSON.stringify(parsed.data, null, 2)}\n`);
        return ok(undefined);
      } catch (error) {
        return err(`Settings not saved: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}

function load<T extends { readonly schema: number }>(format: SettingsFormat<T>): Opened<T> {
  let text: string;
  try {
    text = readFileSync(format.path, "utf8");
  } catch (error) {
    if (isMissing(error)) return { value: format.defaults, writable: true, problem: null };
    return {
      value: format.defaults,
      writable: false,
      problem: `Settings could not be read: ${String(error)}`,
    };
  }
  const content = parseObject(text);
  if (content === null) return putAside(format, "it is not JSON");
  const version = content["schema"];
  if (typeof version !== "number" || !Number.isInteger(version))
    return putAside(format, "it has no schema version");
  if (version > format.version) return readNewer(format, content, version);
  if (version < format.version) return migrate(format, content, version);
  const parsed = format.schema.safeParse(content);
  return parsed.success
    ? { value: parsed.data, writable: true, problem: null }
    : putAside(format, firstIssue(parsed.error));
}

function migrate<T extends { readonly schema: number }>(
  format: SettingsFormat<T>,
  older: Record<string, unknown>,
  from: number,
): Opened<T> {
  let content = older;
  for (let version = from; version < format.version; version++) {
    const step = format.migrations[version];
    if (step === undefined)
      return putAside(format, `nothing leads from its schema version ${version} onwards`);
    content = { ...step(content), schema: version + 1 };
  }
  const parsed = format.schema.safeParse(content);
  if (!parsed.success) return putAside(format, firstIssue(parsed.error));
  const backup = `${format.path}.v${from}`;
  copyFileSync(format.path, backup);
  replaceFile(format.path, `${JSON.stringify(parsed.data, null, 2)}\n`);
  return {
    value: parsed.data,
    writable: true,
    problem: `Settings were brought up to date; the old ones are in ${backup}`,
  };
}

/** Each section that still parses is taken; the rest keeps its default. */
function readNewer<T extends { readonly schema: number }>(
  format: SettingsFormat<T>,
  content: Record<string, unknown>,
  version: number,
): Opened<T> {
  const sections = Object.keys(format.schema.shape).filter((key) => key !== "schema" && key in content);
  let value = format.defaults;
  for (const key of sections) {
    const parsed = format.schema.safeParse({ ...value, [key]: content[key] });
    if (parsed.success) value = parsed.data;
  }
  const problem = `Settings have schema version ${version}, this program knows ${format.version}: they are read-only here`;
  return { value, writable: false, problem };
}

function putAside<T extends { readonly schema: number }>(format: SettingsFormat<T>, why: string): Opened<T> {
  const aside = `${format.path}.unreadable-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  renameSync(format.path, aside);
  return {
    value: format.defaults,
    writable: true,
    problem: `Settings could not be used (${why}); defaults apply and the file was kept as ${aside}`,
  };
}

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === "object" && content !== null && !Array.isArray(content)
      ? (content as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined
    ? "it does not fit the schema"
    : `${issue.path.join(".") || "content"}: ${issue.message}`;
}
