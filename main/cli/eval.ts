import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { EvaluationProgress } from "#contract/evaluation";
import { err, ok, type Result } from "#contract/result";
import { mergeRuns } from "../evaluation/merge";
import { reportHtml } from "../evaluation/report";
import { parseShard, type RunEnd, type RunSettings, runSuite } from "../evaluation/runner";
import type { Suite } from "../evaluation/suite";
import { suiteNamed, suites } from "../evaluation/suites/index";
import { tableOf, tableText } from "../evaluation/table";
import { realClock } from "../platform/clock";
import { appRoot, homePaths } from "../platform/paths";
import { readVersion } from "../platform/version";
import type { Arguments } from "./arguments";
import { readRecording } from "./eval-recording";
import { failed, type Verb, type VerbContext, type VerbResult } from "./verb";

export const evalVerb: Verb = {
  spec: {
    name: "eval",
    summary: `Fly a suite of seeded trials and grade them by the truth: ${suites.map((s) => s.name).join(", ")}, or list.`,
    positionals: ["SUITE"],
    more: "DIR",
    options: [
      { name: "policy", value: "NAME", help: "rules" },
      { name: "trials", value: "N", help: "how many (10)" },
      { name: "seed", value: "N", help: "one seed, one table (0)" },
      { name: "shard", value: "I/N", help: "only every Nth trial, from the Ith on" },
      { name: "jobs", value: "N", help: "so many at a time (2)" },
      { name: "out", value: "DIR", help: "the run's folder; below the home's evaluations unless given" },
      { name: "resume", help: "go on with the run in that folder; what is done is not run again" },
      {
        name: "report",
        value: "FILE",
        help: "write a page of its own with tables and links to the recordings",
      },
      { name: "merge", help: "take folders instead of a suite and put their results together in --out" },
    ],
  },
  async run(args, context) {
    if (args.positionals[0] === "list") return list();
    const done = args.has("merge") ? merge(args) : await fly(args, context);
    if ("code" in done) return done;
    return conclude(done, args, context);
  },
};

interface Done {
  readonly suite: Suite;
  readonly folder: string;
  readonly end: RunEnd;
}

function list(): VerbResult {
  const text = suites.map((s) => `${s.name}: ${s.about}\n  ${s.variants.join(", ")}`).join("\n");
  const json = suites.map(({ name, title, about, variants, policies, trial_s, published }) => ({
    ...{ name, title, about, variants, policies, trial_s, published },
  }));
  return { code: 0, json, text };
}

async function fly(args: Arguments, context: VerbContext): Promise<Done | VerbResult> {
  const settings = settingsOf(args);
  if (!settings.ok) return failed(`eval: ${settings.error}`, 2);
  const jobs = args.number("jobs", 2, 1, 64);
  if (!jobs.ok) return failed(jobs.error, 2);
  const { suite, policy, seed, trials, shard } = settings.value;
  const part = shard.of === 1 ? "" : `-${String(shard.index)}of${String(shard.of)}`;
  const name = `${suite.name}-${policy}-seed${String(seed)}-${String(trials)}${part}`;
  const folder = resolve(args.text("out") ?? join(homePaths().evaluations, name));
  const say = progressSayer(context);
  const ended = await runSuite(settings.value, folder, args.has("resume"), {
    clock: realClock(),
    read: readRecording,
    signal: context.signal,
    jobs: Math.floor(jobs.value),
    buildNow,
    onProgress: say,
    onResult: (result) => {
      const how = result.passed ? "passed" : `failed (${result.cause ?? ""})`;
      context.say(`trial ${String(result.trial)}, ${result.variant}: ${how}`);
    },
  });
  if (!ended.ok) return failed(`eval: ${ended.error}.`, 2);
  return { suite, folder, end: ended.value };
}

