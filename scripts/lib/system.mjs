// System libraries and the display.
import { execFileSync, spawn } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { exec, Stop, say } from "./base.mjs";

/** Debian package by shared library, for those that Electron links against. */
const packageOf = [
  [/^libgtk-3|^libgdk-3/, "libgtk-3-0"],
  [/^libnss|^libnspr|^libsmime/, "libnss3"],
  [/^libasound/, "libasound2"],
  [/^libgbm/, "libgbm1"],
  [/^libatk-bridge|^libatspi/, "libatk-bridge2.0-0"],
  [/^libatk-1/, "libatk1.0-0"],
  [/^libcups/, "libcups2"],
  [/^libdrm/, "libdrm2"],
  [/^libxkbcommon/, "libxkbcommon0"],
  [/^libXss/, "libxss1"],
];
/** When some library is missing these come along: they are loaded later, so that nothing names them beforehand. */
const always = ["libgtk-3-0", "libnss3", "libasound2", "libgbm1", "libxss1", "libatk-bridge2.0-0"];

const isRoot = () => process.getuid?.() === 0;

export function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const hasDisplay = () => Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const hasFonts = () =>
  ["/usr/share/fonts", "/usr/local/share/fonts"].some((f) => existsSync(f) && readdirSync(f).length > 0);

/** Names of shared libraries that `executable` cannot find. */
async function missingLibraries(executable) {
  const { output } = await exec("ldd", [executable], { quiet: true });
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
}

async function missingPackages(executable) {
  const libraries = await missingLibraries(executable);
  const wanted = new Set();
  if (libraries.length > 0) for (const name of always) wanted.add(name);
  for (const library of libraries) {
    for (const [pattern, name] of packageOf) if (pattern.test(library)) wanted.add(name);
  }
  if (!hasDisplay() && !onPath("Xvfb")) wanted.add("xvfb");
  if (!hasFonts()) wanted.add("fonts-dejavu-core");
  return [...wanted].sort();
}

/** Newer releases renamed some packages (libasound2t64): the name that this system can install. */
function installable(name) {
  const known = (candidate) => {
    try {
      const text = execFileSync("apt-cache", ["policy", candidate], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      return /Candidate: (?!\(none\))\S/.test(text);
    } catch {
      return false;
    }
  };
  return !known(name) && known(`${name}t64`) ? `${name}t64` : name;
}

/** Installs what Electron needs with apt when allowed to; otherwise says the exact line and stops. */
export async function ensureSystemLibraries(runtime) {
  if (process.platform !== "linux") return;
  const wanted = await missingPackages(runtime.executable);
  if (wanted.length > 0) {
    if (!onPath("apt-get"))
      throw new Stop(`Install the equivalent of these Debian packages: ${wanted.join(" ")}`);
    const names = () => wanted.map(installable).join(" ");
    if (!isRoot()) throw new Stop(`System packages are missing. Run:\n  sudo apt-get install -y ${names()}`);
    say(`Installing system packages: ${wanted.join(" ")}`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await exec("apt-get", ["update", "-qq"], { quiet: true, env });
    const args = ["install", "-y", "-qq", "--no-install-recommends", ...names().split(" ")];
    const { code, output } = await exec("apt-get", args, { quiet: true, env });
    if (code !== 0)
      throw new Stop(`apt-get install failed:\n${output.trim().split("\n").slice(-8).join("\n")}`);
    const left = await missingPackages(runtime.executable);
    if (left.length > 0) throw new Stop(`Still missing after installation: ${left.join(" ")}`);
  }
  checkSandbox(runtime);
}

/** Chromium's sandbox needs user namespaces or its setuid helper. Without either, say the line that helps. */
function checkSandbox(runtime) {
  if (isRoot()) return;
  const helper = join(runtime.folder, "chrome-sandbox");
  const read = (path) => (existsSync(path) ? readFileSync(path, "utf8").trim() : "");
  const namespaces =
    read("/proc/sys/kernel/unprivileged_userns_clone") !== "0" &&
    read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") !== "1";
  if (namespaces || !existsSync(helper)) return;
  const { uid, mode } = statSync(helper);
  if (uid === 0 && (mode & 0o4000) !== 0) return;
  throw new Stop(
    `Electron's sandbox is not allowed here. Run:\n  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`,
  );
}

/**
 * A display to draw on: the one there is, or a virtual one. `flags` are what Chromium needs beside it.
 * `stop` ends the virtual display.
 */
export async function ensureDisplay({ virtual = false } = {}) {
  const flags = isRoot() ? ["--no-sandbox"] : [];
  if (process.platform !== "linux" || (hasDisplay() && !virtual))
    return { env: {}, flags, virtual: false, stop: () => {} };
  const { name, stop } = await startXvfb();
  say(`No display here: drawing on a virtual one (Xvfb ${name}), with software rendering`);
  return {
    env: { DISPLAY: name, WAYLAND_DISPLAY: "" },
    flags: [
      ...flags,
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--log-level=3",
    ],
    virtual: true,
    stop,
  };
}

function startXvfb() {
  return new Promise((done, fail) => {
    // -displayfd picks a free number itself and tells it once it serves.
    const args = ["-displayfd", "3", "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-noreset"];
    const xvfb = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const stop = () => xvfb.kill();
    process.once("exit", stop);
    xvfb.once("error", () => fail(new Stop("Xvfb could not be started")));
    xvfb.once("exit", (code) => fail(new Stop(`Xvfb ended at once (exit ${code})`)));
    let text = "";
    xvfb.stdio[3].setEncoding("utf8").on("data", (piece) => {
      text += piece;
      if (!text.endsWith("\n")) return;
      // Only now: until it serves, waiting for it is what keeps this process alive.
      xvfb.unref();
      xvfb.stdio[3].unref();
      done({ name: `:${text.trim()}`, stop });
    });
  });
}
