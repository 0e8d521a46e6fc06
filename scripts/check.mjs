// npm run check: format, types, lint, dependency rules, dead code and unit tests; what is quick enough to run
// before every commit.
import { run } from "./lib/base.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { checks, runAll, suite, summarise } from "./lib/tools.mjs";

await run(async () => {
  await ensurePackages();
  return summarise(await runAll([...checks(false), suite("unit")], 2));
});
