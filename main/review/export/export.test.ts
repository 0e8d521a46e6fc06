import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { McapIndexedReader } from "@mcap/core";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { idleMission } from "#contract/mission";
import { defaultSettings } from "#contract/settings";
import type { VehicleState } from "#contract/vehicle";
import { FakeClock } from "../../../tests/support/fake-clock";
import { openLogbook } from "../../logbook/logbook";
import { runReview } from "../cli";
import { fileProblem } from "../workspace/files";
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

/** One of our flights with pictures, setpoints and a mission. */
async function flown(): Promise<string> {
  const clock = new FakeClock();
  const meta = {
    name: "demo",
    version: "0",
    git: "0",
    address: "sim://office?seed=1",
    scene: "office",
    seed: 1,
  };
  const opened = await openLogbook(join(dir, "flights"), { ...meta, settings: defaultSettings }, clock);
  if (!opened.ok) throw new Error(opened.error);
  const picture = await sharp({ create: { width: 32, height: 24, channels: 3, background: "#c00" } })
    .jpeg()
    .toBuffer();
  opened.value.write(
    "/kingfisher/mission",
    { ...idleMission("rules"), command: "fly there" },
    clock.now_ms(),
  );
  for (let n = 0; n < 40; n++) {
    const state = { position_enu_m: [n, 2 * n, 1], velocity_enu_m_s: [1, 2, 0], quat_flu_enu: [1, 0, 0, 0] };
    opened.value.write("/kingfisher/vehicle", state as unknown as VehicleState, clock.now_ms());
    const setpoint = { position_enu_m: [n + 1, 0, 1] as const, yaw_enu_rad: 0.5 };
    opened.value.write("/kingfisher/setpoint", setpoint, clock.now_ms());
    if (n % 2 === 0) opened.value.image("/camera/front/colour", picture, clock.now_ms());
    await clock.advanceAsync(100, 100);
  }
  await opened.value.close();
  return opened.value.folder;
}

test("lerobot: an episode that keeps to the format's version 2.1, its table read back by DuckDB", async () => {
  const outcome = await runReview([await flown(), "--export", "lerobot", "--out", dir]);
  expect([outcome.exit, outcome.text]).toEqual([0, expect.stringContaining("there is no video")]);
  const root =
    (outcome.json as { files: string[] }).files
      .find((f) => f.endsWith("info.json"))
      ?.replace(/meta.info\.json$/, "") ?? "";
  const json = (name: string): unknown =>
    JSON.parse(readFileSync(join(root, name), "utf8").split("\n")[0] ?? "");
  const Feature = z.strictObject({
    dtype: z.enum(["float32", "int64", "bool", "image"]),
    shape: z.array(z.number().int().positive()),
    names: z.array(z.string()).nullable(),
  });
  const whole = readFileSync(join(root, "meta/info.json"), "utf8");
  const info = z
    .strictObject({
      codebase_version: z.literal("v2.1"),
      robot_type: z.string(),
      total_episodes: z.literal(1),
      total_frames: z.number().int(),
      total_tasks: z.literal(1),
      total_videos: z.literal(0),
      total_chunks: z.literal(1),
      chunks_size: z.literal(1000),
      fps: z.number().int().positive(),
      splits: z.strictObject({ train: z.literal("0:1") }),
      data_path: z.literal("data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet"),
      video_path: z.null(),
      features: z.record(z.string(), Feature),
    })
    .parse(JSON.parse(whole));
  expect(info.features["observation.images.front"]).toEqual({
    dtype: "image",
    shape: [24, 32, 3],
    names: ["height", "width", "channel"],
  });
  expect(json("meta/tasks.jsonl")).toEqual({ task_index: 0, task: "fly there" });
  expect(json("meta/episodes.jsonl")).toEqual({
    episode_index: 0,
    tasks: ["fly there"],
    length: info.total_frames,
  });
  const stats = (json("meta/episodes_stats.jsonl") as { stats: Record<string, { mean: number[] }> }).stats;
  expect(stats["action"]?.mean[3]).toBeCloseTo(0.5, 6);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const read = await connection.runAndReadAll(
    `SELECT count(*)::INT, min(len("observation.state"))::INT, max(len(action))::INT, bool_or("next.done"),
       max(abs(timestamp - frame_index / ${info.fps})) < 1e-4, min(octet_length("observation.images.front".bytes)) > 100
     FROM '${join(root, "data/chunk-000/episode_000000.parquet")}'`,
  );
  expect(read.getRowsJS()).toEqual([[info.total_frames, 10, 4, true, true, true]]);
  const columns = await connection.runAndReadAll(
    `SELECT column_name FROM (DESCRIBE SELECT * FROM '${join(root, "data/chunk-000/episode_000000.parquet")}')`,
  );
  expect(columns.getRowsJS().flat().sort()).toEqual(Object.keys(info.features).sort());
  connection.closeSync();
});

