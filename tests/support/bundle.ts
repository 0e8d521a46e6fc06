import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where bundled test processes go: inside the project, so that packages resolve from there. */
export const bundlePath = (name: string): string =>
  resolve(root, "node_modules/.cache/kingfisher-tests", `${name}.cjs`);

/** Bundles one TypeScript entry to CommonJS, so that a test can run it as a real process of its own. */
export async function bundleEntry(entry: string, outFile: string): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: "silent",
    resolve: { alias: { "#contract": resolve(root, "contract") } },
    build: {
      ssr: resolve(root, entry),
      target: "node18",
      outDir: dirname(outFile),
      emptyOutDir: false,
      rolldownOptions: { output: { format: "cjs", entryFileNames: basename(outFile) } },
    },
  });
}
