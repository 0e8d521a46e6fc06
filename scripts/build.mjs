// npm run build: packages, then out/.
import { run } from "./lib/base.mjs";
import { ensureBuilt } from "./lib/build.mjs";
import { ensurePackages } from "./lib/packages.mjs";

await run(async () => {
  await ensurePackages();
  await ensureBuilt();
});
