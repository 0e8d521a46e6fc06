import { join, relative } from "node:path";
import type { TrialResult } from "#contract/evaluation";
import { err, ok, type Result } from "#contract/result";
import { firstDifference, openRun, readRun } from "./run-folder";
import type { RunEnd } from "./runner";

/** Puts the results of several shards of one run into a folder of their own; recordings stay where they are. */
export function mergeRuns(paths: readonly string[], out: string): Result<RunEnd, string> {
  const found = new Map<number, TrialResult>();
  let whole: RunEnd["manifest"] | null = null;
  for (const path of paths) {
    const run = readRun(path);
    if (!run.ok) return run;
    const manifest = { ...run.value.manifest, shard: "1/1" };
    const difference = whole === null ? null : firstDifference(whole, manifest);
    if (difference !== null) return err(`${path} is not a part of the same run: ${difference}`);
    whole = manifest;
    for (const result of run.value.results) {
      const recording = result.recording === null ? null : relative(out, join(path, result.recording));
      if (found.has(result.trial))
        return err(`${path}: trial ${String(result.trial)} is in another of the folders too`);
      found.set(result.trial, { ...result, recording });
    }
  }
  if (whole === null) return err("there is nothing to merge");
  const folder = openRun(out, whole, false);
  if (!folder.ok) return folder;
  const results = [...found.values()].sort((a, b) => a.trial - b.trial);
  for (const result of results) folder.value.append(result);
  folder.value.close();
  return ok({ manifest: whole, results, left: whole.trials - results.length, problem: null });
}
