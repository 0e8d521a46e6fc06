// npm start [-- --smoke PICTURE [--smoke-timeout SECONDS] | --open RECORDING]: does all the set-up there is, then
// opens Kingfisher's window.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run } from "./lib/base.mjs";
import { prepare } from "./lib/prepare.mjs";
import { ensureDisplay } from "./lib/system.mjs";

await run(async () => {
  const args = process.argv.slice(2);
  const runtime = await prepare();
  const display = await ensureDisplay();
  // A smoke run shows what a first start shows, and leaves nobody's settings or recordings touched.
  const smoke = args.some((argument) => argument === "--smoke" || argument.startsWith("--smoke="));
  const home =
    smoke && !process.env.KINGFISHER_HOME ? mkdtempSync(join(tmpdir(), "kingfisher-smoke-")) : null;
  const env = { ...process.env, ...display.env, ...(home === null ? {} : { KINGFISHER_HOME: home }) };
  delete env.ELECTRON_RUN_AS_NODE;
  try {
    return await new Promise((done, fail) => {
      const child = spawn(runtime.executable, [...display.flags, root, ...args], {
        cwd: process.cwd(),
        env,
        stdio: "inherit",
      });
      for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
      child.on("error", fail);
      child.on("close", (code) => done(code ?? 1));
    });
  } finally {
    display.stop();
    if (home !== null) rmSync(home, { recursive: true, force: true });
  }
});
