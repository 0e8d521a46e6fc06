import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lerobotFolder, robomimicFile } from "../../tests/support/data-sets";
import {
  everyLetterLog,
  foreignMcap,
  heightLog,
  jsonChannel,
  lz4Stored,
  rosBag,
  zstdStored,
} from "../../tests/support/log-builders";
import { bag2Metadata, rosBag2, sampleTopic } from "../../tests/support/rosbag2-builder";
import { reviewDeps } from "./deps";
import { openLog } from "./open";

/** Small generated logs, kept with what was read from them: a reader that reads them differently has changed. */
const folder = fileURLToPath(new URL("../../tests/golden/generated", import.meta.url));

const file = (name: string, make: () => Promise<Uint8Array> | Uint8Array) =>
  [name, async (): Promise<void> => writeFileSync(join(folder, name), await make())] as const;
const packed = { "zstd.mcap": zstdStored, "lz4.mcap": lz4Stored } as const;

const logs: readonly (readonly [string, () => Promise<void>])[] = [
  file("height.ulg", () => heightLog(20)),
  file("every-letter.bin", everyLetterLog),
  file("indexed.bag", () =>
    rosBag([{ times_s: [1000, 1001] }, { times_s: [1002], compression: "lz4", pack: lz4Stored }], true),
  ),
  file("unindexed.bag", () => rosBag([{ times_s: [1000, 1001, 1002] }], false)),
  file("sample.db3", () => rosBag2([sampleTopic("/sample", 8)])),
  file("plain.mcap", () => foreignMcap([jsonChannel("/json", 8)])),
  ...Object.entries(packed).map(([name, pack]) =>
    file(name, () =>
      foreignMcap([jsonChannel("/json", 8)], {
        compressChunk: (bytes) => ({ compression: name.replace(".mcap", ""), compressedData: pack(bytes) }),
      }),
    ),
  ),
  file("robomimic.hdf5", () => robomimicFile(2, 6)),
  ["lerobot-v2", () => lerobotFolder(join(folder, "lerobot-v2"), 2, 2, 4)],
  ["lerobot-v3", () => lerobotFolder(join(folder, "lerobot-v3"), 3, 2, 4)],
  [
    "rosbag2",
    async () => {
      mkdirSync(join(folder, "rosbag2"), { recursive: true });
      writeFileSync(join(folder, "rosbag2", "metadata.yaml"), bag2Metadata(["rosbag2_0.db3"], 5));
      writeFileSync(join(folder, "rosbag2", "rosbag2_0.db3"), await rosBag2([sampleTopic("/sample", 5)]));
    },
  ],
];

async function figures(name: string): Promise<unknown> {
  const log = await openLog(join(folder, name), { ...reviewDeps, home: null });
  if (!log.ok) throw new Error(log.error);
  const { reader } = log.value;
  const found = {
    format: reader.format,
    completeness: reader.completeness,
    duration_s: Number(reader.duration_s.toFixed(6)),
    images: reader.image_topics,
    topics: Object.fromEntries(
      reader.topics.map(({ name: topic, count, fields }) => [
        topic,
        {
          count,
          fields: Object.fromEntries(
            fields.map(({ path, numeric, unit }): [string, unknown] => {
              const values = numeric ? reader.column(topic, path)?.values : null;
              return [path, values ? [...values.subarray(0, 3), unit] : "text"];
            }),
          ),
          first: JSON.parse(JSON.stringify([...reader.records(topic)][0]?.value ?? null)) as unknown,
        },
      ]),
    ),
  };
  reader.close();
  return JSON.parse(JSON.stringify(found)) as unknown;
}

for (const [name, make] of logs)
  test(`generated ${name} reads as it always did`, async () => {
    mkdirSync(folder, { recursive: true });
    const kept = join(folder, `${name}.json`);
    if (!readdirSync(folder).includes(name)) await make();
    const found = await figures(name);
    if (!existsSync(kept)) writeFileSync(kept, `${JSON.stringify(found)}\n`);
    expect(found).toEqual(JSON.parse(readFileSync(kept, "utf8")));
  });

test("every letter of a DataFlash format is read, scaled and given its unit", async () => {
  const found = (await figures("every-letter.bin")) as {
    topics: Record<
      string,
      { count: number; fields: Record<string, (number | string)[]>; first: { V: unknown } }
    >;
  };
  const letters = "bBhHiIfdgcCeELMqQnNZa";
  const expected: Readonly<Record<string, unknown>> = {
    b: -1,
    B: 1,
    h: -301,
    H: 40_001,
    i: -70_001,
    I: 3_000_000_001,
    f: 0.25,
    d: 0.25,
    g: 1.5,
    c: -1,
    C: 1,
    e: -1,
    E: 1,
    L: 1,
    M: 1,
    q: -(2 ** 40) - 1,
    Q: 2 ** 40 + 1,
    n: "name",
    N: "longer name",
    Z: "a text",
  };
  for (const [k, letter] of Array.from(letters).entries()) {
    const topic = found.topics[`L${k}`];
    expect([letter, topic?.count]).toEqual([letter, 3]);
    if (letter !== "a") expect([letter, topic?.first.V]).toEqual([letter, expected[letter]]);
    else expect([1, 32].map((n) => topic?.fields[`V[${n - 1}]`]?.[0])).toEqual([1, -30]);
  }
  expect(found.topics["INST"]?.count).toBe(3);
  expect(found.topics["INST[1]"]?.fields["V"]).toEqual([1, 3, 5, ""]);
  expect(found.topics["INST"]?.fields["Dist"]?.at(-1)).toBe("cm");
});
