import { accessSync, constants, existsSync, mkdirSync, readFileSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { appRoot, homePaths } from "../platform/paths";
import { readVersion } from "../platform/version";
import type { Verb } from "./verb";

interface Finding {
  readonly name: string;
  readonly state: "ok" | "missing" | "limited";
  readonly detail: string;
  /** What to do; empty when nothing is needed. */
  readonly fix: string;
}
const found = (name: string, detail: string): Finding => ({ name, state: "ok", detail, fix: "" });
const limited = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: "limited",
  detail,
  fix,
});
const missing = (name: string, detail: string, fix: string): Finding => ({
  name,
  state: "missing",
  detail,
  fix,
});

/** Packages without which a part of the station does not run, and which part that is. */
const packages: readonly (readonly [name: string, part: string])[] = [
  ["@mujoco/mujoco", "the embedded vehicle"],
  ["mavlink-mappings", "MAVLink"],
  ["node-mavlink", "the embedded vehicle's MAVLink"],
  ["serialport", "serial links"],
  ["sharp", "camera pictures"],
  ["@mcap/core", "recordings"],
  ["@duckdb/node-api", "the flight archive"],
];

export const doctorVerb: Verb = {
  spec: {
    name: "doctor",
    summary: "What works on this machine and what is missing, with the fix.",
    positionals: [],
    options: [],
  },
  run() {
    const findings = [
      node(),
      build(),
      runtime(),
      ...packages.map(([name, part]) => packageLoads(name, part)),
      display(),
      home(),
      serial(),
      realsense(),
      memory(),
    ];
    const bad = findings.filter((f) => f.state === "missing");
    const marks = { ok: "ok     ", limited: "limited", missing: "MISSING" } as const;
    const lines = findings.map(
      (f) => `${marks[f.state]}  ${f.name}: ${f.detail}${f.fix === "" ? "" : `\n         → ${f.fix}`}`,
    );
    const summary =
      bad.length === 0
        ? "Everything that is needed is here."
        : `Missing: ${bad.map((f) => f.name).join(", ")}.`;
    return Promise.resolve({
      code: bad.length === 0 ? 0 : 1,
      json: { ok: bad.length === 0, version: readVersion(), system: `${platform()} ${release()}`, findings },
      text: [...lines, summary].join("\n"),
    });
  },
};

function node(): Finding {
  const [major = 0] = process.versions.node.split(".").map(Number);
  const detail = `Node ${process.versions.node}`;
  return major >= 20 ? found("node", detail) : missing("node", detail, "Install Node 20.19 or newer.");
}

function build(): Finding {
  const { version, git } = readVersion();
  return git === "unbuilt"
    ? limited("build", "not built yet", "npm start builds it.")
    : found("build", `${version} (${git})`);
}

const Runtime = z.looseObject({ kind: z.string(), version: z.string() });

function runtime(): Finding {
  const override = process.env["ELECTRON_OVERRIDE_DIST_PATH"];
  if (override !== undefined && override !== "")
    return found("electron", `the one at ${override} (ELECTRON_OVERRIDE_DIST_PATH)`);
  const note = join(appRoot(), ".cache", "runtime.json");
  if (!existsSync(note)) return limited("electron", "no runtime prepared yet", "npm start fetches one.");
  const said = Runtime.safeParse(JSON.parse(readFileSync(note, "utf8")));
  if (!said.success) return limited("electron", `${note} cannot be read`, "Delete it and run npm start.");
  if (said.data.kind === "official") return found("electron", `official ${said.data.version}`);
  return limited(
    "electron",
    `carried ${said.data.version}, for trying out: not for the field`,
    "Run npm start once where the official runtime of the pinned electron package can be downloaded.",
  );
}

function packageLoads(name: string, part: string): Finding {
  try {
    createRequire(join(appRoot(), "package.json")).resolve(name);
    return found(name, `${part} can run`);
  } catch {
    return missing(name, `not installed: ${part} cannot run`, "npm ci");
  }
}

function display(): Finding {
  if (platform() !== "linux") return found("display", "the desktop's");
  const shown = process.env["WAYLAND_DISPLAY"] ?? process.env["DISPLAY"];
  if (shown !== undefined && shown !== "") return found("display", shown);
  return existsSync("/usr/bin/Xvfb")
    ? limited(
        "display",
        "none; npm start uses Xvfb, without a visible window",
        "Start it on a desktop to see the window.",
      )
    : missing("display", "none, and no Xvfb", "apt-get install xvfb, or start it on a desktop.");
}

function home(): Finding {
  const { root } = homePaths();
  try {
    mkdirSync(root, { recursive: true });
    accessSync(root, constants.W_OK);
    const disk = statfsSync(root);
    const free_gb = (disk.bavail * disk.bsize) / 1e9;
    const detail = `${root}, ${free_gb.toFixed(1)} GB free`;
    return free_gb < 2
      ? limited("recordings", detail, "An hour of flight takes about 1 GB: make room.")
      : found("recordings", detail);
  } catch {
    return missing("recordings", `${root} cannot be written`, "Choose another folder with KINGFISHER_HOME.");
  }
}

function serial(): Finding {
  if (platform() !== "linux") return found("serial ports", "no special rights needed");
  const groups = process.getgroups?.() ?? [];
  const line = readFileSync("/etc/group", "utf8")
    .split("\n")
    .find((l) => l.startsWith("dialout:"));
  const gid = Number(line?.split(":")[2]);
  if (process.getuid?.() === 0 || groups.includes(gid)) return found("serial ports", "allowed");
  return limited(
    "serial ports",
    "this user may not open them",
    "sudo usermod -aG dialout $USER, then log in again.",
  );
}

function realsense(): Finding {
  const library = ["/usr/lib/x86_64-linux-gnu/librealsense2.so", "/usr/local/lib/librealsense2.so"].find(
    (p) => existsSync(p),
  );
  return library === undefined
    ? limited(
        "realsense",
        "librealsense2 is not installed: the embedded camera and .bag files work, a USB camera does not",
        "Install librealsense2 for a real camera.",
      )
    : limited("realsense", `library at ${library}; this version has no driver for it yet`, "");
}

function memory(): Finding {
  const total_gb = totalmem() / 1e9;
  return total_gb < 4
    ? limited("memory", `${total_gb.toFixed(1)} GB`, "4 GB or more are advised.")
    : found("memory", `${total_gb.toFixed(1)} GB`);
}
