import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { momentLink, parseMomentLink } from "#contract/review-link";
import type { ReviewWorkspace } from "#contract/review-workspace";
import { layoutPath, openLayout, savedLayouts, saveLayout } from "./layout-files";
import { RecentFiles } from "./recent";
import { openWorkspace, saveWorkspace } from "./workspace";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-workspace-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const layout = { id: "own", title: "My plots", plots: [{ title: "z", lines: [], scale: null, limits: [] }] };
const workspace = (logs: ReviewWorkspace["logs"]): ReviewWorkspace => ({
  schema: 2,
  title: "Flight 7",
  logs,
  layout,
  bookmarks: [{ id: "b1", at_s: 3.5, label: "Here", note: "it wobbles" }],
  notes: "windy",
  loop: { from_s: 1, to_s: 2 },
  range: null,
  cursor_s: 1.5,
  speed: 2,
  time_mode: "utc",
});

test("a workspace comes back as it was; logs beside it may move with it; missing ones are named", () => {
  const path = join(dir, "w.kingfisher-review.json");
  writeFileSync(join(dir, "a.ulg"), "x");
  const kept = workspace([
    { path: join(dir, "a.ulg"), offset_s: 0 },
    { path: "/gone/b.tlog", offset_s: -1.25 },
  ]);
  expect(saveWorkspace(path, kept, false).ok).toBe(true);
  expect(readFileSync(path, "utf8")).toContain('"path": "a.ulg"');
  expect(openWorkspace(path)).toEqual({
    ok: true,
    value: {
      path,
      workspace: kept,
      read_only: false,
      migrated_from: null,
      backup: null,
      missing: ["/gone/b.tlog"],
    },
  });
  expect(saveWorkspace(path, kept, false)).toEqual({ ok: false, error: `${path} exists already.` });
});

test("an older workspace is migrated, and its first form kept beside it", () => {
  const path = join(dir, "old.kingfisher-review.json");
  const old = {
    ...workspace([{ path: "/a.ulg", offset_s: 0 }]),
    schema: 1,
    notes: ["one", "two"],
    bookmarks: [{ id: "b", at_s: 1, label: "L" }],
    speed: undefined,
    range: undefined,
  };
  writeFileSync(path, JSON.stringify(old));
  const opened = openWorkspace(path);
  expect(opened).toMatchObject({
    ok: true,
    value: {
      migrated_from: 1,
      backup: `${path}.v1.bak`,
      workspace: { schema: 2, speed: 1, notes: "one\ntwo", bookmarks: [{ note: "" }] },
    },
  });
  expect(JSON.parse(readFileSync(`${path}.v1.bak`, "utf8"))).toMatchObject({
    schema: 1,
    notes: ["one", "two"],
  });
  expect(openWorkspace(path)).toMatchObject({ value: { migrated_from: null } });
});

test("a newer workspace opens read-only and is never written over", () => {
  const path = join(dir, "new.kingfisher-review.json");
  const newer = { ...workspace([{ path: "/a.ulg", offset_s: 0 }]), schema: 9, hologram: true };
  writeFileSync(path, JSON.stringify(newer));
  expect(openWorkspace(path)).toMatchObject({
    ok: true,
    value: { read_only: true, workspace: { title: "Flight 7" } },
  });
  expect(saveWorkspace(path, workspace([{ path: "/a.ulg", offset_s: 0 }]), true)).toEqual({
    ok: false,
    error: `${path} was written by a newer Kingfisher and stays as it is; save under another name.`,
  });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(newer);
});

test("what is no workspace is one sentence", () => {
  const say = (text: string): string => {
    const path = join(dir, "x.json");
    writeFileSync(path, text);
    const opened = openWorkspace(path);
    return opened.ok ? "opened" : opened.error.replace(path, "FILE");
  };
  expect(say("{")).toBe("FILE is no JSON: it may have been cut off.");
  expect(say("[]")).toBe("FILE is no Kingfisher workspace.");
  expect(say('{"schema":2}')).toMatch(/^FILE is damaged: title is not what it should be\.$/);
  expect(say('{"schema":99}')).toMatch(/newer Kingfisher \(version 99\)/);
  expect(openWorkspace(join(dir, "none.json"))).toEqual({
    ok: false,
    error: `Opening ${join(dir, "none.json")} failed: it does not exist.`,
  });
});

test("any text as a workspace is refused or opened, never thrown", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const path = join(dir, "any.json");
      writeFileSync(path, JSON.stringify(value));
      expect(typeof openWorkspace(path).ok).toBe("boolean");
    }),
    { numRuns: 60 },
  );
});

test("layouts are files, found again in their folder", () => {
  const path = layoutPath(dir, layout);
  expect(saveLayout(path, layout, false).ok).toBe(true);
  expect(saveLayout(path, layout, false).ok).toBe(false);
  expect(openLayout(path)).toEqual({ ok: true, value: { schema: 1, layout } });
  writeFileSync(join(dir, "bad.kingfisher-layout.json"), "{}");
  expect(savedLayouts(dir)).toEqual([layout]);
  expect(savedLayouts(join(dir, "none"))).toEqual([]);
});

test("recent files: newest first, each once, gone ones marked", () => {
  const recent = new RecentFiles(join(dir, "home", "recent.json"));
  const there = join(dir, "a.ulg");
  writeFileSync(there, "");
  recent.add(there, "A", 1);
  recent.add("/gone.tlog", "B", 2);
  recent.add(there, "A again", 3);
  expect(recent.list()).toEqual([
    { path: there, title: "A again", opened_utc_ms: 3, exists: true },
    { path: "/gone.tlog", title: "B", opened_utc_ms: 2, exists: false },
  ]);
  recent.clear();
  expect(recent.list()).toEqual([]);
  expect(existsSync(there)).toBe(true);
});

test("a link to a moment survives any path; anything else is no link", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((s) => !s.includes("\0")),
      fc.option(fc.integer({ min: -9_999_999, max: 9_999_999 }).map((ms) => ms / 1000)),
      (path, at_s) => {
        expect(parseMomentLink(momentLink({ path, at_s }))).toEqual({ path, at_s });
      },
    ),
  );
  for (const text of [
    "",
    "kingfisher://app/index.html",
    "kingfisher://review?t=3",
    "https://review?file=a",
    "kingfisher://review?file=%ZZ",
  ])
    expect(parseMomentLink(text)).toBeNull();
  expect(parseMomentLink("kingfisher://review?file=%2Fa&t=1e9")).toEqual({ path: "/a", at_s: null });
});
