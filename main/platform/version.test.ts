import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { appRoot, homePaths, resourcePath } from "./paths";
import { readVersion } from "./version";

test("the root is found from any depth, and resources lie under it", () => {
  expect(appRoot(join(appRoot(), "main", "sim"))).toBe(appRoot());
  expect(resourcePath("scenes", "office.xml")).toBe(join(appRoot(), "resources", "scenes", "office.xml"));
  expect(() => appRoot(tmpdir())).toThrow("Invariant");
});

test("KINGFISHER_HOME moves everything; empty is not set", () => {
  expect(homePaths({ KINGFISHER_HOME: "/x" })).toMatchObject({
    root: "/x",
    flights: "/x/flights",
    logs: "/x/logs",
  });
  expect(homePaths({ KINGFISHER_HOME: "" }).root).toMatch(/\.kingfisher$/);
});

test("the stamp of the build wins; without one the version is called unbuilt", () => {
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-version-"));
  writeFileSync(join(folder, "package.json"), '{"version":"1.2.3"}');
  expect(readVersion(folder)).toEqual({ version: "1.2.3", git: "unbuilt" });
  mkdirSync(join(folder, "out"));
  writeFileSync(join(folder, "out", "version.json"), '{"version":"1.2.3","git":"abc+"}');
  expect(readVersion(folder)).toEqual({ version: "1.2.3", git: "abc+" });
  rmSync(folder, { recursive: true });
});
