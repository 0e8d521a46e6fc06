// Vitest's global set-up of projects that start Kingfisher's processes: the build must be that of the sources.
import { ensureBuilt } from "../../scripts/lib/build.mjs";

export default async function setup() {
  await ensureBuilt(["main"]);
}
