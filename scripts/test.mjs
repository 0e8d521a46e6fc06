// npm test: does all the set-up there is, then every check and every test, the last in real Electron.
import { run } from "./lib/base.mjs";
import { prepare } from "./lib/prepare.mjs";
import { checks, runAll, suite, summarise } from "./lib/tools.mjs";

await run(async () => {
  await prepare();
  const quick = await runAll([...checks(true), suite("unit")], 2);
  // These fly and look at windows, so they get the machine for themselves.
  const slow = await runAll([suite("long"), suite("simulated"), suite("scenario"), suite("e2e")], 1);
  return summarise([...quick, ...slow]);
});
