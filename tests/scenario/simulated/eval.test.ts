import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { TrialResult } from "#contract/evaluation";
import { appRoot } from "../../../main/platform/paths";
import { type CliRun, kingfisher } from "../../support/cli";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kingfisher-eval-test-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const trials = 3;
const run = (out: string, ...more: readonly string[]): Promise<CliRun> =>
  kingfisher(
    ["eval", "smoke", "--trials", String(trials), "--seed", "5", "--out", join(home, out), ...more],
    {
      home,
    },
  );

const read = (...parts: readonly string[]): string => readFileSync(join(home, ...parts), "utf8");
const lines = (out: string): readonly string[] =>
  existsSync(join(home, out, "results.jsonl"))
    ? read(out, "results.jsonl")
        .split("\n")
        .filter((line) => line !== "")
    : [];

/** Starts the runner and sends it a signal as soon as its first trial is done. Resolves when it has ended. */
async function interrupted(
  out: string,
  signal: NodeJS.Signals,
): Promise<{ stderr: string; code: number | null }> {
  const child = spawn(
    process.execPath,
    [
      join(appRoot(), "out", "main", "cli.cjs"),
      ...[
        "eval",
        "smoke",
        "--trials",
        String(trials),
        "--seed",
        "5",
        "--jobs",
        "1",
        "--out",
        join(home, out),
      ],
    ],
    { env: { ...process.env, KINGFISHER_HOME: home }, stdio: ["ignore", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    if (/^trial \d+/m.test(stderr)) child.kill(signal);
  });
  const code = await new Promise<number | null>((resolve) => void child.once("close", resolve));
  return { stderr, code };
}

/** Processes that belong to a run: its trials have homes of their own inside its folder. Linux only. */
function processesOf(out: string): readonly string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(join("/proc", pid, "environ"), "utf8").includes(join(home, out, "trials"))
      );
    } catch {
      return false;
    }
  });
}

describe("one seed, one table", () => {
  test("an unbroken run: every trial passed, each with a recording that opens", async () => {
    const whole = await run("whole", "--json", "--report", join(home, "report.html"));
    expect(whole.stderr).toContain("trials");
    expect(whole.code).toBe(0);
    const document = z
      .looseObject({
        done: z.number(),
        passed: z.number(),
        commit: z.string(),
        command: z.string(),
        overall: z.looseObject({ figures: z.array(z.looseObject({ key: z.string() })) }),
      })
      .parse(JSON.parse(whole.stdout));
    expect(document).toMatchObject({ done: trials, passed: trials });
    expect(document.command).toContain("eval smoke --policy rules --trials 3 --seed 5");
    const results = lines("whole").map((line) => TrialResult.parse(JSON.parse(line)));
    expect(results.map((r) => r.trial).sort()).toEqual([0, 1, 2]);
    for (const { recording } of results)
      expect(existsSync(join(home, "whole", recording ?? "nowhere", "flight.mcap"))).toBe(true);
    const report = read("report.html");
    expect(report).toContain(`href="whole/${results[0]?.recording ?? "nowhere"}/"`);
    expect(report).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(report).not.toContain("<script");
    const opened = await kingfisher(
      ["review", join(home, "whole", results[0]?.recording ?? ""), "--summary", "--json"],
      { home },
    );
    expect(opened.code).toBe(0);
  });

  test("killed in the middle of a trial, with a half-written line, then resumed: the same table, to the byte", async () => {
    await interrupted("killed", "SIGKILL");
    const before = lines("killed");
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(trials);
    await vi.waitUntil(() => processesOf("killed").length === 0, { timeout: 60_000, interval: 100 });
    appendFileSync(join(home, "killed", "results.jsonl"), '{"schema":1,"suite":"smoke","tri');

    const resumed = await run("killed", "--resume");
    expect(resumed.code).toBe(0);
    // What was done is not done again: the very same line, real seconds and all.
    expect(lines("killed").slice(0, before.length)).toEqual(before);
    expect(lines("killed").length).toBe(trials);
    for (const name of ["table.json", "table.txt"]) expect(read("killed", name)).toBe(read("whole", name));
  });

  test("two shards merged are one run", async () => {
    expect((await run("first", "--shard", "1/2")).code).toBe(0);
    expect((await run("second", "--shard", "2/2")).code).toBe(0);
    expect(lines("first").length + lines("second").length).toBe(trials);
    const merged = await kingfisher(
      ["eval", join(home, "first"), join(home, "second"), "--merge", "--out", join(home, "merged")],
      { home },
    );
    expect(merged.code).toBe(0);
    for (const name of ["table.json", "table.txt"]) expect(read("merged", name)).toBe(read("whole", name));
    // Lines merge by concatenation, too; only the way to the recordings is told from the new folder.
    const bare = (line: string): unknown => ({ ...(JSON.parse(line) as object), recording: null });
    expect(lines("merged").map(bare)).toEqual(
      [...lines("first"), ...lines("second")]
        .map((line) => TrialResult.parse(JSON.parse(line)))
        .sort((a, b) => a.trial - b.trial)
        .map((r) => ({ ...r, recording: null })),
    );
  });

  test("Ctrl+C ends it cleanly and says how to go on; nothing stays behind", async () => {
    const { stderr, code } = await interrupted("stopped", "SIGINT");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Stopped with \d trials left; go on with: kingfisher eval smoke .*--resume/);
    expect(existsSync(join(home, "stopped", "running.pid"))).toBe(false);
    expect(processesOf("stopped")).toEqual([]);
    for (const line of lines("stopped")) expect(TrialResult.safeParse(JSON.parse(line)).success).toBe(true);
  });
});

