import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  dataflashLog,
  foreignMcap,
  heartbeatLog,
  heightLog,
  jsonChannel,
  rosBag,
} from "../../../tests/support/log-builders";
import { loadCodecs } from "../compression";
import { DataflashLog } from "../dataflash/open";
import { reviewDeps } from "../deps";
import { openMcap } from "../mcap/open";
import type { LogReader } from "../reader";
import { openBag } from "../rosbag/open";
import { fileSource } from "../source";
import { TelemetryLog } from "../tlog/open";
import { Ulog } from "../ulog/open";
import { type Remember, rememberIn } from "./remember";
import { IndexStore } from "./store";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Counts how often something was made anew, and waits until what was made is on disk. */
function counting(path: string): { remember: Remember; made: () => number; saved: () => Promise<void> } {
  let count = 0;
  const source = fileSource(path);
  const remember = rememberIn(join(folder, "cache"), source, path, 0);
  return {
    remember: (kind, make) =>
      remember(kind, () => {
        count += 1;
        return make();
      }),
    made: () => count,
    saved: async () => {
      while (!cached().some((name) => name.endsWith(".index")))
        await new Promise((done) => setImmediate(done));
      source.close();
    },
  };
}
const cached = (): string[] => {
  try {
    return readdirSync(join(folder, "cache"));
  } catch {
    return [];
  }
};

const everything = (reader: LogReader): unknown => ({
  topics: reader.topics,
  duration_s: reader.duration_s,
  completeness: reader.completeness,
  parameters: reader.parameters,
  messages: reader.messages,
  meta: reader.meta,
  columns: reader.topics.map(({ name, fields }) =>
    fields.map(({ path, numeric }) => (numeric ? reader.column(name, path) : null)),
  ),
});

const two = async (): Promise<Buffer> =>
  Buffer.from(
    await foreignMcap([jsonChannel("/a", 40), jsonChannel("/a", 30, 1.78e9 + 0.05), jsonChannel("/b", 9)]),
  );
const formats: readonly (readonly [
  string,
  () => Promise<Buffer> | Buffer,
  (path: string, remember: Remember) => Promise<LogReader>,
])[] = [
  ["ULog", () => heightLog(200).subarray(0, -3), (p, r) => Promise.resolve(new Ulog(fileSource(p), r))],
  ["DataFlash", () => dataflashLog(100), (p, r) => Promise.resolve(new DataflashLog(fileSource(p), r))],
  [
    "tlog",
    () => Buffer.concat([...heartbeatLog(40), Buffer.alloc(300), ...heartbeatLog(40, 1.78e15 + 60e6)]),
    (p, r) => Promise.resolve(new TelemetryLog(fileSource(p), reviewDeps.dialect, r)),
  ],
  [
    "bag",
    () => rosBag([{ times_s: [3, 1, 2] }, { times_s: [4, 5] }], false),
    async (p, r) => openBag(fileSource(p), await loadCodecs(), r),
  ],
  [
    "MCAP with one topic on two channels",
    two,
    async (p, r) => openMcap(fileSource(p), await loadCodecs(), r),
  ],
];

for (const [name, bytes, open] of formats)
  test(`${name}: opened with a remembered index, everything reads the same and nothing is indexed again`, async () => {
    const path = join(folder, "log");
    writeFileSync(path, await bytes());
    const cold = counting(path);
    const first = await open(path, cold.remember);
    const expected = everything(first);
    expect(cold.made()).toBe(1);
    await cold.saved();
    const warm = counting(path);
    const second = await open(path, warm.remember);
    expect(warm.made()).toBe(0);
    expect(everything(second)).toEqual(expected);
    first.close();
    second.close();
  });

async function indexed(path: string): Promise<void> {
  const cold = counting(path);
  new Ulog(fileSource(path), cold.remember).close();
  await cold.saved();
}
function madeAgain(path: string): boolean {
  const again = counting(path);
  const log = new Ulog(fileSource(path), again.remember);
  expect(log.topics[0]?.count).toBeGreaterThan(0);
  log.close();
  return again.made() === 1;
}

test("a copy elsewhere is known by its content; the same place with another time of change is read again", async () => {
  const path = join(folder, "a.ulg");
  writeFileSync(path, heightLog(300));
  await indexed(path);
  const copy = join(folder, "b.ulg");
  writeFileSync(copy, readFileSync(path));
  utimesSync(copy, 1000, 1000);
  expect(madeAgain(copy)).toBe(false);
  expect(madeAgain(path)).toBe(false);
  utimesSync(path, 2000, 2000);
  expect(madeAgain(path)).toBe(true);
});

test("a changed byte at a sampled place, or another size, is another log", async () => {
  const path = join(folder, "a.ulg");
  writeFileSync(path, heightLog(300));
  await indexed(path);
  const other = Buffer.from(heightLog(300));
  other[other.length - 2] = 9;
  const changed = join(folder, "changed.ulg");
  writeFileSync(changed, other);
  expect(madeAgain(changed)).toBe(true);
  writeFileSync(changed, heightLog(301));
  expect(madeAgain(changed)).toBe(true);
});

test("a damaged, cut, empty or foreign index is ignored, whichever byte is wrong", async () => {
  const path = join(folder, "a.ulg");
  writeFileSync(path, heightLog(50));
  await indexed(path);
  const file = join(folder, "cache", cached()[0] ?? "");
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += 7) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    writeFileSync(file, damaged);
    expect([at, madeAgain(path)]).toEqual([at, true]);
  }
  for (const bytes of [
    Buffer.alloc(0),
    whole.subarray(0, whole.length - 1),
    Buffer.from("no index at all"),
  ]) {
    writeFileSync(file, bytes);
    expect(madeAgain(path)).toBe(true);
  }
});

test("all indexes together stay under their limit; the least recently used go first", async () => {
  const store = new IndexStore(join(folder, "cache"), 40_000);
  const origin = { path: "/log", modified_ms: 1 };
  const value = (n: number): unknown => ({ n, bytes: new Uint8Array(9000) });
  for (let n = 0; n < 4; n++) {
    await store.put(`k${n}`, origin, value(n));
    utimesSync(join(folder, "cache", `k${n}.index`), 1000 + n, 1000 + n);
  }
  // The oldest is used again: now it is the newest.
  expect(store.get("k0", origin)).toMatchObject({ n: 0 });
  await store.put("k4", origin, value(4));
  expect(cached().sort()).toEqual(["k0.index", "k2.index", "k3.index", "k4.index"]);
  let total = 0;
  for (const name of cached()) total += statSync(join(folder, "cache", name)).size;
  expect(total).toBeLessThanOrEqual(40_000);
});

test("a folder that cannot be written only means that nothing is remembered", async () => {
  writeFileSync(join(folder, "file"), "");
  const store = new IndexStore(join(folder, "file", "cache"));
  await store.put("k", { path: "/log", modified_ms: 1 }, {});
  expect(store.get("k", { path: "/log", modified_ms: 1 })).toBeNull();
});
