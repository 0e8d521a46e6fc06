// Packages from the lock file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cache, exec, readJson, root, Stop, say, withLock } from "./base.mjs";

/** The npm that belongs to the running node; on Windows it is a command file. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** True when node_modules holds exactly the versions of the lock (packages for other platforms aside). */
function installed() {
  const installedLock = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedLock)) return false;
  const have = readJson(installedLock).packages;
  return Object.entries(readJson(join(root, "package-lock.json")).packages).every(
    ([path, entry]) =>
      path === "" || (have[path] ? have[path].version === entry.version : entry.optional === true),
  );
}

export async function ensurePackages() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Stop(`Kingfisher needs Node 20.19 or newer; this is ${process.versions.node}`);
  }
  if (installed()) return;
  await withLock(join(cache, "packages.lock"), "installing packages", async () => {
    if (installed()) return;
    say("Installing packages from the lock file (once, about a minute)");
    const { code, output } = await exec(npm, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
      quiet: true,
    });
    if (code !== 0) throw new Stop(`npm ci failed:\n${output.trim().split("\n").slice(-15).join("\n")}`);
  });
}