describe("clear refusals, one line each", () => {
  const out = (name: string): readonly string[] => ["--out", join(home, name)];
  test.each([
    [() => ["eval"], "SUITE"],
    [() => ["eval", "nonsense"], "no suite “nonsense”; there are: smoke"],
    [() => ["eval", "smoke", "extra"], "one argument too many"],
    [() => ["eval", "smoke", "--shard", "3/2"], "--shard looks like 1/4"],
    [() => ["eval", "smoke", "--shard", "0/2"], "--shard looks like 1/4"],
    [() => ["eval", "smoke", "--trials", "0"], "--trials"],
    [() => ["eval", "smoke", "--trials", "1.5"], "whole number"],
    [() => ["eval", "smoke", "--seed", "x"], "--seed"],
    [() => ["eval", "smoke", "--policy", "oracle"], "no policy “oracle”; known: rules"],
    [() => ["eval", "smoke", "--jobs", "0"], "--jobs"],
    [() => ["eval", "smoke", "--resume", ...out("nothing-there")], "holds no run to resume"],
    [
      () => ["eval", "smoke", "--trials", "3", "--seed", "5", ...out("whole")],
      "already holds a run; --resume",
    ],
    [
      () => ["eval", "smoke", "--trials", "3", "--seed", "6", "--resume", ...out("whole")],
      "its seed is 5, not 6",
    ],
    [
      () => ["eval", "smoke", "--trials", "4", "--seed", "5", "--resume", ...out("whole")],
      "its trials is 3, not 4",
    ],
    [() => ["eval", "flight", "--resume", ...out("whole")], "its suite is smoke, not flight"],
    [() => ["eval", join(home, "first"), "--merge"], "--merge needs --out"],
    [() => ["eval", join(home, "nowhere"), "--merge", ...out("m1")], "holds no run"],
    [
      () => ["eval", join(home, "first"), join(home, "first"), "--merge", ...out("m2")],
      "is in another of the folders",
    ],
  ] as const)("%#: %s", async (args, text) => {
    const refused = await kingfisher(args(), { home });
    expect(refused.stderr).toContain(text);
    expect(refused.code).toBe(2);
    expect(refused.stdout).toBe("");
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  });
});
