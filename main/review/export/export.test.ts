import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { McapIndexedReader } from "@mcap/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultSettings } from "#contract/settings";
import type { VehicleState } from "#contract/vehicle";
import { FakeClock } from "../../../tests/support/fake-clock";
import { openLogbook } from "../../logbook/logbook";
import { runReview } from "../cli";
import { nested } from "./mcap";

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-export-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const exported = async (name: string, format: string): Promise<string[]> => {
  const outcome = await runReview([golden(name), "--export", format, "--out", dir]);
  expect([outcome.exit, outcome.text]).toEqual([0, expect.stringMatching(/^wrote \d+ files?/)]);
  return [...(outcome.json as { files: string[] }).files];
};

test("csv: one file a topic, decimal points, as many rows as messages", async () => {
  const files = await exported("px4-1.17-hexa.tlog", "csv");
  const attitude = readFileSync(join(dir, "ATTITUDE.csv"), "utf8").trimEnd().split("\n");
  expect(files.length).toBeGreaterThan(30);
  expect(attitude[0]).toBe("t_s,time_boot_ms,roll,pitch,yaw,rollspeed,pitchspeed,yawspeed");
  expect(attitude).toHaveLength(1 + 181);
  expect(attitude[1]).toMatch(/^\d+\.\d+,\d+,-?\d+\.\d+/);
});

test("parquet: a partitioned dataset that DuckDB queries as it is", async () => {
  await exported("px4-1.18-hexa.ulg", "parquet");
  await exported("px4-1.17-hexa.tlog", "parquet");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const query = async (sql: string): Promise<unknown[][]> =>
    (await connection.runAndReadAll(sql)).getRowsJS();
  const all = `read_parquet('${dir}/**/*.parquet', hive_partitioning = true, union_by_name = true)`;
  const rows = await query(
    `SELECT flight, count(*), max(abs(1 - sqrt("q[0]"**2 + "q[1]"**2 + "q[2]"**2 + "q[3]"**2))) < 1e-5, min(utc)
     FROM ${all} WHERE topic = 'vehicle_attitude' GROUP BY flight`,
  );
  expect(rows).toEqual([["px4-1.18-hexa", expect.any(BigInt), true, expect.any(Date)]]);
  expect((rows[0]?.[3] as Date).toISOString()).toMatch(/^2026-11-30T22:42:3/);
  expect(await query(`SELECT count(DISTINCT flight), count(DISTINCT topic) > 40 FROM ${all}`)).toEqual([
    [2n, true],
  ]);
  connection.closeSync();
});

test("mcap: JSON messages with real arrays, read back by an independent reader", async () => {
  const [path = ""] = await exported("px4-1.18-hexa.ulg", "mcap");
  const bytes = readFileSync(path);
  const reader = await McapIndexedReader.Initialize({
    readable: {
      size: () => Promise.resolve(BigInt(bytes.length)),
      read: (offset, length) => Promise.resolve(bytes.subarray(Number(offset), Number(offset + length))),
    },
  });
  expect(reader.statistics?.messageCount).toBe(1564n);
  for await (const message of reader.readMessages({ topics: ["vehicle_attitude"] })) {
    const { q } = JSON.parse(Buffer.from(message.data).toString()) as { q: number[] };
    expect(q).toHaveLength(4);
    break;
  }
});

test("kml: one line a mode; a log without a place says so", async () => {
  const [path = ""] = await exported("px4-1.17-hexa.tlog", "kml");
  const kml = readFileSync(path, "utf8");
  expect(kml).toContain("<name>Offboard</name>");
  expect(kml).toMatch(/<coordinates>-?\d+\.\d{8},-?\d+\.\d{8},/);
  const none = await runReview([golden("realsense-cut.bag"), "--export", "kml", "--out", dir]);
  expect([none.exit, none.text]).toEqual([
    1,
    "This log carries no geographic position, so there is nothing to draw on a map.",
  ]);
});

