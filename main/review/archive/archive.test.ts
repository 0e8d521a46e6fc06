import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { everyFlight } from "#contract/archive";
import { FakeClock } from "../../../tests/support/fake-clock";
import { homePaths } from "../../platform/paths";
import { reviewDeps } from "../deps";
import { quietJob } from "../jobs";
import { Archive } from "./archive";

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
const logs = ["px4-1.18-hexa.ulg", "px4-1.17-hexa.tlog", "ardupilot-4.7-hexa.bin"];
let dir = "";
let archive: Archive;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-archive-"));
  mkdirSync(join(dir, "flights", "july"), { recursive: true });
  for (const name of logs) copyFileSync(golden(name), join(dir, "flights", "july", name));
  writeFileSync(join(dir, "flights", "broken.ulg"), "this is no log");
  const home = homePaths({ KINGFISHER_HOME: join(dir, "home") });
  archive = new Archive(join(dir, "flights"), home.root, { ...reviewDeps, home }, reviewDeps.clock);
  const indexed = await archive.index(false, quietJob());
  expect(indexed).toMatchObject({ ok: true, value: { flights: 3, added: 3, removed: 0 } });
  const reasons = indexed.ok ? indexed.value.unreadable.map(({ reason }) => reason) : [];
  expect(reasons).toEqual([expect.stringContaining("broken.ulg is not a log")]);
}, 60_000);
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const sql = async (text: string, timeout_s = 60) => archive.sql(text, 100, timeout_s, quietJob());
const rows = async (text: string): Promise<unknown> => {
  const result = await sql(text);
  return result.ok ? result.value.rows : result.error;
};

test("flights are found by words, format, rule and topic; the folder itself stays untouched", async () => {
  const found = async (query: Partial<typeof everyFlight>) => {
    const result = await archive.search({ ...everyFlight, ...query });
    return result.ok ? result.value.flights.map(({ flight }) => flight).sort() : result.error;
  };
  expect(await found({})).toEqual([
    "july.ardupilot-4.7-hexa.bin",
    "july.px4-1.17-hexa.tlog",
    "july.px4-1.18-hexa.ulg",
  ]);
  expect(await found({ text: "ArduCopter" })).toEqual(["july.ardupilot-4.7-hexa.bin"]);
  expect(await found({ text: "no such word" })).toEqual([]);
  expect(await found({ format: "PX4 ULog" })).toEqual(["july.px4-1.18-hexa.ulg"]);
  expect(await found({ topic: "ATTITUDE" })).toEqual(["july.px4-1.17-hexa.tlog"]);
  expect(await found({ rule: "no_rule" })).toEqual([]);
  expect(readdirSync(join(dir, "flights"))).toEqual(["broken.ulg", "july"]);
});

test("SQL reads any topic of all flights by its name, joined with what is known of them", async () => {
  expect(
    await rows(
      `SELECT f.format, count(*)::INT, round(max(abs(a.roll)), 3) < 1 FROM "ATTITUDE" a JOIN flights f USING (flight) GROUP BY ALL`,
    ),
  ).toEqual([["MAVLink telemetry log", 181, true]]);
  expect(await rows(`SELECT count("q[0]") > 100 FROM vehicle_attitude`)).toEqual([[true]]);
  expect(
    await rows(
      `SELECT count(DISTINCT flight)::INT FROM topics WHERE topic IN ('ATT', 'ATTITUDE', 'vehicle_attitude')`,
    ),
  ).toEqual([[3]]);
});

test("SQL only reads, one statement, nothing outside, in time, with one line when it fails", async () => {
  expect(await rows("DELETE FROM flights")).toBe("The archive is read-only: only SELECT is answered.");
  expect(await rows("SELECT 1; SELECT 2")).toBe("One statement at a time, please.");
  expect(await rows(`COPY (SELECT 1) TO '${join(dir, "out.csv")}'`)).toBe(
    "The archive is read-only: only SELECT is answered.",
  );
  expect(existsSync(join(dir, "out.csv"))).toBe(false);
  for (const text of [`SELECT * FROM read_text('/etc/hostname')`, `SELECT * FROM '${golden("trim.mjs")}'`])
    expect(String(await rows(text))).not.toContain("\n");
  expect(await rows(`SELECT * FROM read_text('/etc/hostname')`)).toMatch(/Permission Error|disabled/);
  expect(await rows("SELECT nothing FROM flights")).toMatch(/^Binder Error: .*nothing/);
  expect(await rows("SELECT * FROM no_such_topic")).toMatch(/^Catalog Error: .*no_such_topic/);
  expect(await rows("SELEC 1")).toMatch(/^Parser Error/);
  expect(
    await sql("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range = 7", 0.3),
  ).toEqual({
    ok: false,
    error: "The query took longer than 0.3 s and was stopped.",
  });
  const many = await archive.sql("SELECT * FROM range(1000)", 10, 30, quietJob());
  expect(many.ok && [many.value.rows.length, many.value.truncated]).toEqual([10, true]);
}, 30_000);

test("flights are compared by their figures, and figures followed over time", async () => {
  const compared = await archive.compare(["july.px4-1.17-hexa.tlog", "july.ardupilot-4.7-hexa.bin"]);
  if (!compared.ok) throw new Error(compared.error);
  const height = compared.value.metrics.find(({ metric }) => metric.id === "height_max_m");
  expect(height?.values).toHaveLength(2);
  expect(height?.values[0]).toBeGreaterThan(0.5);
  expect(await archive.compare(["nobody"])).toEqual({
    ok: false,
    error: "The archive has no flight nobody.",
  });
  const trend = await archive.trend("duration_s", everyFlight);
  if (!trend.ok) throw new Error(trend.error);
  expect(trend.value.points).toHaveLength(3);
  expect(trend.value.points.map((p) => p.start_utc_ms)).toEqual(
    trend.value.points.map((p) => p.start_utc_ms).sort((a, b) => a - b),
  );
  expect((await archive.trend("beauty", everyFlight)).ok).toBe(false);
});

test("a second index reads only what changed, forgets what is gone, and can be made again from the files", async () => {
  expect(await archive.index(false, quietJob())).toMatchObject({
    value: { flights: 3, added: 0, removed: 0 },
  });
  rmSync(join(dir, "flights", "july", "px4-1.17-hexa.tlog"));
  expect(await archive.index(false, quietJob())).toMatchObject({
    value: { flights: 2, added: 0, removed: 1 },
  });
  expect(await rows(`SELECT count(*)::INT FROM flights`)).toEqual([[2]]);
  copyFileSync(golden("px4-1.17-hexa.tlog"), join(dir, "flights", "july", "px4-1.17-hexa.tlog"));
  expect(await archive.index(true, quietJob())).toMatchObject({ value: { flights: 3, added: 3 } });
}, 60_000);

test("what was not indexed says so", async () => {
  const other = new Archive(join(dir, "home"), join(dir, "nowhere"), reviewDeps, new FakeClock());
  expect(await other.search(everyFlight)).toEqual({
    ok: false,
    error: "This folder has not been indexed yet; index it first.",
  });
  const none = new Archive(join(dir, "no-such"), dir, reviewDeps, new FakeClock());
  expect((await none.index(false, quietJob())).ok).toBe(false);
});
