import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { actionOf, lerobotFolder, pixel, robomimicFile } from "../../tests/support/data-sets";
import { reviewDeps } from "./deps";
import { openLog, readerFor } from "./open";
import type { LogReader } from "./reader";
import { memorySource } from "./source";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
  folders.push(path);
  return path;
}
async function open(path: string): Promise<LogReader> {
  const log = await openLog(path, reviewDeps);
  if (!log.ok) throw new Error(log.error);
  return log.value.reader;
}

for (const chunked of [false, true])
  test(`a Robomimic file, ${chunked ? "packed in chunks" : "contiguous"}: demonstrations one after another, fields, pictures`, async () => {
    const path = join(temporary(), "demo.hdf5");
    writeFileSync(path, await robomimicFile(12, 30, { chunked }));
    const reader = await open(path);
    expect(reader).toMatchObject({ kind: "robomimic", meta: { environment: "Lift", control_rate_hz: "10" } });
    expect(reader.completeness).toEqual({ state: "complete", notes: [] });
    expect(reader.topics.map(({ name }) => name)).toEqual(Array.from({ length: 12 }, (_, k) => `demo_${k}`));
    expect(reader.duration_s).toBeCloseTo(35.9, 6);
    const action = reader.column("demo_11", "actions[0]");
    expect(action?.t_s[0]).toBeCloseTo(33, 6);
    expect([...(action?.values ?? [])]).toEqual(Array.from({ length: 30 }, (_, i) => actionOf(11, i)[0]));
    expect(reader.column("demo_3", "obs.eef_pos[1]")?.values.at(-1)).toBe(14.5);
    expect(reader.column("demo_3", "dones")?.values.at(-1)).toBe(1);
    expect(reader.messages[2]).toMatchObject({ at_s: 6, text: "demo_2 begins: 30 steps" });
    const image = reader.image("demo_1/obs/front_image", 4);
    expect(image).toMatchObject({ index: 10, media_type: "image/png" });
    expect(Buffer.from(image?.bytes ?? []).readUInt32BE(16)).toBe(8);
    expect(reader.message?.("demo_0", 0.55)).toMatchObject({ index: 5, message: { "obs.eef_pos[0]": 5 } });
    reader.close();
  });

test("a Robomimic file that is cut shows what is there, counts what is lost, and invents nothing", async () => {
  const whole = await robomimicFile(4, 400);
  const reader = await readerFor(
    memorySource(whole.subarray(0, whole.length - 9000)),
    "cut.hdf5",
    reviewDeps,
  );
  if (!reader.ok) throw new Error(reader.error);
  const { completeness } = reader.value;
  expect(completeness.notes[0]).toBe(`cut at byte ${whole.length - 9000} of ${whole.length}`);
  expect(["truncated", "damaged"]).toContain(completeness.state);
  for (let k = 0; k < 4; k++)
    for (const [i, value] of [...(reader.value.column(`demo_${k}`, "actions[0]")?.values ?? [])].entries())
      if (!Number.isNaN(value)) expect(value).toBe(actionOf(k, i)[0]);
  reader.value.close();
});

for (const version of [2, 3] as const)
  test(`a LeRobot data set of version ${version}: episodes, tasks, fields, pictures, videos named`, async () => {
    const folder = temporary();
    await lerobotFolder(folder, version, 5, 20);
    const reader = await open(folder);
    expect(reader).toMatchObject({
      kind: "lerobot",
      meta: { robot: "so100", episodes: "5", frame_rate_hz: "10" },
    });
    expect(reader.meta["names of action"]).toBe("pan, lift");
    expect(reader.completeness.state).toBe("complete");
    expect(reader.completeness.notes).toEqual([
      `observation.images.top is filmed in ${version === 2 ? 5 : 1} video files, which are played and not decoded here; messages name them`,
    ]);
    expect(reader.topics.map(({ name, count }) => [name, count])).toEqual(
      Array.from({ length: 5 }, (_, k) => [`episode_00000${k}`, 20]),
    );
    expect(reader.duration_s).toBeCloseTo(9.9, 5);
    const action = reader.column("episode_000003", "action[0]");
    expect(action?.t_s[0]).toBeCloseTo(6, 5);
    for (const [i, value] of [...(action?.values ?? [])].entries())
      expect(value).toBeCloseTo(actionOf(3, i)[0], 5);
    expect(reader.messages[3]?.text).toBe(
      version === 2
        ? "episode_000003 begins: 20 frames · task 1 · observation.images.top: videos/chunk-000/observation.images.top/episode_000003.mp4"
        : "episode_000003 begins: 20 frames · task 1 · observation.images.top: videos/observation.images.top/chunk-000/file-000.mp4 from 6.00 s",
    );
    const image = reader.image("episode_000001/observation.images.wrist", 2.5);
    expect(image).toMatchObject({ index: 5, media_type: "image/png" });
    expect(Buffer.from(image?.bytes ?? []).equals(pixel)).toBe(true);
    reader.close();
  });

test("a LeRobot data set with a cut and a missing file keeps its other episodes and says what is lost", async () => {
  const folder = temporary();
  await lerobotFolder(folder, 2, 5, 20);
  const file = (k: number): string => join(folder, "data", "chunk-000", `episode_00000${k}.parquet`);
  rmSync(file(1));
  truncateSync(file(3), readFileSync(file(3)).length - 20);
  const reader = await open(folder);
  expect(reader.topics.map(({ name }) => name)).toEqual([
    "episode_000000",
    "episode_000002",
    "episode_000004",
  ]);
  expect(reader.completeness.state).toBe("damaged");
  expect(reader.completeness.notes.join("\n")).toMatch(/episode_000003.parquet cannot be read/);
  expect(reader.completeness.notes).toContain("episode 1: 0 of 20 frames are there");
  expect(reader.completeness.notes).toContain("meta/info.json counts 100 frames; 60 were found");
  reader.close();
});

test("HDF5 without demonstrations, and a data set whose description is damaged, are one clear sentence each", async () => {
  const h5wasm = await import("h5wasm/node");
  await h5wasm.ready;
  const path = join(temporary(), "other.hdf5");
  const file = new h5wasm.File(path, "w");
  file.create_group("something");
  file.close();
  const other = await openLog(path, reviewDeps);
  expect(other.ok ? "" : other.error).toBe(
    "other.hdf5 is an HDF5 file without demonstrations (no group “data”).",
  );
  const folder = temporary();
  await lerobotFolder(folder, 2, 1, 5);
  writeFileSync(join(folder, "meta", "info.json"), '{"fps": 10, "feat');
  const broken = await openLog(folder, reviewDeps);
  expect(broken.ok ? "" : broken.error).toMatch(
    /is a LeRobot data set that cannot be read: meta\/info.json cannot be read/,
  );
});