test("hdf5: pictures are rows of bytes beside the other observations", async () => {
  const outcome = await runReview([await flown(), "--export", "hdf5", "--out", dir]);
  expect(outcome.exit).toBe(0);
  const h5wasm = await import("h5wasm/node");
  const file = new h5wasm.File((outcome.json as { files: string[] }).files[0] ?? "", "r");
  const image = file.get("data/demo_0/obs/front_colour_image") as unknown as {
    shape: number[];
    value: ArrayLike<number>;
  };
  expect(image.shape).toEqual([40, 96, 128, 3]);
  expect(image.value[0]).toBeGreaterThan(150);
  expect(image.value[1]).toBeLessThan(60);
  file.close();
});

test("tlog: frames as they were heard, of a time range; other logs have none", async () => {
  const out = join(dir, "cut");
  const args = [golden("px4-1.17-hexa.tlog"), "--export", "tlog", "--from", "10", "--to", "20", "--out", out];
  const outcome = await runReview(args);
  expect(outcome.exit).toBe(0);
  const cut = await runReview([join(out, "px4-1.17-hexa.tlog"), "--summary"]);
  expect((cut.json as { duration_s: number }).duration_s).toBeCloseTo(10, 0);
  const ulog = await runReview([golden("px4-1.18-hexa.ulg"), "--export", "tlog", "--out", out]);
  expect([ulog.exit, ulog.text]).toEqual([1, expect.stringMatching(/holds no MAVLink frames/)]);
});

test("a choice of topics and times is all that is written", async () => {
  const args = ["--topics", "ATTITUDE,HEARTBEAT", "--from", "10", "--to", "20"];
  const outcome = await runReview([golden("px4-1.17-hexa.tlog"), "--export", "csv", "--out", dir, ...args]);
  expect(outcome.exit).toBe(0);
  expect(readdirSync(dir).sort()).toEqual(["ATTITUDE.csv", "HEARTBEAT.csv"]);
  const times = readFileSync(join(dir, "ATTITUDE.csv"), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map(Number.parseFloat);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(10);
  expect(Math.max(...times)).toBeLessThanOrEqual(20);
});

test("nothing is replaced unasked, and nothing half-written stays", async () => {
  const write = (...more: string[]) =>
    runReview([
      golden("px4-1.17-hexa.tlog"),
      "--export",
      "csv",
      "--topics",
      "ATTITUDE",
      "--out",
      dir,
      ...more,
    ]);
  expect((await write()).exit).toBe(0);
  writeFileSync(join(dir, "ATTITUDE.csv"), "mine");
  const second = await write();
  expect([second.exit, second.text]).toEqual([
    1,
    `${join(dir, "ATTITUDE.csv")} exist already; --overwrite replaces them.`,
  ]);
  expect(readFileSync(join(dir, "ATTITUDE.csv"), "utf8")).toBe("mine");
  expect((await write("--overwrite")).exit).toBe(0);
  expect(readFileSync(join(dir, "ATTITUDE.csv"), "utf8")).toMatch(/^t_s,/);
  const inTheWay = join(dir, "file");
  writeFileSync(inTheWay, "");
  const blocked = await runReview([
    golden("px4-1.17-hexa.tlog"),
    "--export",
    "csv",
    "--out",
    join(inTheWay, "sub"),
  ]);
  expect([blocked.exit, blocked.text]).toEqual([
    1,
    `Export to ${join(inTheWay, "sub")} failed: a file is in the way of its folder.`,
  ]);
  const stop = new AbortController();
  stop.abort();
  const cancelled = await runReview(
    [golden("px4-1.17-hexa.tlog"), "--export", "parquet", "--out", join(dir, "p")],
    stop.signal,
  );
  expect([cancelled.exit, cancelled.text]).toEqual([1, "Cancelled."]);
  expect(readdirSync(join(dir, "p"))).toEqual([]);
});

test("a full disk, whoever says it, is one clear line", () => {
  const full = Object.assign(new Error("write"), { code: "ENOSPC" });
  expect(fileProblem("Export to", "/d", full)).toBe("Export to /d failed: the disk is full.");
  expect(fileProblem("Export to", "/d", new Error("IO Error: No space left on device"))).toBe(
    "Export to /d failed: the disk is full.",
  );
  const denied = Object.assign(new Error("x"), { code: "EACCES" });
  expect(fileProblem("Export to", "/d", denied)).toBe("Export to /d failed: writing there is not permitted.");
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
