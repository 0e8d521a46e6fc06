// The checks and tests, as things that are run, counted and reported alike.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { cache, readJson, root, say } from "./base.mjs";

const binary = (...parts) => [process.execPath, join(root, "node_modules", ...parts)];
const sources = ["contract", "main", "preload", "renderer", "tests"];

/** One tool is one test. `fresh` leaves out what earlier runs remember. */
export const checks = (fresh) => [
  {
    name: "lint",
    command: [
      ...binary("eslint", "bin", "eslint.js"),
      "--max-warnings=0",
      ...(fresh ? [] : ["--cache", "--cache-location", join(cache, "eslint"), "--cache-strategy", "content"]),
      ...sources,
    ],
  },
  { name: "types", command: [...binary("typescript", "bin", "tsc"), "-b", ...(fresh ? ["--force"] : [])] },
  {
    name: "dependency rules",
    command: [
      ...binary("dependency-cruiser", "bin", "dependency-cruise.mjs"),
      ...sources,
      "--config",
      ".dependency-cruiser.cjs",
    ],
  },
  { name: "dead code", command: [...binary("knip", "bin", "knip.js"), "--no-progress"] },
  { name: "format", command: [...binary("@biomejs", "biome", "bin", "biome"), "ci", "--colors=off", "."] },
];

export const suite = (project) => ({
  name: project,
  report: join(cache, "reports", `${project}.json`),
  command: [
    ...binary("vitest", "vitest.mjs"),
    "run",
    "--project",
    project,
    "--passWithNoTests",
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${join(cache, "reports", `${project}.json`)}`,
  ],
});

/** Runs one tool; resolves to {name, code, seconds, output, passed, failed, tests}. */
export function runTool({ name, command, report }) {
  const started = process.hrtime.bigint();
  if (report !== undefined) {
    mkdirSync(join(cache, "reports"), { recursive: true });
    rmSync(report, { force: true });
  }
  return new Promise((done) => {
    const [file, ...args] = command;
    const child = spawn(file, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" },
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", (error) => (output += error.message));
    child.on("close", (exit) => {
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      const code = exit ?? 1;
      done({ name, code, seconds, output: output.trim(), ...count(code, report, name) });
    });
  });
}

/** A tool counts as one test; a suite by its report, and as one failure more when it broke outside of any test. */
function count(code, report, name) {
  if (report === undefined) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, tests: [] };
  if (!existsSync(report)) return { passed: 0, failed: code === 0 ? 0 : 1, tests: [] };
  const { numPassedTests, numFailedTests, testResults } = readJson(report);
  const brokenFiles = testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
  const failed = numFailedTests + brokenFiles;
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({
      title: `${name}: ${relative(root, file.name)}: ${test.fullName}`,
      duration_ms: test.duration ?? 0,
    })),
  );
  return { passed: numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, tests };
}

/** Runs tools `width` at a time in the given order and tells each result as it comes. */
export async function runAll(tools, width) {
  const results = [];
  const queue = [...tools];
  const worker = async () => {
    for (let tool = queue.shift(); tool !== undefined; tool = queue.shift()) {
      const result = await runTool(tool);
      results.push(result);
      const count = result.tests.length > 0 ? `, ${result.passed} passed, ${result.failed} failed` : "";
      say(
        `${result.failed === 0 ? "ok    " : "FAILED"} ${result.name} (${result.seconds.toFixed(1)} s${count})`,
      );
      if (result.failed > 0) say(result.output);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

/** Prints the slowest ten tests and the line that says it all; resolves to the exit code. */
export function summarise(results) {
  const slowest = results
    .flatMap((result) => result.tests)
    .sort((a, b) => b.duration_ms - a.duration_ms)
    .slice(0, 10);
  if (slowest.length > 0) {
    process.stdout.write("Slowest tests:\n");
    for (const test of slowest)
      process.stdout.write(`  ${(test.duration_ms / 1000).toFixed(2)} s  ${test.title}\n`);
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
  return sum("failed") === 0 ? 0 : 1;
}
