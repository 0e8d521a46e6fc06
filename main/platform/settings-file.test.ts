import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { openSettings, type SettingsFormat } from "./settings-file";

const schema = z.strictObject({
  schema: z.literal(3),
  name: z.string(),
  sound: z.strictObject({ on: z.boolean() }),
});
type Content = z.infer<typeof schema>;
const defaults: Content = { schema: 3, name: "nobody", sound: { on: true } };

let folder: string;
let format: SettingsFormat<Content>;
const put = (content: unknown): void => {
  writeFileSync(format.path, typeof content === "string" ? content : JSON.stringify(content));
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kingfisher-settings-"));
  format = {
    path: join(folder, "settings.json"),
    version: 3,
    schema,
    defaults,
    migrations: {
      1: ({ user, ...rest }) => ({ ...rest, name: user }),
      2: (older) => ({ ...older, sound: { on: false } }),
    },
  };
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("without a file there are defaults, and nothing is written until asked", () => {
  const file = openSettings(format);
  expect(file).toMatchObject({ value: defaults, writable: true, problem: null });
  expect(existsSync(format.path)).toBe(false);
});

test("what was written is read back", () => {
  expect(openSettings(format).write({ ...defaults, name: "ada" })).toEqual({ ok: true, value: undefined });
  expect(openSettings(format).value.name).toBe("ada");
  expect(readdirSync(folder)).toEqual(["settings.json"]);
});

test("what does not fit the schema is refused and leaves the file as it was", () => {
  const file = openSettings(format);
  file.write(defaults);
  expect(file.write({ ...defaults, name: 5 } as unknown as Content)).toMatchObject({ ok: false });
  expect(openSettings(format).value).toEqual(defaults);
});

test("an older file is migrated through every version, and kept", () => {
  put({ schema: 1, user: "ada" });
  const file = openSettings(format);
  expect(file.value).toEqual({ schema: 3, name: "ada", sound: { on: false } });
  expect(file.problem).toContain("settings.json.v1");
  expect(JSON.parse(readFileSync(`${format.path}.v1`, "utf8"))).toEqual({ schema: 1, user: "ada" });
  expect(openSettings(format)).toMatchObject({ problem: null, value: { name: "ada" } });
});

test("a newer file is read as far as understood and never overwritten", () => {
  const newer = { schema: 9, name: "ada", sound: "spatial", colour: "red" };
  put(newer);
  const file = openSettings(format);
  expect(file).toMatchObject({ writable: false, value: { schema: 3, name: "ada", sound: { on: true } } });
  expect(file.problem).toContain("schema version 9");
  expect(file.write(defaults)).toMatchObject({ ok: false });
  expect(JSON.parse(readFileSync(format.path, "utf8"))).toEqual(newer);
});

test.each([
  ["half a file", '{"schema": 3, "na'],
  ["no version", { name: "ada" }],
  ["a wrong type", { ...defaults, name: 7 }],
  ["a list", []],
  ["a version from nowhere", { schema: 0 }],
])("%s is put aside, told, and defaults apply", (_what, content) => {
  put(content);
  const before = readFileSync(format.path, "utf8");
  const file = openSettings(format);
  expect(file).toMatchObject({ value: defaults, writable: true });
  const [aside] = readdirSync(folder);
  expect(aside).toMatch(/^settings\.json\.unreadable-/);
  expect(file.problem).toContain(aside);
  expect(readFileSync(join(folder, aside ?? ""), "utf8")).toBe(before);
});
