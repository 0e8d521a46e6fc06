import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { EvaluationManifest, TrialResult } from "#contract/evaluation";
import { err, ok, type Result } from "#contract/result";

/** One run's folder: what it was asked for, one line for each trial that is done, and a folder for each trial's recording. */
export interface RunFolder {
  readonly path: string;
  readonly manifest: EvaluationManifest;
  readonly results: readonly TrialResult[];
  /** On disk before this returns. */
  append(result: TrialResult): void;
  /** Where a trial may write, relative to `path`; emptied. */
  trialFolder(trial: number): string;
  close(): void;
}

const resultsName = "results.jsonl";
const lockName = "running.pid";

/** Reads a run's manifest and results. Lines that are cut off or damaged are left out and counted: their trials are not done. */
export function readRun(
  path: string,
): Result<{ manifest: EvaluationManifest; results: readonly TrialResult[]; dropped: number }, string> {
  const manifest = readManifest(path);
  if (!manifest.ok) return manifest;
  const { results, dropped } = readResults(join(path, resultsName));
  return ok({ manifest: manifest.value, results, dropped });
}

/** Opens a folder for a run: a new one, or one to go on with, which must have been asked for the very same. */
export function openRun(
  path: string,
  manifest: EvaluationManifest,
  resume: boolean,
): Result<RunFolder, string> {
  if (existsSync(join(path, "manifest.json"))) {
    if (!resume)
      return err(`${path} already holds a run; --resume goes on with it, --out names another folder`);
    const before = readManifest(path);
    if (!before.ok) return before;
    const difference = firstDifference(before.value, manifest);
    if (difference !== null) return err(`${path} cannot be resumed: ${difference}`);
  } else if (resume) return err(`${path} holds no run to resume`);
  mkdirSync(join(path, "trials"), { recursive: true });
  const lock = takeLock(path);
  if (!lock.ok) return lock;
  if (!resume) writeWhole(join(path, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const file = join(path, resultsName);
  const { results, dropped } = readResults(file);
  if (dropped > 0) writeWhole(file, results.map(line).join(""));
  const fd = openSync(file, "a");
  return ok({
    path,
    manifest,
    results,
    append: (result) => {
      writeSync(fd, line(result));
      fdatasyncSync(fd);
    },
    trialFolder: (trial) => {
      const folder = join("trials", String(trial).padStart(4, "0"));
      rmSync(join(path, folder), { recursive: true, force: true });
      mkdirSync(join(path, folder), { recursive: true });
      return folder;
    },
    close: () => {
      closeSync(fd);
      rmSync(join(path, lockName), { force: true });
    },
  });
}

const line = (result: TrialResult): string => `${JSON.stringify(result)}\n`;

function readManifest(path: string): Result<EvaluationManifest, string> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"));
  } catch {
    return err(`${path} holds no run (no readable manifest.json)`);
  }
  const parsed = EvaluationManifest.safeParse(value);
  return parsed.success ? ok(parsed.data) : err(`${path}: its manifest.json is of another version`);
}

/** One result for each trial; of two lines for the same trial the first counts. */
function readResults(file: string): { results: readonly TrialResult[]; dropped: number } {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { results: [], dropped: 0 };
  }
  const found = new Map<number, TrialResult>();
  let dropped = 0;
  for (const one of text.split("\n")) {
    if (one === "") continue;
    const parsed = parseLine(one);
    if (parsed === null || found.has(parsed.trial)) dropped += 1;
    else found.set(parsed.trial, parsed);
  }
  // A whole line whose end is missing is kept, but the file is written anew, so that the next one begins on its own.
  if (dropped === 0 && text !== "" && !text.endsWith("\n")) dropped = 1;
  return { results: [...found.values()], dropped };
}

function parseLine(text: string): TrialResult | null {
  try {
    const parsed = TrialResult.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The first setting that would change a result; null when all are the same. */
export function firstDifference(before: EvaluationManifest, now: EvaluationManifest): string | null {
  const words: Readonly<Partial<Record<keyof EvaluationManifest, string>>> = {
    plan: "the suite's trials are defined differently now",
    build: "Kingfisher was built from other sources",
  };
  for (const key of ["suite", "policy", "seed", "trials", "shard", "plan", "build", "runtime"] as const)
    if (before[key] !== now[key])
      return words[key] ?? `its ${key} is ${String(before[key])}, not ${String(now[key])}`;
  return null;
}

function takeLock(path: string): Result<void, string> {
  const file = join(path, lockName);
  const other = existsSync(file) ? Number(readFileSync(file, "utf8")) : Number.NaN;
  if (Number.isInteger(other) && other !== process.pid && isAlive(other))
    return err(`${path} is being written by another run (process ${String(other)})`);
  writeFileSync(file, String(process.pid));
  return ok(undefined);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function writeWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
