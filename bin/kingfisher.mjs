#!/usr/bin/env node
// The same station without a window: node bin/kingfisher.mjs VERB. Builds first when a source has changed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, run } from "../scripts/lib/base.mjs";
import { ensureBuilt } from "../scripts/lib/build.mjs";
import { ensurePackages } from "../scripts/lib/packages.mjs";
import { noteRuntime, presentRuntime } from "../scripts/lib/runtime.mjs";

await run(async () => {
  await ensurePackages();
  await ensureBuilt(["main"]);
  noteRuntime(presentRuntime());
  const cli = join(root, "out", "main", "cli.cjs");
  const child = spawn(process.execPath, [cli, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
});