function settingsOf(args: Arguments): Result<RunSettings, string> {
  const [name = "", extra] = args.positionals;
  if (extra !== undefined) return err(`“${extra}” is one argument too many. See --help`);
  const suite = suiteNamed(name);
  if (!suite.ok) return suite;
  const policy = args.text("policy") ?? "rules";
  if (!suite.value.policies.includes(policy))
    return err(`there is no policy “${policy}”; known: ${suite.value.policies.join(", ")}`);
  const shard = parseShard(args.text("shard") ?? "1/1");
  if (shard === null) return err(`--shard looks like 1/4, not “${args.text("shard") ?? ""}”`);
  const whole = (option: string, fallback: number, low: number): Result<number, string> => {
    const value = args.number(option, fallback, low, 1_000_000);
    if (!value.ok) return err(value.error.replace(/^eval: |\.$/g, ""));
    return Number.isInteger(value.value) ? value : err(`--${option} must be a whole number`);
  };
  const trials = whole("trials", 10, 1);
  if (!trials.ok) return trials;
  const seed = whole("seed", 0, 0);
  if (!seed.ok) return seed;
  return ok({
    suite: suite.value,
    policy,
    seed: seed.value,
    trials: trials.value,
    shard,
    build: buildNow(),
  });
}

function merge(args: Arguments): Done | VerbResult {
  const out = args.text("out");
  if (out === undefined) return failed("eval: --merge needs --out for the folder that takes the results.", 2);
  const folder = resolve(out);
  const merged = mergeRuns(
    args.positionals.map((path) => resolve(path)),
    folder,
  );
  if (!merged.ok) return failed(`eval: ${merged.error}.`, 2);
  const suite = suiteNamed(merged.value.manifest.suite);
  if (!suite.ok) return failed(`eval: ${suite.error}.`, 2);
  return { suite: suite.value, folder, end: merged.value };
}

/** Tables into the folder, the report where it was asked for, and the document. */
function conclude({ suite, folder, end }: Done, args: Arguments, context: VerbContext): VerbResult {
  const { manifest, results, left, problem } = end;
  const table = tableOf(suite, manifest, results);
  const text = tableText(table);
  const version = readVersion();
  const command = commandOf(manifest);
  const report = args.text("report");
  try {
    writeFileSync(join(folder, "table.txt"), `${text}\n`);
    writeFileSync(join(folder, "table.json"), `${JSON.stringify(table, null, 2)}\n`);
    const parts = {
      title: suite.title,
      about: suite.about,
      table,
      results,
      published: suite.published,
      command,
      version: `${version.version} (${version.git})`,
    };
    writeFileSync(join(folder, "report.html"), reportHtml({ ...parts, toRun: "." }));
    if (report !== undefined) {
      const toRun = relative(dirname(resolve(report)), folder).replaceAll("\\", "/") || ".";
      writeFileSync(report, reportHtml({ ...parts, toRun }));
    }
  } catch (error) {
    return failed(`eval: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { overall, rows, failures } = table;
  const json = {
    ...{ suite: suite.name, policy: manifest.policy, seed: manifest.seed },
    ...{ trials: manifest.trials, done: results.length, left, command, version: version.version },
    commit: version.git,
    passed: results.filter((r) => r.passed).length,
    ...suite.figures(results),
    ...{ overall, rows, failures, folder },
  };
  if (problem !== null) return failed(`eval: ${problem}.`, 1, json);
  if (left > 0 && !args.has("merge")) {
    const again = `${command} --out ${folder} --resume`;
    const how = context.signal.aborted ? "Stopped" : "Not finished";
    return failed(`${how} with ${String(left)} trials left; go on with: ${again}`, 1, json);
  }
  return { code: 0, json, text: `${text}\n\n${folder}` };
}

function commandOf({ suite, policy, trials, seed, shard }: RunEnd["manifest"]): string {
  const part = shard === "1/1" ? "" : ` --shard ${shard}`;
  return `kingfisher eval ${suite} --policy ${policy} --trials ${String(trials)} --seed ${String(seed)}${part}`;
}

/** What the program was built from; the version where there is no build. */
function buildNow(): string {
  try {
    return readFileSync(join(appRoot(), "out", "main", "sources.sha256"), "utf8").slice(0, 16);
  } catch {
    return readVersion().git;
  }
}

/** To a parent process every change, as a message; for people a line now and then. */
function progressSayer(context: VerbContext): (progress: EvaluationProgress) => void {
  let said_done = -1;
  return (progress) => {
    if (process.send !== undefined && process.connected) process.send({ kind: "progress", progress });
    if (progress.done === said_done) return;
    said_done = progress.done;
    const left =
      progress.left_s === null
        ? ""
        : `, ${progress.left_s < 90 ? `${progress.left_s.toFixed(0)} s` : `${(progress.left_s / 60).toFixed(0)} min`} left`;
    context.say(`${String(progress.done)} of ${String(progress.total)} trials${left}`);
  };
}