test("report: one page without anything from outside", async () => {
  for (const name of ["px4-1.17-hexa.tlog", "px4-1.18-hexa.ulg", "ardupilot-4.7-hexa.bin"]) {
    const [path = ""] = await exported(name, "report");
    const html = readFileSync(path, "utf8");
    expect(html).toContain("<h2>Findings</h2>");
    expect(html).toMatch(/<poly(gon|line) points=/);
    expect(html).not.toMatch(/(src|href)="https?:/);
  }
  expect(readdirSync(dir)).toHaveLength(3);
});

test("hdf5: a flight is one Robomimic demonstration, read back by h5wasm", async () => {
  const clock = new FakeClock();
  const meta = {
    name: "demo",
    version: "0",
    git: "0",
    address: "sim://office?seed=1",
    scene: "office",
    seed: 1,
  };
  const opened = await openLogbook(dir, { ...meta, settings: defaultSettings }, clock);
  if (!opened.ok) throw new Error(opened.error);
  for (let n = 0; n < 40; n++) {
    const state = { position_enu_m: [n, 2 * n, 1], velocity_enu_m_s: [1, 2, 0], quat_flu_enu: [1, 0, 0, 0] };
    opened.value.write("/kingfisher/vehicle", state as unknown as VehicleState, clock.now_ms());
    if (n >= 10)
      opened.value.write(
        "/kingfisher/setpoint",
        { position_enu_m: [n + 1, 0, 1], yaw_enu_rad: 0.5 },
        clock.now_ms(),
      );
    await clock.advanceAsync(100, 100);
  }
  await opened.value.close();
  const outcome = await runReview([opened.value.folder, "--export", "hdf5", "--out", dir]);
  expect([outcome.exit, outcome.text]).toEqual([0, expect.stringContaining("wrote 1 file")]);
  const h5wasm = await import("h5wasm/node");
  await h5wasm.ready;
  const [path = ""] = (outcome.json as { files: string[] }).files;
  const file = new h5wasm.File(path, "r");
  const read = (name: string): { shape: number[] | null; value: ArrayLike<number> } =>
    file.get(name) as unknown as { shape: number[] | null; value: ArrayLike<number> };
  expect(read("data/demo_0/actions").shape).toEqual([30, 4]);
  expect(Array.from(read("data/demo_0/actions").value).slice(0, 4)).toEqual([11, 0, 1, 0.5]);
  expect(Array.from(read("data/demo_0/obs/position_enu_m").value).slice(0, 3)).toEqual([10, 20, 1]);
  expect(Array.from(read("data/demo_0/next_obs/position_enu_m").value).slice(0, 3)).toEqual([11, 22, 1]);
  expect(read("data/demo_0/dones").value[29]).toBe(1);
  file.close();
  const foreign = await runReview([golden("px4-1.17-hexa.tlog"), "--export", "hdf5", "--out", dir]);
  expect(foreign.text).toBe("Only Kingfisher's own flights with setpoints can become demonstrations.");
});

test("bad arguments are exit 2 with one sentence", async () => {
  const say = async (...args: string[]): Promise<[number, string]> => {
    const { exit, text } = await runReview(args);
    return [exit, text.split("; usage")[0] ?? ""];
  };
  expect(await say()).toEqual([2, "one file or flight folder is needed"]);
  expect(await say("a", "--export", "csv")).toEqual([2, "--export needs --out DIR"]);
  expect(await say("a", "--export", "xls", "--out", "b")).toEqual([
    2,
    "--export xls is not known; choose one of csv, parquet, mcap, tlog, kml, hdf5, lerobot, report, pdf",
  ]);
  expect(await say("a", "--points", "many")).toEqual([2, '--points needs a number, not "many"']);
  expect(await say("/no/such.ulg")).toEqual([1, "/no/such.ulg does not exist."]);
});

test("paths become the arrays and objects they name", () => {
  expect(nested({ t: 1, "q[0]": 2, "q[1]": 3, "esc[0].rpm": 4, "a.b": 5 })).toEqual({
    t: 1,
    q: [2, 3],
    esc: [{ rpm: 4 }],
    a: { b: 5 },
  });
});
