import { fileURLToPath } from "node:url";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** House rules need no types; without them a planted file need not exist nor belong to a project. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: [
    {
      files: ["**/*.ts", "**/*.tsx"],
      ...tseslint.configs.disableTypeChecked,
      languageOptions: { parserOptions: { project: null, projectService: false } },
    },
  ] as ESLint.Options["overrideConfig"] & object,
});

async function messages(file: string, code: string): Promise<readonly string[]> {
  const [result] = await eslint.lintText(code, { filePath: `${root}/${file}` });
  return result?.messages.map((message) => `${message.ruleId ?? "parser"}: ${message.message}`) ?? [];
}

const violations: readonly (readonly [what: string, file: string, code: string, message: RegExp])[] = [
  ["Date.now", "main/link/x.ts", "export const t = Date.now();", /injected Clock/],
  ["Date.now as a value", "renderer/fly/x.ts", "export const now = Date.now;", /injected Clock/],
  ["new Date()", "main/logbook/x.ts", "export const t = new Date();", /injected Clock/],
  ["performance.now", "main/sim/x.ts", "export const t = performance.now();", /injected Clock/],
  ["setTimeout", "main/link/x.ts", "setTimeout(() => {}, 1);", /clock\.after/],
  ["globalThis.setTimeout", "main/link/x.ts", "globalThis.setTimeout(() => {}, 1);", /clock\.after/],
  ["setInterval", "renderer/fly/x.ts", "window.setInterval(() => {}, 1);", /clock\.every/],
  ["sleeping tests", "main/link/x.test.ts", "setTimeout(() => {}, 1);", /clock\.after/],
  ["Math.random", "main/sim/x.ts", "export const r = Math.random();", /seeded generator/],
  ["Promise.race", "main/link/x.ts", "export const r = Promise.race([]);", /AbortSignal/],
  ["minting Cleared", "main/dispatch/x.ts", "export const c = {} as Cleared;", /mints Cleared/],
  [
    "ipcMain",
    "main/app/x.ts",
    'import { ipcMain } from "electron"; ipcMain.on("x", () => {});',
    /Only main\/ipc/,
  ],
  ["window.kingfisher", "renderer/fly/x.ts", "export const k = window.kingfisher;", /Only renderer\/bridge/],
  ["any", "main/link/x.ts", "export const a: any = 1;", /no-explicit-any/],
  [
    "switching a rule off",
    "main/link/x.ts",
    "// eslint-disable-next-line\nexport const a: any = 1;",
    /no-explicit-any/,
  ],
  [
    "a note to oneself",
    "main/link/x.ts",
    ["// TO", "DO later\nexport const a = 1;"].join(""),
    /no-warning-comments/,
  ],
  ["more than 300 lines", "main/link/x.ts", "export {};\n".repeat(301), /max-lines/],
  [
    "an untyped export",
    "main/link/x.ts",
    "export const f = (x: number) => x;",
    /explicit-module-boundary-types/,
  ],
];

const allowed: readonly (readonly [file: string, code: string])[] = [
  ["main/platform/x.ts", "export const t = Date.now() + performance.now(); setTimeout(() => {}, 1);"],
  ["main/safety/gate.ts", "export const c = {} as Cleared;"],
  ["main/ipc/x.ts", 'import { ipcMain } from "electron"; ipcMain.removeHandler("x");'],
  ["renderer/bridge/x.ts", "export const k = window.kingfisher; setInterval(() => {}, 500);"],
  ["renderer/twin/scene/x.ts", "export const t = performance.now();"],
  ["main/logbook/x.ts", "export const d = new Date(0).toISOString();"],
];

describe("house rules", () => {
  test.each(violations)("%s in %s is an error", async (_what, file, code, message) => {
    expect(await messages(file, code)).toContainEqual(expect.stringMatching(message));
  });

  test.each(allowed)("%s may", async (file, code) => {
    expect(await messages(file, code)).toEqual([]);
  });

  test("rules that need types are errors too", async () => {
    const config = (await new ESLint({ cwd: root }).calculateConfigForFile(`${root}/main/link/x.ts`)) as {
      readonly rules: Readonly<Record<string, readonly [number]>>;
    };
    const names = [
      "no-floating-promises",
      "no-unsafe-assignment",
      "switch-exhaustiveness-check",
      "no-misused-promises",
    ];
    for (const name of names)
      expect([name, config.rules[`@typescript-eslint/${name}`]?.[0]]).toEqual([name, 2]);
  });
});
