import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";
import { beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const planted = join(root, ".cache", "planted-imports");
const { forbidden, options } = createRequire(import.meta.url)(join(root, ".dependency-cruiser.cjs")) as {
  readonly forbidden: readonly { readonly name: string }[];
  readonly options: ICruiseOptions;
};

/** Rule, file that breaks it, the statement that does. Targets exist in the planted tree. */
const violations: readonly (readonly [rule: string, file: string, code: string])[] = [
  ["no-cycle", "main/link/cycle-a.ts", 'import { b } from "./cycle-b"; export const a = b;'],
  ["no-tests-in-code", "main/link/uses-test.ts", 'import "../../tests/support/help";'],
  ["no-unresolvable", "main/link/unresolved.ts", 'import "./nowhere";'],
  ["contract-depends-on-nothing", "contract/node.ts", 'import "node:fs";'],
  ["contract-depends-on-nothing", "contract/other.ts", 'import "three";'],
  ["pure-core", "main/safety/clock.ts", 'import "../platform/clock";'],
  ["pure-core", "main/world/io.ts", 'import "node:fs";'],
  [
    "pure-core",
    "main/vehicle/feature.ts",
    'import type { port } from "../link/port"; export type P = typeof port;',
  ],
  ["vehicle-leads", "main/vehicle/safety.ts", 'import "../safety/gate";'],
  ["features-meet-by-types", "main/reasoning/link.ts", 'import "../link/port";'],
  ["features-meet-by-types", "main/logbook/review.ts", 'import "../review/open";'],
  ["dispatch-takes-safety", "main/dispatch/skills.ts", 'import "../skills/library";'],
  ["only-dispatch-sends", "main/skills/sends.ts", 'import "../link/command-door";'],
  [
    "only-dispatch-sends",
    "main/reasoning/sends.ts",
    'import type { door } from "../link/command-door"; export type D = typeof door;',
  ],
  ["sim-stands-outside", "main/sim/link.ts", 'import "../link/port";'],
  ["nobody-imports-sim", "main/station/sim.ts", 'import "../sim/world";'],
  ["truth-stays-with-the-grader", "main/station/truth.ts", 'import "../evaluation/grader-client";'],
  ["truth-stays-with-the-grader", "main/cli/truth.ts", 'import "../../contract/grader-wire";'],
  ["truth-stays-with-the-grader", "main/reasoning/truth.ts", 'import "../../contract/grader-wire";'],
  [
    "truth-stays-with-the-grader",
    "main/app/truth.ts",
    'import type { client } from "../evaluation/grader-client"; export type C = typeof client;',
  ],
  ["truth-stays-with-the-grader", "main/safety/truth.ts", 'import "../../contract/grader-wire";'],
  ["truth-stays-with-the-grader", "main/perception/truth.ts", 'import "../../contract/grader-wire";'],
  ["truth-stays-with-the-grader", "renderer/stores/truth.ts", 'import "../../contract/grader-wire";'],
  ["truth-stays-with-the-grader", "renderer/twin/scene/truth.ts", 'import "../../../contract/grader-wire";'],
  ["truth-stays-with-the-grader", "preload/truth.ts", 'import "../contract/grader-wire";'],
  ["evaluation-stands-apart", "main/station/grades.ts", 'import "../evaluation/runner";'],
  ["platform-is-the-floor", "main/platform/feature.ts", 'import "../link/port";'],
  ["electron-at-the-rim", "main/station/electron.ts", 'import "electron";'],
  ["electron-at-the-rim", "renderer/electron.ts", 'import "electron";'],
  ["shell-at-the-rim", "main/station/shell.ts", 'import "../app/shell";'],
  ["one-door-node-mavlink", "main/link/peer.ts", 'import "node-mavlink";'],
  ["one-door-mavlink-mappings", "main/vehicle/mappings.ts", 'import "mavlink-mappings";'],
  ["one-door-serialport", "main/link/tcp.ts", 'import "serialport";'],
  ["one-door-onnxruntime-node", "main/perception/detect.ts", 'import "onnxruntime-node";'],
  ["one-door-mujoco-mujoco", "main/sim/rotor.ts", 'import "@mujoco/mujoco";'],
  ["one-door-duckdb-node-api", "main/review/table.ts", 'import "@duckdb/node-api";'],
  ["preload-takes-names-only", "preload/zod.ts", 'import "../contract/ipc";'],
  ["preload-is-thin", "preload/node.ts", 'import "node:fs";'],
  ["renderer-is-a-web-page", "renderer/main.ts", 'import "../main/platform/clock";'],
  ["renderer-no-node", "renderer/node.ts", 'import "node:fs";'],
  ["twin-scene-knows-no-react", "renderer/twin/scene/react.ts", 'import "react";'],
  ["twin-scene-knows-no-react", "renderer/twin/scene/store.ts", 'import "../../stores/vehicle";'],
];

/** What must stay allowed: the same roads, taken rightly. */
const allowed: readonly (readonly [file: string, code: string])[] = [
  ["contract/schema.ts", 'import "zod"; import "./ipc";'],
  ["main/safety/judges.ts", 'import "../vehicle/state"; import "../world/map"; import "../../contract/ipc";'],
  ["main/reasoning/port-user.ts", 'import type { port } from "../link/port"; export type P = typeof port;'],
  [
    "main/dispatch/flies.ts",
    'import "../safety/gate"; import "../link/command-door"; import "../platform/clock";',
  ],
  [
    "main/station/composes.ts",
    'import "../link/command-door"; import "../skills/library"; import "../review/open";',
  ],
  ["main/cli/sim.ts", 'import "../sim/world";'],
  ["main/sim/mavlink.ts", 'import "node-mavlink"; import "mavlink-mappings";'],
  ["main/link/dialect.ts", 'import "mavlink-mappings";'],
  ["main/link/serial.ts", 'import "serialport";'],
  ["main/sim/world/mujoco.ts", 'import "@mujoco/mujoco";'],
  ["main/review/main.ts", 'import "../logbook/audit";'],
  ["main/cli/eval.ts", 'import "../evaluation/runner";'],
  ["main/evaluation/trial.ts", 'import "./grader-client"; import "../../contract/grader-wire";'],
  ["main/app/spectator.ts", 'import "../evaluation/grader-client"; import "../../contract/grader-wire";'],
  ["renderer/twin/spectator.ts", 'import "../../contract/grader-wire";'],
  ["main/app/window.ts", 'import "electron"; import "../ipc/requests";'],
  ["main/index.ts", 'import "electron"; import "./app/shell"; import "./station/composes";'],
  [
    "preload/index.ts",
    'import "electron"; import "../contract/channels"; import type { x } from "../contract/ipc"; export type X = typeof x;',
  ],
  ["renderer/twin/Twin.ts", 'import "react"; import "./scene/scene"; import "../../contract/ipc";'],
  ["renderer/twin/scene/scene.ts", 'import "three";'],
  [
    "main/link/port.test.ts",
    'import "node-mavlink"; import "../../tests/support/help"; import "../vehicle/state";',
  ],
];

const targets: Readonly<Record<string, string>> = {
  "contract/ipc.ts": 'import "zod"; export const x = 1;',
  "contract/channels.ts": "export const names = 1;",
  "main/platform/clock.ts": "export const clock = 1;",
  "main/link/port.ts": "export const port = 1;",
  "main/link/command-door.ts": "export const door = 1;",
  "main/link/cycle-b.ts": 'import { a } from "./cycle-a"; export const b = a;',
  "main/vehicle/state.ts": "export const state = 1;",
  "main/world/map.ts": "export const map = 1;",
  "main/safety/gate.ts": "export const gate = 1;",
  "main/skills/library.ts": "export const library = 1;",
  "main/logbook/audit.ts": "export const audit = 1;",
  "main/review/open.ts": "export const open = 1;",
  "contract/grader-wire.ts": "export const wire = 1;",
  "main/evaluation/grader-client.ts": "export const client = 1;",
  "main/evaluation/runner.ts": "export const runner = 1;",
  "main/sim/world.ts": "export const world = 1;",
  "main/app/shell.ts": "export const shell = 1;",
  "main/ipc/requests.ts": "export const requests = 1;",
  "renderer/stores/vehicle.ts": "export const store = 1;",
  "tests/support/help.ts": "export const help = 1;",
  "tsconfig.base.json": "{}",
  "package.json": '{ "name": "planted" }',
};

const packages = [
  "zod",
  "three",
  "react",
  "electron",
  "node-mavlink",
  "mavlink-mappings",
  "serialport",
  "onnxruntime-node",
  "@mujoco/mujoco",
  "@duckdb/node-api",
];

function plant(file: string, content: string): void {
  const path = join(planted, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${content}\n`);
}

const found = new Set<string>();

beforeAll(async () => {
  rmSync(planted, { recursive: true, force: true });
  for (const [file, content] of Object.entries(targets)) plant(file, content);
  for (const [, file, code] of violations) plant(file, code);
  for (const [file, code] of allowed) plant(file, code);
  for (const name of packages) {
    plant(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    plant(`node_modules/${name}/index.js`, "module.exports = {};");
  }
  // The planted tree has no paths to resolve.
  const { tsConfig, ...rest } = options as ICruiseOptions & {
    readonly tsConfig: { readonly fileName: string };
  };
  expect(tsConfig.fileName).toBe("tsconfig.base.json");
  const { output } = await cruise(["contract", "main", "preload", "renderer", "tests"], {
    ...rest,
    baseDir: planted,
    ruleSet: { forbidden } as NonNullable<ICruiseOptions["ruleSet"]>,
    validate: true,
  });
  for (const { rule, from } of (output as ICruiseResult).summary.violations)
    found.add(`${rule.name} ${from}`);
}, 60_000);

test("every rule has a planted violation", () => {
  const covered = new Set(violations.map(([rule]) => rule));
  expect(forbidden.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
});

test.each(violations)("%s catches %s", (rule, file) => {
  expect([...found]).toContain(`${rule} ${file}`);
});

test.each(allowed)("%s breaks no rule", (file) => {
  expect([...found].filter((entry) => entry.endsWith(` ${file}`))).toEqual([]);
});
