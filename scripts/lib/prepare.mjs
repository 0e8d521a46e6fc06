// Everything that has to be there before Kingfisher's window can open.
import { ensureBuilt } from "./build.mjs";
import { ensurePackages } from "./packages.mjs";
import { ensureRuntime } from "./runtime.mjs";
import { ensureSystemLibraries } from "./system.mjs";

/** Packages, runtime, system libraries, build. Resolves to the runtime. */
export async function prepare() {
  await ensurePackages();
  const runtime = await ensureRuntime();
  await ensureSystemLibraries(runtime);
  await ensureBuilt();
  return runtime;
}
