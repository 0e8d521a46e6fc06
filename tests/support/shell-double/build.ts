import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));

const root = resolve(here, "..", "..", "..");

/** Builds the double as an application of its own and returns its folder. */
export async function buildShellDouble(): Promise<string> {
  const folder = join(root, ".cache", "shell-double");
  const shared: InlineConfig = {
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "#contract": join(root, "contract") } },
  };
  const cjs = (name: string, entry: string): InlineConfig => ({
    ...shared,
    root,
    ssr: { external: ["electron", "electron-log"], noExternal: ["zod"] },
    build: {
      ssr: true,
      target: "node18.15",
      outDir: join(folder, "out", name),
      emptyOutDir: true,
      rolldownOptions: {
        input: { index: entry },
        external: ["electron", /^electron-log/],
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "shell-double", version: "0.0.0", main: "out/main/index.cjs" }),
  );
  await build(cjs("main", join(here, "main.ts")));
  await build(cjs("preload", join(root, "preload", "index.ts")));
  await build({
    ...shared,
    root: join(here, "page"),
    base: "./",
    build: {
      outDir: join(folder, "out", "renderer"),
      emptyOutDir: true,
      target: "chrome114",
      modulePreload: false,
    },
  });
  return folder;
}
