import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogger } from "./logger";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kingfisher-log-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("lines carry time, level, text, details and an error's stack", () => {
  const logger = openLogger({ folder, name: "main" });
  logger.info("link open", { address: "udp" });
  logger.error("broke", new Error("the cause"));
  const text = readFileSync(join(folder, "main.log"), "utf8");
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z info link open .*udp/m);
  expect(text).toMatch(/error broke[\s\S]*the cause[\s\S]*logger\.test/);
});

test("files rotate at their size, numbered by age, and the oldest go", () => {
  const logger = openLogger({ folder, name: "main", max_bytes: 500, keep: 2 });
  for (let n = 0; n < 60; n++) logger.info(`line ${n} ${"x".repeat(60)}`);
  expect(readdirSync(folder).sort()).toEqual(["main.1.log", "main.2.log", "main.log"]);
  const numbers = ["main.2.log", "main.1.log", "main.log"].flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/line (\d+)/g)].map((match) => Number(match[1])),
  );
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => 60 - numbers.length + n));
});

test("two logs in one process stay apart", () => {
  openLogger({ folder, name: "a" }).info("to a");
  openLogger({ folder, name: "b" }).info("to b");
  expect(readFileSync(join(folder, "a.log"), "utf8")).not.toContain("to b");
});
