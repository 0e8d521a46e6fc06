import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ros2humble } from "@foxglove/rosmsg-msgs-common";
import { MessageWriter } from "@foxglove/rosmsg2-serialization";
import { afterEach, expect, test } from "vitest";
import { foreignMcap, zstdStored } from "../../../tests/support/log-builders";
import {
  type Bag2Topic,
  bag2Metadata,
  rosBag2,
  SAMPLE_DEFINITION,
  sampleTopic,
} from "../../../tests/support/rosbag2-builder";
import { reviewDeps } from "../deps";
import { openLog, readerFor } from "../open";
import type { LogReader } from "../reader";
import { memorySource } from "../source";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
  folders.push(path);
  mkdirSync(path, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}
async function open(path: string): Promise<LogReader> {
  const log = await openLog(path, reviewDeps);
  if (!log.ok) throw new Error(log.error);
  return log.value.reader;
}
async function openBytes(bytes: Uint8Array): Promise<LogReader> {
  const reader = await readerFor(memorySource(bytes), "bag.db3", reviewDeps);
  if (!reader.ok) throw new Error(reader.error);
  return reader.value;
}
const heights = (reader: LogReader, topic = "/sample"): number[] => [
  ...(reader.column(topic, "height")?.values ?? []),
];
const quarter = (count: number): number[] => Array.from({ length: count }, (_, n) => n / 4);

test("a folder with metadata and one database: topics, fields, times and messages", async () => {
  const path = folder({
    "metadata.yaml": bag2Metadata(["bag_0.db3"], 20),
    "bag_0.db3": await rosBag2([sampleTopic("/sample", 20)]),
  });
  const reader = await open(path);
  expect(reader).toMatchObject({ kind: "rosbag2", format: "ROS 2 bag", meta: { ros_distro: "jazzy" } });
  expect(reader.completeness).toEqual({ state: "complete", notes: [] });
  expect(reader.duration_s).toBeCloseTo(1.9, 6);
  expect(heights(reader)).toEqual(quarter(20));
  expect(reader.column("/sample", "cells[1]")?.values.at(-1)).toBe(-19);
  expect(reader.message?.("/sample", 1.05)).toMatchObject({ index: 10, message: { name: "sample 10" } });
  reader.close();
});

test("a bag split into several files goes on from one to the next, the files' own order kept", async () => {
  const files: Record<string, Uint8Array> = {};
  const names = Array.from({ length: 11 }, (_, k) => `bag_${k}.db3`);
  for (const [k, name] of names.entries())
    files[name] = await rosBag2([sampleTopic("/sample", 5, 1.78e9 + k * 0.5)]);
  const path = folder({ ...files, "metadata.yaml": bag2Metadata(names, 55) });
  const reader = await open(path);
  expect(reader.format).toBe("ROS 2 bag (11 files)");
  expect(reader.completeness.state).toBe("complete");
  expect(heights(reader)).toEqual(names.flatMap(() => quarter(5)));
  expect(
    [...(reader.column("/sample", "height")?.t_s ?? [])].every(
      (t, i, all) => i === 0 || t > (all[i - 1] ?? 0),
    ),
  ).toBe(true);
  reader.close();
  const single = await open(join(path, "bag_3.db3"));
  expect(heights(single)).toEqual(quarter(5));
  expect(single.completeness.notes).toEqual([
    "one of the 11 files of its bag; open the folder to see all of them",
  ]);
  single.close();
});

test("a file that the metadata names and that is missing is said, the others are read", async () => {
  const path = folder({
    "metadata.yaml": bag2Metadata(["bag_0.db3", "bag_1.db3"], 20),
    "bag_0.db3": await rosBag2([sampleTopic("/sample", 10)]),
  });
  const reader = await open(path);
  expect(heights(reader)).toEqual(quarter(10));
  expect(reader.completeness).toEqual({
    state: "damaged",
    notes: [
      "bag_1.db3 is missing: metadata.yaml names it",
      "metadata.yaml counts 20 messages; 10 were found",
    ],
  });
  reader.close();
});

const idl = `module test_msgs { module msg {
  typedef short short__3[3];
  struct Sample { string name; double height; short__3 cells; sequence<float> many; };
}; };`;

test("MCAP storage with ROS 2 messages and ROS 2 IDL, folder given", async () => {
  const [a, b] = [sampleTopic("/msg", 12), sampleTopic("/idl", 12)];
  const channel = (topic: Bag2Topic, encoding: string, text: string) => ({
    topic: topic.name,
    encoding: "cdr",
    schemaName: topic.type,
    schemaEncoding: encoding,
    schema: Buffer.from(text),
    messages: topic.messages,
  });
  const mcap = await foreignMcap([channel(a, "ros2msg", SAMPLE_DEFINITION), channel(b, "ros2idl", idl)]);
  const reader = await open(
    folder({ "metadata.yaml": bag2Metadata(["bag_0.mcap"], 24, "mcap"), "bag_0.mcap": mcap }),
  );
  expect(reader.completeness).toEqual({ state: "complete", notes: [] });
  for (const topic of ["/msg", "/idl"]) {
    expect(heights(reader, topic)).toEqual(quarter(12));
    expect(reader.message?.(topic, 0)?.message).toMatchObject({ name: "sample 0", height: 0 });
  }
  reader.close();
});

