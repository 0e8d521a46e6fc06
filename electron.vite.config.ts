import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig, type UserConfig } from "electron-vite";

const here = import.meta.dirname;
const out = resolve(here, process.env["KINGFISHER_OUT"] ?? "out");
const alias = { "#contract": resolve(here, "contract") };

/** Each process of main is one entry; out/main/<name>.cjs. */
const processes = {
  index: "main/index.ts",
  cli: "main/cli.ts",
  sim: "main/sim/main.ts",
  perception: "main/perception/main.ts",
  review: "main/review/main.ts",
  relay: "main/relay/main.ts",
};
const entries = Object.fromEntries(
  Object.entries(processes).filter(([, file]) => existsSync(resolve(here, file))),
);

// Never bundled: native parts must stay beside their code, LGPL packages must stay replaceable.
const { dependencies } = JSON.parse(readFileSync(resolve(here, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};
const external = [
  "electron",
  /^node:/,
  ...Object.keys(dependencies).map((name) => new RegExp(`^${name.replace("/", "\\/")}(/|$)`)),
];

const parts: UserConfig = {
  main: {
    resolve: { alias },
    build: {
      outDir: resolve(out, "main"),
      emptyOutDir: true,
      target: "node18.15",
      sourcemap: true,
      minify: false,
      externalizeDeps: false,
      rolldownOptions: {
        input: entries,
        external,
        output: { format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "chunks/[name]-[hash].cjs" },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      outDir: resolve(out, "preload"),
      emptyOutDir: true,
      target: "node18.15",
      sourcemap: false,
      minify: false,
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: "preload/index.ts" },
        external: ["electron"],
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: "renderer",
    resolve: { alias },
    plugins: [react()],
    build: {
      outDir: resolve(out, "renderer"),
      emptyOutDir: true,
      target: "chrome114",
      cssTarget: "chrome114",
      sourcemap: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: { input: resolve(here, "renderer/index.html") },
    },
  },
};

/** scripts/lib/build.mjs builds one part at a time. */
const part = process.env["KINGFISHER_PART"] as keyof UserConfig | undefined;
export default defineConfig(part === undefined ? parts : { [part]: parts[part] });
