// The build: done again only when a source has changed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cache, exec, readJson, root, Stop, say, withLock } from "./base.mjs";

const folders = ["contract", "main", "preload", "renderer"];
const files = ["package.json", "package-lock.json", "electron.vite.config.ts", "tsconfig.base.json"];
const out = join(root, "out");
const stamp = join(out, "sources.sha256");

function sources() {
  const found = files.map((name) => join(root, name));
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (!/\.test\.tsx?$/.test(entry.name)) found.push(path);
    }
  };
  for (const folder of folders) walk(join(root, folder));
  return found.sort();
}

function sourceHash() {
  const hash = createHash("sha256");
  for (const path of sources()) {
    hash.update(relative(root, path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

const isBuilt = (hash) => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;

function git(...args) {
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "";
  }
}

/** What About and every recording show; a commit changes it without changing a source, so it is no part of the hash. */
function writeVersion(folder) {
  const hash = git("rev-parse", "--short=10", "HEAD") || "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no", "--", ...folders) !== "" ? "+" : "";
  const text = `${JSON.stringify({ version: readJson(join(root, "package.json")).version, git: hash + changed })}\n`;
  const path = join(folder, "version.json");
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}

async function build(hash) {
  const started = process.hrtime.bigint();
  say("Building");
  const next = join(cache, "out-next");
  rmSync(next, { recursive: true, force: true });
  const tool = join(root, "node_modules", "electron-vite", "bin", "electron-vite.js");
  const { code, output } = await exec(process.execPath, [tool, "build", "--logLevel", "warn"], {
    quiet: true,
    env: { ...process.env, KINGFISHER_OUT: next, NODE_ENV: "production" },
  });
  if (code !== 0) throw new Stop(`The build failed:\n${output.trim().split("\n").slice(-30).join("\n")}`);
  writeVersion(next);
  writeFileSync(join(next, "sources.sha256"), hash);
  // Swapped as a whole: whoever starts meanwhile finds the old build or the new one, and a failed build changes nothing.
  const old = join(cache, `out-old-${process.pid}`);
  if (existsSync(out)) renameSync(out, old);
  renameSync(next, out);
  rmSync(old, { recursive: true, force: true });
  say(`Built in ${(Number(process.hrtime.bigint() - started) / 1e9).toFixed(1)} s`);
}

/** Builds if a source has changed since the last build. Calls at the same time build once. */
export async function ensureBuilt() {
  if (!isBuilt(sourceHash())) {
    await withLock(join(cache, "build.lock"), "building", async () => {
      const hash = sourceHash();
      if (!isBuilt(hash)) await build(hash);
    });
  }
  writeVersion(out);
}
