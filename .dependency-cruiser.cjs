/**
 * Who may import whom (ARCHITECTURE.md). Every rule has a planted violation in tests/architecture.
 *
 * A feature of main may name another feature's types, never its code: composition happens in main/station,
 * main/cli and in the entry of a process (its main.ts, with deps.ts beside it).
 */
const anyTest = "\\.test\\.tsx?$|^tests/|/\\.planted/tests/";
const feature =
  "link|vehicle|camera|perception|world|planning|safety|skills|dispatch|reasoning|programs|logbook|review|relay|evaluation|sim";

const processRoot = "^main/(perception|review)/(main|deps)\\.ts$";

/** A package that exactly one file may import; tests and benchmarks may too. */
const oneDoor = (name, file, why) => ({
  name: `one-door-${name.replace("@", "").replace("/", "-")}`,
  comment: why,
  severity: "error",
  from: { path: "^(contract|main|preload|renderer|scripts)/", pathNot: `${file}|${anyTest}|^main/bench/` },
  to: { path: `^(node_modules/)?${name}(/|$)` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-cycle",
      comment: "no cycles, of types neither",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-tests-in-code",
      comment: "code never imports tests",
      severity: "error",
      from: { pathNot: anyTest },
      to: { path: "^tests/|\\.test\\.tsx?$" },
    },
    {
      name: "no-unresolvable",
      comment: "every import names something that exists",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "\\?(raw|url|worker)$|^virtual:" },
    },
    {
      name: "contract-depends-on-nothing",
      comment: "contract imports itself and zod: no Node, no DOM, no Electron",
      severity: "error",
      from: { path: "^contract/", pathNot: anyTest },
      to: { pathNot: "^contract/|^(node_modules/)?zod(/|$)" },
    },
    {
      name: "pure-core",
      comment: "safety, vehicle and world are pure: contract and each other, no clock, no I/O, no randomness",
      severity: "error",
      from: { path: "^main/(safety|vehicle|world)/", pathNot: anyTest },
      to: { pathNot: "^contract/|^main/(safety|vehicle|world)/" },
    },
    {
      name: "vehicle-leads",
      comment: "the arrow runs vehicle → world → safety: what comes first knows nothing of what follows",
      severity: "error",
      from: { path: "^main/(vehicle|world)/", pathNot: anyTest },
      to: { path: "^main/safety/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "features-meet-by-types",
      comment: "a feature uses another feature only through its port type",
      severity: "error",
      from: {
        path: `^main/(${feature})/`,
        pathNot: `${anyTest}|^main/(safety|vehicle|world|dispatch|sim)/|${processRoot}`,
      },
      to: { path: `^main/(${feature})/`, pathNot: "^main/$1/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "dispatch-takes-safety",
      comment: "dispatch adds the pure cores (second judgement) and link's command door",
      severity: "error",
      from: { path: "^main/dispatch/", pathNot: anyTest },
      to: {
        path: `^main/(${feature})/`,
        pathNot: "^main/(dispatch|safety|vehicle|world)/|^main/link/command-door\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "only-dispatch-sends",
      comment: "one road to the actuators: the command door belongs to dispatch and the composition root",
      severity: "error",
      from: { pathNot: `^main/(dispatch|link|station)/|^main/station\\.ts$|^main/bench/|${anyTest}` },
      to: { path: "^main/link/command-door" },
    },
    {
      name: "sim-stands-outside",
      comment: "the embedded vehicle talks over MAVLink, camera socket and barrier only, never by import",
      severity: "error",
      from: { path: "^main/sim/", pathNot: anyTest },
      to: { path: "^main/", pathNot: "^main/(sim|platform)/" },
    },
    {
      name: "nobody-imports-sim",
      comment: "nothing above the link knows whether hardware or the embedded vehicle is at the other end",
      severity: "error",
      from: { path: "^(main|renderer|preload)/", pathNot: `^main/(sim|bench)/|^main/cli|${anyTest}` },
      to: { path: "^main/sim/" },
    },
    {
      name: "truth-stays-with-the-grader",
      comment:
        "ground truth is for evaluation, and for the spectator's port in the shell; never for a station",
      severity: "error",
      from: {
        path: "^(main|renderer|preload)/",
        pathNot: `^main/(evaluation|sim/grader)/|^main/app/spectator[^/]*\\.ts$|^renderer/twin/spectator\\.ts$|${anyTest}`,
      },
      to: { path: "^contract/grader-wire\\.ts$|^main/evaluation/grader-client\\.ts$" },
    },
    {
      name: "evaluation-stands-apart",
      comment:
        "suites and graders run in their own process, started by the command line; a station only starts that",
      severity: "error",
      from: {
        path: "^main/",
        pathNot: `^main/(evaluation|cli)/|^main/cli\\.ts$|^main/app/spectator[^/]*\\.ts$|${anyTest}`,
      },
      to: { path: "^main/evaluation/" },
    },
    {
      name: "platform-is-the-floor",
      comment: "platform serves everyone and knows no one",
      severity: "error",
      from: { path: "^main/platform/", pathNot: anyTest },
      to: { path: "^(main|renderer|preload)/", pathNot: "^main/platform/" },
    },
    {
      name: "electron-at-the-rim",
      comment: "electron only in main/index, main/app, main/ipc, platform's process file, preload, tests/e2e",
      severity: "error",
      from: {
        pathNot:
          "^main/(app|ipc)/|^main/index\\.ts$|^main/platform/child\\.ts$|^preload/|^tests/(e2e|support)/",
      },
      to: { path: "^(node_modules/)?electron(/|$)" },
    },
    {
      name: "shell-at-the-rim",
      comment: "only the shell itself imports main/app and main/ipc; features run without Electron",
      severity: "error",
      from: { pathNot: `^main/(app|ipc)/|^main/index\\.ts$|${anyTest}` },
      to: { path: "^main/(app|ipc)/|^main/index\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    oneDoor(
      "node-mavlink",
      "^main/sim/mavlink\\.ts$",
      "the independent end of the wire: each end checks the other",
    ),
    oneDoor("mavlink-mappings", "^main/link/dialect\\.ts$|^main/sim/mavlink\\.ts$", "one named file per end"),
    oneDoor("serialport", "^main/link/serial\\.ts$", "one named file"),
    oneDoor("onnxruntime-node", "^main/perception/onnx\\.ts$", "one named file"),
    oneDoor("@mujoco/mujoco", "^main/sim/world/mujoco\\.ts$", "one named file"),
    oneDoor("@duckdb/node-api", "^main/review/duckdb\\.ts$", "one named file"),
    {
      name: "preload-takes-names-only",
      comment: "a sandboxed preload cannot load zod",
      severity: "error",
      from: { path: "^preload/" },
      to: { path: "^contract/", pathNot: "^contract/channels\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "preload-is-thin",
      comment: "preload knows contract and electron",
      severity: "error",
      from: { path: "^preload/" },
      to: { pathNot: "^(contract|preload)/|^(node_modules/)?electron(/|$)" },
    },
    {
      name: "renderer-is-a-web-page",
      comment: "renderer imports contract and itself",
      severity: "error",
      from: { path: "^renderer/", pathNot: anyTest },
      to: { path: "^(main|preload|native|scripts|bin)/" },
    },
    {
      name: "renderer-no-node",
      comment: "no Node in the page",
      severity: "error",
      from: { path: "^renderer/", pathNot: anyTest },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "twin-scene-knows-no-react",
      comment: "the drawn scene knows neither React nor stores",
      severity: "error",
      from: { path: "^renderer/twin/scene/", pathNot: anyTest },
      to: {
        path: "^(node_modules/)?(react|react-dom|zustand|@react-three/[^/]+)(/|$)|^renderer/(stores|bridge)/",
        pathNot: "^renderer/bridge/time\\.ts$",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(out|\\.cache)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "types", "default"],
    },
  },
};
