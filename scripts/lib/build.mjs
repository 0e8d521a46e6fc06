// The build: done again only when a source has changed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cache, exec, readJson, root, Stop, say, withLock } from "./base.mjs";

/** What is built on its own, from what: a change of the page does not rebuild the station. */
const parts = {
  main: ["contract", "main"],
  preload: ["contract", "preload"],
  renderer: ["contract", "renderer"],
};
const files = ["package.json", "package-lock.json", "electron.vite.config.ts", "tsconfig.base.json"];
const out = join(root, "out");
const stampOf = (part) => join(out, part, "sources.sha256");

function sourcesOf(part) {
  const found = files.map((name) => join(root, name));
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (!/\.test\.tsx?$/.test(entry.name)) found.push(path);
    }
  };
  for (const folder of parts[part]) walk(join(root, folder));
  return found.sort();
}

function sourceHash(part) {
  const hash = createHash("sha256");
  for (const path of sourcesOf(part)) {
    hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

const isBuilt = (part, hash) => existsSync(stampOf(part)) && readFileSync(stampOf(part), "utf8") === hash;

function git(...args) {
  try {
    const stdio = ["ignore", "pipe", "ignore"];
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio }).trim();
  } catch {
    return "";
  }
}

/**
 * What About and every recording show. A commit changes it without changing a source, so it is no part of the
 * hash and is written anew each time.
 */
function writeVersion() {
  const hash = git("rev-parse", "--short=10", "HEAD") || "unknown";
  const sources = [...new Set(Object.values(parts).flat())];
  const changed = git("status", "--porcelain", "--untracked-files=no", "--", ...sources) !== "" ? "+" : "";
  const { version } = readJson(join(root, "package.json"));
  const text = `${JSON.stringify({ version, git: hash + changed })}\n`;
  const path = join(out, "version.json");
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

const stripColours = (text) => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g"), "");

async function build(part, hash) {
  const started = process.hrtime.bigint();
  const next = join(cache, "out-next");
  rmSync(join(next, part), { recursive: true, force: true });
  const tool = join(root, "node_modules", "electron-vite", "bin", "electron-vite.js");
  const { code, output } = await exec(process.execPath, [tool, "build", "--logLevel", "warn"], {
    quiet: true,
    env: {
      ...process.env,
      KINGFISHER_OUT: next,
      KINGFISHER_PART: part,
      NODE_ENV: "production",
      NO_COLOR: "1",
    },
  });
  if (code !== 0) {
    throw new Stop(
      `The build of ${part} failed:\n${stripColours(output).trim().split("\n").slice(0, 40).join("\n")}`,
    );
  }
  writeFileSync(join(next, part, "sources.sha256"), hash);
  // Swapped as a whole: whoever starts meanwhile finds the old build or the new one, and a failed build changes nothing.
  const old = join(cache, `out-old-${process.pid}`);
  mkdirSync(out, { recursive: true });
  rmSync(old, { recursive: true, force: true });
  if (existsSync(join(out, part))) renameSync(join(out, part), old);
  renameSync(join(next, part), join(out, part));
  rmSync(old, { recursive: true, force: true });
  say(`Built ${part} in ${(Number(process.hrtime.bigint() - started) / 1e9).toFixed(1)} s`);
}

/** Builds the parts whose sources have changed since their last build. Calls at the same time build once. */
export async function ensureBuilt(wanted = Object.keys(parts)) {
  const stale = (part) => !isBuilt(part, sourceHash(part));
  if (wanted.some(stale)) {
    await withLock(join(cache, "build.lock"), "building", async () => {
      for (const part of wanted.filter(stale)) await build(part, sourceHash(part));
    });
  }
  writeVersion();
}