test("a database with ROS 2 IDL definitions, and one of a recorder that stored none", async () => {
  const imu = ros2humble["sensor_msgs/Imu"];
  const gathered = [
    imu,
    ...[
      "std_msgs/Header",
      "builtin_interfaces/Time",
      "geometry_msgs/Quaternion",
      "geometry_msgs/Vector3",
    ].map((name) => ros2humble[name as "std_msgs/Header"]),
  ];
  const writer = new MessageWriter(gathered);
  const vector = (x: number) => ({ x, y: 0, z: 9.81 });
  const covariance = new Array<number>(9).fill(0);
  const reader = await openBytes(
    await rosBag2([
      { ...sampleTopic("/idl", 5), definition: { encoding: "ros2idl", text: idl } },
      {
        name: "/imu",
        type: "sensor_msgs/msg/Imu",
        messages: Array.from({ length: 5 }, (_, n) => ({
          t_s: 1.78e9 + n,
          data: writer.writeMessage({
            header: { stamp: { sec: n, nanosec: 5 }, frame_id: "imu" },
            orientation: { x: 0, y: 0, z: 0, w: 1 },
            orientation_covariance: covariance,
            angular_velocity: vector(n),
            angular_velocity_covariance: covariance,
            linear_acceleration: vector(-n),
            linear_acceleration_covariance: covariance,
          }),
        })),
      },
      {
        name: "/mine",
        type: "my_msgs/msg/Own",
        messages: [{ t_s: 1.78e9, data: Uint8Array.of(0, 1, 0, 0) }],
      },
    ]),
  );
  expect(heights(reader, "/idl")).toEqual(quarter(5));
  expect([...(reader.column("/imu", "linear_acceleration.x")?.values ?? [])]).toEqual([-0, -1, -2, -3, -4]);
  expect(reader.topics.find(({ name }) => name === "/mine")?.count).toBe(1);
  expect(reader.completeness.notes).toEqual([
    "/mine cannot be decoded: its recorder stored no definition of my_msgs/msg/Own",
  ]);
  reader.close();
});

test("Zstandard by message and by file", async () => {
  const topic = sampleTopic("/sample", 10);
  const packed = { ...topic, messages: topic.messages.map((m) => ({ ...m, data: zstdStored(m.data) })) };
  const zstd = { format: "zstd", mode: "MESSAGE" };
  const by_message = await open(
    folder({
      "metadata.yaml": bag2Metadata(["b_0.db3"], 10, "sqlite3", zstd),
      "b_0.db3": await rosBag2([packed]),
    }),
  );
  expect(heights(by_message)).toEqual(quarter(10));
  by_message.close();
  const whole = zstdStored(await rosBag2([topic]));
  const path = folder({
    "metadata.yaml": bag2Metadata(["b_0.db3.zstd"], 10, "sqlite3", { ...zstd, mode: "FILE" }),
    "b_0.db3.zstd": whole,
  });
  const by_file = await open(path);
  expect(by_file.completeness).toEqual({ state: "complete", notes: [] });
  expect(heights(by_file)).toEqual(quarter(10));
  by_file.close();
});

test("nothing is written beside the bag, whatever is read from it", async () => {
  const { readdirSync } = await import("node:fs");
  const path = folder({ "bag_0.db3": await rosBag2([sampleTopic("/sample", 5)]) });
  const reader = await open(path);
  expect(heights(reader)).toEqual(quarter(5));
  expect(readdirSync(path)).toEqual(["bag_0.db3"]);
  expect(reader.completeness.notes).toEqual(["metadata.yaml is missing; the files speak for themselves"]);
  reader.close();
});

test("metadata without any file, and an empty file, are one clear sentence each", async () => {
  const bare = await openLog(folder({ "metadata.yaml": bag2Metadata([], 0) }), reviewDeps);
  expect(bare.ok ? "" : bare.error).toMatch(/holds a metadata.yaml, but no .db3 and no .mcap file\.$/);
  const empty = await openLog(folder({ "bag_0.db3": "" }), reviewDeps);
  expect(empty.ok ? "" : empty.error).toMatch(
    /^No file of the bag .* can be read: bag_0.db3 is empty \(0 bytes\)\.$/,
  );
});
