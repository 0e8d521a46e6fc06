import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { EvaluationManifest, EvaluationTable, TrialResult } from "#contract/evaluation";
import type { EvaluationRun, EvaluationRunDetail } from "#contract/evaluation-ipc";
import type { Result } from "#contract/result";
import type { StationHandlers } from "../ipc/port";
import type { EvaluationDesk } from "./evaluation-desk";

type EvaluationRequest = Extract<keyof StationHandlers, `evaluation.${string}`>;

const outcome = (
  result: Result<unknown, string>,
): { readonly ok: true } | { readonly ok: false; readonly reason: string } =>
  result.ok ? { ok: true } : { ok: false, reason: result.error };

/** The window's requests about evaluation: runs are read from their folders, the desk starts and stops them. */
export function evaluationHandlers(
  desk: EvaluationDesk,
  folder: string,
): Pick<StationHandlers, EvaluationRequest> {
  return {
    "evaluation.state": () => Promise.resolve(desk.state),
    "evaluation.suites": async () => {
      const suites = await desk.suites();
      return suites.ok ? { ok: true, value: suites.value } : { ok: false, reason: suites.error };
    },
    "evaluation.runs": () => listRuns(folder),
    "evaluation.open": async ({ folder: path }) => {
      const detail = await openRun(path, desk);
      return detail === null
        ? { ok: false, reason: `${path} holds no evaluation.` }
        : { ok: true, value: detail };
    },
    "evaluation.start": (order) => Promise.resolve(outcome(desk.start(order))),
    "evaluation.resume": async ({ folder: path }) => {
      const manifest = await readJson(join(path, "manifest.json"), EvaluationManifest);
      if (manifest === null) return { ok: false, reason: `${path} holds no evaluation.` };
      return outcome(desk.resume(path, manifest, 2));
    },
    "evaluation.stop": () => Promise.resolve(outcome(desk.stop())),
  };
}

/** Newest first. */
async function listRuns(folder: string): Promise<readonly EvaluationRun[]> {
  const names = await readdir(folder).catch(() => []);
  const runs = await Promise.all(names.map((name) => readRun(join(folder, name))));
  return runs
    .flatMap((run) => (run === null ? [] : [run.run]))
    .sort((a, b) => b.modified_utc_ms - a.modified_utc_ms);
}

async function readRun(
  folder: string,
): Promise<{ readonly run: EvaluationRun; readonly results: readonly TrialResult[] } | null> {
  const manifest = await readJson(join(folder, "manifest.json"), EvaluationManifest);
  if (manifest === null) return null;
  const file = join(folder, "results.jsonl");
  const [text, entry] = await Promise.all([
    readFile(file, "utf8").catch(() => ""),
    stat(file)
      .catch(() => stat(folder))
      .catch(() => null),
  ]);
  const results = text.split("\n").flatMap((line) => {
    const parsed = TrialResult.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
  const run = {
    folder,
    manifest,
    done: results.length,
    passed: results.filter((r) => r.passed).length,
    modified_utc_ms: entry?.mtimeMs ?? 0,
  };
  return { run, results };
}

async function openRun(folder: string, desk: EvaluationDesk): Promise<EvaluationRunDetail | null> {
  const found = await readRun(folder);
  if (found === null) return null;
  const suites = await desk.suites();
  const suite = suites.ok ? suites.value.find((s) => s.name === found.run.manifest.suite) : undefined;
  return {
    run: found.run,
    table: await readJson(join(folder, "table.json"), EvaluationTable),
    published: suite?.published ?? [],
    trials: [...found.results]
      .sort((a, b) => a.trial - b.trial)
      .map(({ trial, variant, passed, recording }) => ({
        ...{ trial, variant, passed },
        recording: recording === null ? null : resolve(folder, recording),
      })),
  };
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
