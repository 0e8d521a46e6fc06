import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  dataflashLog,
  foreignMcap,
  heartbeatLog,
  heightLog,
  jsonChannel,
  rosBag,
} from "../../tests/support/log-builders";
import { rosBag2, sampleTopic } from "../../tests/support/rosbag2-builder";
import { reviewDeps } from "./deps";
import { readerFor } from "./open";
import type { LogReader } from "./reader";
import { memorySource } from "./source";

const golden = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../../tests/golden/${name}`, import.meta.url)));

async function open(bytes: Uint8Array): Promise<LogReader> {
  const reader = await readerFor(memorySource(bytes), "test.log", reviewDeps);
  if (!reader.ok) throw new Error(reader.error);
  return reader.value;
}

const countOf = (reader: LogReader): number => reader.topics.reduce((sum, topic) => sum + topic.count, 0);

/** Decodes everything, so that damage which the index did not see cannot hide. */
function readAll(reader: LogReader): void {
  for (const topic of reader.topics) {
    for (const { path, numeric } of topic.fields.slice(0, 3)) if (numeric) reader.column(topic.name, path);
    for (const record of reader.records(topic.name)) {
      expect(record.at_s).toBeGreaterThanOrEqual(0);
      break;
    }
  }
  for (const { topic } of reader.image_topics) reader.image(topic, 0);
}

const spread = Array.from({ length: 12 }, (_, k) => ({ times_s: [0, 1, 2, 3].map((i) => 1000 + k * 4 + i) }));
type Load = () => Promise<Buffer> | Buffer;
const mcap: Load = () => foreignMcap([jsonChannel("/a", 60), jsonChannel("/b", 60)], { chunkSize: 1500 });
const plainMcap: Load = () =>
  foreignMcap([jsonChannel("/a", 60), jsonChannel("/b", 60)], { useChunks: false });
/** Name, a small log to cut a thousand times, and a real one to damage. */
const logs: readonly (readonly [string, Load, Load])[] = [
  ["tlog", () => Buffer.concat(heartbeatLog(150)), () => golden("px4-1.17-hexa.tlog")],
  ["ULog", () => heightLog(200), () => golden("px4-1.18-hexa.ulg")],
  ["DataFlash", () => dataflashLog(200), () => golden("ardupilot-4.7-hexa.bin")],
  ["bag", () => rosBag(spread, true), () => rosBag(spread, true)],
  ["MCAP", mcap, mcap],
  ["MCAP without chunks", plainMcap, plainMcap],
  [
    "ROS 2 database",
    () => rosBag2([sampleTopic("/a", 150), sampleTopic("/b", 150)]),
    () => rosBag2([sampleTopic("/a", 900, 1.78e9, 60)]),
  ],
];

for (const [name, loadSmall, load] of logs) {
  test(`${name}: cut at every byte of its last kilobyte, the good part is kept and the cut is stated`, async () => {
    const whole = await loadSmall();
    const full = countOf(await open(whole));
    let before = 0;
    for (let length = whole.length - 1024; length < whole.length; length++) {
      const reader = await open(whole.subarray(0, length));
      const kept = countOf(reader);
      expect(kept).toBeLessThanOrEqual(full);
      // One byte more never loses a message.
      expect(kept).toBeGreaterThanOrEqual(before);
      before = kept;
      if (length % 97 === 0) readAll(reader);
      if (kept < full) expect(reader.completeness.state).not.toBe("empty");
    }
    expect(before).toBeGreaterThan(full * 0.85);
  }, 60_000);

  test(`${name}: zeros or random bytes in the middle are survived, and the rest is read`, async () => {
    const whole = await load();
    const full = countOf(await open(whole));
    let damaged_places = 0;
    const random = fc.sample(fc.uint8Array({ minLength: 400, maxLength: 400 }), { numRuns: 6, seed: 7 });
    for (const [k, noise] of [new Uint8Array(400), ...random].entries()) {
      const damaged = Buffer.from(whole);
      damaged.set(noise, Math.floor(whole.length * (0.5 + 0.05 * k)));
      const reader = await open(damaged);
      readAll(reader);
      const kept = countOf(reader);
      expect(kept).toBeGreaterThan(full * 0.85);
      // A database keeps an index of its own, which is not needed: damage there costs nothing.
      if (name === "ROS 2 database" && kept === full) continue;
      damaged_places += 1;
      expect(reader.completeness.state).toBe("damaged");
      expect(reader.completeness.notes.length).toBeGreaterThan(0);
    }
    expect(damaged_places).toBeGreaterThan(3);
  }, 30_000);

  test(`${name}: swapped halves and any flipped bytes never crash a reader`, async () => {
    const whole = await load();
    const half = Math.floor(whole.length / 2);
    const head = 600;
    const swapped = Buffer.concat([
      whole.subarray(0, head),
      whole.subarray(half),
      whole.subarray(head, half),
    ]);
    const opened = await readerFor(memorySource(swapped), "test.log", reviewDeps);
    if (opened.ok) readAll(opened.value);
    else expect(opened.error).toMatch(/^test\.log .*\S$/);
    const places = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 40 });
    for (const flips of fc.sample(places, { numRuns: 25, seed: 3 })) {
      const damaged = Buffer.from(whole);
      for (const [at, value] of flips) if (at > 16) damaged[at] = value;
      const reader = await readerFor(memorySource(damaged), "test.log", reviewDeps);
      if (reader.ok) readAll(reader.value);
    }
  }, 60_000);
}

test("an empty file, an unknown format and a wrong ending are one clear sentence each", async () => {
  const said = async (bytes: Uint8Array, name: string): Promise<string> => {
    const reader = await readerFor(memorySource(bytes), name, reviewDeps);
    return reader.ok ? "opened" : reader.error;
  };
  expect(await said(new Uint8Array(0), "/x/flight.ulg")).toBe(
    "/x/flight.ulg is empty (0 bytes): nothing was ever written to it.",
  );
  expect(await said(Buffer.from("hello, this is a letter"), "/x/letter.ulg")).toBe(
    "letter.ulg is not a log that Kingfisher can read, whatever its name ending “.ulg” says. It reads Kingfisher flights, MCAP, ULog, tlog, ROS 1 and ROS 2 bags, DataFlash .bin, Robomimic HDF5 and LeRobot data sets.",
  );
  expect(await said(golden("px4-1.18-hexa.ulg"), "renamed.tlog")).toBe("opened");
});
