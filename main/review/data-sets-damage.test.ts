import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { actionOf, lerobotFolder, robomimicFile } from "../../tests/support/data-sets";
import { reviewDeps } from "./deps";
import { openLog } from "./open";
import type { LogReader } from "./reader";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Opens and decodes everything; a file that cannot be read must say so in one sentence. */
async function readAll(path: string): Promise<LogReader | null> {
  const log = await openLog(path, reviewDeps);
  if (!log.ok) {
    expect(log.error).toMatch(/\S.*\.$/);
    return null;
  }
  const { reader } = log.value;
  for (const { name, fields } of reader.topics)
    for (const { path: field } of fields) reader.column(name, field);
  for (const { topic } of reader.image_topics) reader.image(topic, 0.5);
  reader.close();
  return reader;
}

const sum = (reader: LogReader | null): number =>
  (reader?.topics ?? []).reduce((total, topic) => total + topic.count, 0);

function damages(whole: Buffer): Buffer[] {
  const half = Math.floor(whole.length / 2);
  const random = fc.sample(fc.uint8Array({ minLength: 400, maxLength: 400 }), { numRuns: 8, seed: 11 });
  const at = (noise: Uint8Array, share: number): Buffer => {
    const damaged = Buffer.from(whole);
    damaged.set(noise.subarray(0, whole.length), Math.floor((whole.length - 400) * share));
    return damaged;
  };
  return [
    ...[0, 0.2, 0.5, 0.9].map((share) => at(new Uint8Array(400), share)),
    ...random.map((noise, k) => at(noise, 0.1 + 0.1 * k)),
    Buffer.concat([whole.subarray(0, 600), whole.subarray(half), whole.subarray(600, half)]),
  ];
}

test("Robomimic: cut at every byte of its last kilobyte, what is lost is counted and nothing is invented", async () => {
  const whole = await robomimicFile(2, 20);
  const path = join(folder, "cut.hdf5");
  for (let length = whole.length - 1024; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    const log = await openLog(path, reviewDeps);
    if (!log.ok) throw new Error(log.error);
    const { reader } = log.value;
    expect(reader.completeness.state).not.toBe("complete");
    expect(reader.completeness.notes[0]).toBe(`cut at byte ${length} of ${whole.length}`);
    for (const [k, { name }] of reader.topics.entries())
      for (const [i, value] of [...(reader.column(name, "actions[0]")?.values ?? [])].entries())
        if (!Number.isNaN(value)) expect(value).toBe(actionOf(k, i)[0]);
    reader.close();
  }
}, 120_000);

test("Robomimic: zeros, random bytes and swapped halves never crash the reader", async () => {
  for (const options of [{}, { chunked: true }])
    for (const damaged of damages(await robomimicFile(3, 60, options))) {
      const path = join(folder, "damaged.hdf5");
      writeFileSync(path, damaged);
      await readAll(path);
    }
}, 60_000);

test("Robomimic: a damaged packed chunk is named, the other arrays are read", async () => {
  const whole = await robomimicFile(3, 200, { chunked: true });
  // The first byte of a zlib stream.
  const at = whole.indexOf(Buffer.from([0x78, 0x9c]));
  const chunk = at < 0 ? whole.indexOf(Buffer.from([0x78, 0x01])) : at;
  expect(chunk).toBeGreaterThan(0);
  const damaged = Buffer.from(whole);
  damaged.fill(0xaa, chunk, chunk + 40);
  const path = join(folder, "chunk.hdf5");
  writeFileSync(path, damaged);
  const reader = await readAll(path);
  expect(reader?.completeness.state).toBe("damaged");
  expect(reader?.completeness.notes[0]).toMatch(
    /^demo_\d\/actions cannot be read \(filter returned failure during read\)$/,
  );
  expect(reader?.topics).toHaveLength(3);
});

test("LeRobot: any episode file cut at every byte or damaged costs that episode only, and is named", async () => {
  const set = join(folder, "lerobot");
  await lerobotFolder(set, 2, 3, 12);
  const path = join(set, "data", "chunk-000", "episode_000001.parquet");
  const whole = readFileSync(path);
  expect(sum(await readAll(set))).toBe(36);
  for (let length = Math.max(0, whole.length - 1024); length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    const reader = await readAll(set);
    expect(sum(reader)).toBe(24);
    expect(reader?.completeness.state).toBe("damaged");
    expect(reader?.completeness.notes.join()).toContain("episode_000001.parquet cannot be read");
  }
  for (const damaged of damages(whole)) {
    writeFileSync(path, damaged);
    expect(sum(await readAll(set))).toBeGreaterThanOrEqual(24);
  }
}, 120_000);
