// Ground for the scripts: where things are, how they speak, how they run programs. Plain Node, no packages,
// because they run in a fresh clone before anything is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const cache = join(root, ".cache");

/** Shared by all clones of one user: runtimes are large and never change. */
export const userCache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "kingfisher");

/** stdout belongs to what a command prints; everything said on the way goes to stderr. */
export const say = (text) => process.stderr.write(`${text}\n`);

/** A failure the user can do something about: one clear sentence, no stack. */
export class Stop extends Error {}

/** Runs `main`, turning a Stop into its sentence and exit code 1. */
export async function run(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    say(error instanceof Stop ? error.message : (error?.stack ?? String(error)));
    process.exitCode = 1;
  }
}

/**
 * Runs a program to its end. Resolves to {code, output}; with `quiet` the output is collected instead of shown.
 * A program over `timeout_ms` is killed and reported as code 124.
 */
export function exec(file, args, { quiet = false, timeout_ms = 0, env = process.env, cwd = root } = {}) {
  return new Promise((done) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["ignore", quiet ? "pipe" : "inherit", quiet ? "pipe" : "inherit"],
    });
    let output = "";
    let timedOut = false;
    child.stdout?.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (output += text));
    const timer =
      timeout_ms > 0
        ? setTimeout(() => {
            timedOut = true;
            child.kill("SIGKILL");
          }, timeout_ms)
        : undefined;
    child.on("error", (error) => {
      clearTimeout(timer);
      done({ code: 127, output: output + error.message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      done({ code: timedOut ? 124 : (code ?? (signal ? 128 : 1)), output });
    });
  });
}

export const sha512 = (bytes) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const pause = (delay_ms) => new Promise((done) => setTimeout(done, delay_ms));

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs `work` while no other process of this machine does anything under the same lock. */
export async function withLock(path, what, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let said = false; ; ) {
    try {
      writeFileSync(openSync(path, "wx"), String(process.pid));
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    let owner = Number.NaN;
    try {
      owner = Number(readFileSync(path, "utf8"));
    } catch {
      continue; // released between the two calls
    }
    // An empty file belongs to one who is just writing its number.
    if (owner > 0 && !isRunning(owner)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!said) say(`Waiting for another Kingfisher command that is ${what}`);
    said = true;
    await pause(200);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}
