import { parse } from "@foxglove/rosmsg";
import { MessageWriter as Ros1Writer } from "@foxglove/rosmsg-serialization";
import { MessageWriter as Ros2Writer } from "@foxglove/rosmsg2-serialization";
import { expect, test } from "vitest";
import {
  foreignMcap,
  jsonChannel,
  lz4Stored,
  type McapChannelSpec,
  zstdStored,
} from "../../../tests/support/log-builders";
import { compressedImageDescriptor, encodeCompressedImage } from "../../logbook/compressed-image";
import { loadCodecs } from "../compression";
import { reviewDeps } from "../deps";
import { readerFor } from "../open";
import type { LogReader } from "../reader";
import { memorySource } from "../source";
import { openMcap } from "./open";

async function open(bytes: Uint8Array): Promise<LogReader> {
  const reader = await readerFor(memorySource(bytes), "test.mcap", reviewDeps);
  if (!reader.ok) throw new Error(reader.error);
  return reader.value;
}

const definition = "string name\nfloat64 height\nint16[3] cells\n";
const sample = (n: number): { name: string; height: number; cells: number[] } => ({
  name: `sample ${n}`,
  height: n / 4,
  cells: [n, -n, 7],
});
const times = Array.from({ length: 20 }, (_, n) => 1.78e9 + n);

function rosChannel(topic: string, two: boolean): McapChannelSpec {
  const parsed = parse(definition, { ros2: two });
  const writer = two ? new Ros2Writer(parsed) : new Ros1Writer(parsed);
  return {
    topic,
    encoding: two ? "cdr" : "ros1",
    schemaName: two ? "test/msg/Sample" : "test/Sample",
    schemaEncoding: two ? "ros2msg" : "ros1msg",
    schema: Buffer.from(definition),
    messages: times.map((t_s, n) => ({ t_s, data: writer.writeMessage(sample(n)) })),
  };
}

const imageChannel: McapChannelSpec = {
  topic: "/image",
  encoding: "protobuf",
  schemaName: "foxglove.CompressedImage",
  schemaEncoding: "protobuf",
  schema: compressedImageDescriptor(),
  messages: times.map((t_s, n) => ({
    t_s,
    data: encodeCompressedImage(Uint8Array.of(0xff, 0xd8, n), "jpeg", "camera", t_s * 1000),
  })),
};

const compressions = {
  none: undefined,
  lz4: (bytes: Uint8Array) => ({ compression: "lz4", compressedData: lz4Stored(bytes) }),
  zstd: (bytes: Uint8Array) => ({ compression: "zstd", compressedData: zstdStored(bytes) }),
};

for (const [name, compressChunk] of Object.entries(compressions)) {
  test(`JSON, protobuf, ROS 1 and ROS 2 messages in chunks packed with ${name}`, async () => {
    const channels = [
      jsonChannel("/json", 30),
      rosChannel("/ros1", false),
      rosChannel("/ros2", true),
      imageChannel,
    ];
    const reader = await open(
      await foreignMcap(channels, { chunkSize: 700, ...(compressChunk && { compressChunk }) }),
    );
    expect(reader.completeness).toEqual({ state: "complete", notes: [] });
    for (const topic of ["/ros1", "/ros2"]) {
      expect([...(reader.column(topic, "height")?.values ?? [])]).toEqual(times.map((_, n) => n / 4));
      expect(reader.column(topic, "cells[1]")?.values.at(-1)).toBe(-19);
      const [first] = reader.records(topic);
      expect(first?.value).toMatchObject({ name: "sample 0" });
    }
    expect(reader.column("/json", "value")?.values.at(-1)).toBe(29);
    expect(reader.image_topics).toEqual([{ topic: "/image", count: 20 }]);
    expect(reader.image("/image", 5.5)).toMatchObject({ index: 5, bytes: Uint8Array.of(0xff, 0xd8, 5) });
  });
}

test("without chunks, and with every index left out, a file reads the same", async () => {
  const plain = await foreignMcap([jsonChannel("/json", 30)], {
    useChunks: false,
    useStatistics: false,
    useSummaryOffsets: false,
    repeatChannels: false,
    repeatSchemas: false,
  });
  const reader = await open(plain);
  expect(reader.completeness.state).toBe("complete");
  expect([...(reader.column("/json", "value")?.values ?? [])]).toEqual(
    Array.from({ length: 30 }, (_, n) => n),
  );
});

test("a large file is opened by its chunks' own indexes, and reads the same", async () => {
  const bytes = await foreignMcap([jsonChannel("/json", 300)], { chunkSize: 1000 });
  const reader = openMcap(memorySource(bytes), await loadCodecs(), undefined, 0);
  expect(reader.completeness.notes).toEqual([
    "too large to check every chunk when opened: chunks are checked when read",
  ]);
  expect([...(reader.column("/json", "value")?.values ?? [])]).toEqual(
    Array.from({ length: 300 }, (_, n) => n),
  );
});

test("a schema that cannot be read costs its own topic only, and is named", async () => {
  const bad = { ...rosChannel("/bad", false), schema: Buffer.from("this is % no definition") };
  const reader = await open(await foreignMcap([bad, jsonChannel("/json", 3)]));
  expect(reader.topics.find(({ name }) => name === "/bad")?.count).toBe(20);
  expect(reader.column("/bad", "height")).toBeNull();
  expect(reader.completeness.notes.join()).toContain("/bad cannot be decoded: its schema cannot be read");
  expect(reader.column("/json", "value")?.values).toHaveLength(3);
});
