// Vitest's global set-up of the end-to-end project: runtime, build and a display, so that
// `npx vitest run --project e2e` works by itself.
import { prepare } from "../../scripts/lib/prepare.mjs";
import { ensureDisplay, onPath } from "../../scripts/lib/system.mjs";

export default async function setup() {
  const runtime = await prepare();
  const display = await ensureDisplay({ virtual: onPath("Xvfb") });
  Object.assign(process.env, display.env, {
    KINGFISHER_TEST_ELECTRON: runtime.executable,
    KINGFISHER_TEST_FLAGS: display.flags.join(" "),
  });
  return () => {
    display.stop();
  };
}
