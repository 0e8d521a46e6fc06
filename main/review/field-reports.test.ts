import { expect, test } from "vitest";
import {
  f32,
  foreignMcap,
  heartbeatLog,
  jsonChannel,
  lz4Stored,
  mavlinkFrame,
  rosBag,
  tlogRecord,
  u16,
  u64,
  ulog,
  ulogRecord,
  zstdStored,
} from "../../tests/support/log-builders";
import { reviewDeps } from "./deps";
import { readerFor } from "./open";
import type { LogReader } from "./reader";
import { type ByteSource, memorySource } from "./source";
import { Ulog } from "./ulog/open";

async function read(bytes: Uint8Array): Promise<LogReader> {
  const reader = await readerFor(memorySource(bytes), "test.log", reviewDeps);
  if (!reader.ok) throw new Error(reader.error);
  return reader.value;
}

const heights = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) =>
    ulog.data(7, u64(1e6 + n * 1e4), Buffer.from(Float32Array.of(n).buffer)),
  );
const ulogHead = [
  ulog.header(1e6),
  ulog.flags(),
  ulog.format("height:uint64_t timestamp;float z;"),
  ulog.subscribe(7, "height"),
];
const zs = (reader: LogReader): number[] => [...(reader.column("height", "z")?.values ?? [])];

test("field report PX4/flight-review-rs#24, PlotJuggler/PlotJuggler#1370: a truncated ULog shows its good part and says it is cut", async () => {
  const whole = Buffer.concat([...ulogHead, ...heights(100)]);
  const reader = await read(whole.subarray(0, whole.length - 5));
  expect(zs(reader)).toEqual(Array.from({ length: 99 }, (_, n) => n));
  expect(reader.completeness.state).toBe("truncated");
  expect(reader.completeness.notes[0]).toMatch(
    /^cut at byte \d+, in the middle of the record that began at byte \d+$/,
  );
});

test("field report PX4/pyulog#31: garbage in the middle is skipped, counted, and the rest goes on", async () => {
  const garbage = Buffer.from(Array.from({ length: 333 }, (_, i) => (i * 89 + 17) & 255));
  const reader = await read(Buffer.concat([...ulogHead, ...heights(50), garbage, ...heights(100).slice(50)]));
  expect(zs(reader)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(reader.completeness).toMatchObject({ state: "damaged" });
  expect(reader.completeness.notes[0]).toContain("(333 bytes skipped)");
});

test("field report PX4/pyulog#51: a record with a bad key costs itself only", async () => {
  const bad = ulogRecord("I", Uint8Array.of(200), Buffer.from("float x"));
  const reader = await read(Buffer.concat([...ulogHead, bad, ...heights(20)]));
  expect(zs(reader)).toHaveLength(20);
  expect(reader.completeness.state).toBe("damaged");
  expect(reader.completeness.notes[0]).toContain("hold a record that cannot be read");
});

test("field report PX4/pyulog#64: a record shorter than its format is left out and counted", async () => {
  const short = ulog.data(7, u64(2e6), Uint8Array.of(1, 2));
  const reader = await read(Buffer.concat([...ulogHead, ...heights(10), short, ...heights(20).slice(10)]));
  expect(zs(reader)).toHaveLength(20);
  expect(reader.completeness.notes).toContainEqual(
    expect.stringContaining("1 records are shorter or longer than their topic says"),
  );
});

test("field report mavlink/qgroundcontrol#7474: a tlog with a damaged tail keeps everything before and after the damage", async () => {
  const records = heartbeatLog(100);
  const damaged = Buffer.concat([
    ...records.slice(0, 60),
    Buffer.alloc(700, 0),
    ...records.slice(60),
    Buffer.from([1, 2, 3]),
  ]);
  const reader = await read(damaged);
  expect(reader.column("HEARTBEAT", "custom_mode")?.values).toEqual(
    Float64Array.from({ length: 100 }, (_, n) => n),
  );
  expect(reader.completeness.state).toBe("damaged");
  expect(reader.completeness.notes).toContainEqual(expect.stringContaining("(700 bytes skipped)"));
  expect(reader.completeness.notes[0]).toMatch(/^cut at byte/);
});

test("field report mavlink/qgroundcontrol#7709: hours of silence in a tlog stay part of it", async () => {
  const before = heartbeatLog(100);
  const after = heartbeatLog(3, 1.78e15 + 6 * 3600e6);
  const reader = await read(Buffer.concat([...before, ...after]));
  expect(reader.duration_s).toBeCloseTo(6 * 3600 + 2, 3);
  expect(reader.column("HEARTBEAT", "custom_mode")?.t_s).toHaveLength(103);
});

test("a tlog stamp that jumps to 2096 and back does not make the recording 70 years long", async () => {
  const records = heartbeatLog(100);
  records[40] = tlogRecord(4e15, mavlinkFrame(0, 50, Uint8Array.of(1, 0, 0, 0, 2, 12, 81, 4, 3)));
  const reader = await read(Buffer.concat(records));
  expect(reader.duration_s).toBeCloseTo(99, 3);
  expect(reader.completeness.notes.join()).toContain("1 message carries a time that cannot be right");
});

test("field report realsenseai/librealsense#13944: an unindexed .bag is read, and said to be unindexed", async () => {
  const chunks = [0, 1, 2].map((k) => ({ times_s: [0, 1, 2, 3].map((i) => 1000 + k * 4 + i) }));
  const reader = await read(rosBag(chunks, false));
  expect(reader.column("/value", "data")?.values).toEqual(Float64Array.from({ length: 12 }, (_, n) => n));
  expect(reader.completeness.state).toBe("truncated");
  expect(reader.completeness.notes.join()).toContain("never closed and has no index");
  const closed = await read(rosBag(chunks, true));
  expect(closed.completeness).toEqual({ state: "complete", notes: [] });
  expect(closed.column("/value", "data")?.values).toHaveLength(12);
});

test("field report realsenseai/librealsense#3360: a first timestamp of 1970 does not make the recording decades long", async () => {
  const times_s = [0, ...Array.from({ length: 50 }, (_, n) => 1.6e9 + n * 0.1)];
  const reader = await read(rosBag([{ times_s, compression: "lz4", pack: lz4Stored }], true));
  expect(reader.duration_s).toBeCloseTo(4.9, 3);
  expect(reader.column("/value", "data")?.t_s).toHaveLength(50);
  expect(reader.completeness.notes.join()).toContain("1 message carries a time that cannot be right");
});

test("field report foxglove/mcap#697: an MCAP file without a footer opens with everything written so far", async () => {
  const whole = await foreignMcap([jsonChannel("/value", 200)], { chunkSize: 2000 });
  for (const share of [0.3, 0.6, 0.9]) {
    const reader = await read(whole.subarray(0, Math.floor(whole.length * share)));
    expect(reader.completeness.state).toBe("truncated");
    const values = [...(reader.column("/value", "value")?.values ?? [])];
    expect(values).toEqual(Array.from({ length: values.length }, (_, n) => n));
    expect(values.length).toBeGreaterThan(200 * share * 0.7);
  }
});

test("field report foxglove/mcap#1390: one bad chunk costs its own bad records, not the file", async () => {
  const packed = await foreignMcap([jsonChannel("/value", 200)], {
    chunkSize: 2000,
    compressChunk: (bytes) => ({ compression: "zstd", compressedData: zstdStored(bytes) }),
  });
  const good = await read(packed);
  expect(good.completeness).toEqual({ state: "complete", notes: [] });
  expect(good.column("/value", "value")?.values).toHaveLength(200);
  // A broken Zstandard magic: this chunk cannot be unpacked at all.
  const at = packed.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 6000);
  const damaged = Buffer.from(packed);
  damaged[at] = 0;
  const reader = await read(damaged);
  const values = [...(reader.column("/value", "value")?.values ?? [])];
  expect(values.length).toBeGreaterThan(160);
  expect(values.length).toBeLessThan(200);
  expect(reader.completeness.state).toBe("damaged");
  expect(reader.completeness.notes[0]).toContain("chunk cannot be unpacked");
});

/** A log of `records` repeated heights that exists only as arithmetic: any part of it is made when it is read. */
function endlessLog(records: number): ByteSource {
  const head = Buffer.concat(ulogHead);
  const record = 3 + 2 + 12;
  const size = head.length + records * record;
  const one = Buffer.from(heights(1)[0] as Buffer);
  return {
    size,
    close: () => {},
    readInto: (into, offset) => {
      const length = Math.max(0, Math.min(into.length, size - offset));
      const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
      let done = 0;
      while (done < length) {
        const at = offset + done;
        if (at < head.length) {
          into[done] = head[at] as number;
          done += 1;
          continue;
        }
        const n = Math.floor((at - head.length) / record);
        const within = (at - head.length) % record;
        if (within === 0 && length - done >= record) {
          into.set(one, done);
          const t_us = 1e6 + n * 100;
          view.setUint32(done + 5, t_us % 4294967296, true);
          view.setUint32(done + 9, Math.floor(t_us / 4294967296), true);
          view.setFloat32(done + 13, n === 3_345_678 ? 999 : n % 100, true);
          done += record;
          continue;
        }
        const whole = Buffer.from(
          ulog.data(7, u64(1e6 + n * 100), Buffer.from(Float32Array.of(n % 100).buffer)),
        );
        into[done] = whole[within] as number;
        done += 1;
      }
      return length;
    },
  };
}

test("field report lichtblick-suite/lichtblick#514, PlotJuggler/PlotJuggler#1116: a log far larger than its window is plotted true to its extremes", () => {
  // 76 MB of records pass through a window of 4 MB: what stays is the index, four bytes a record.
  const log = new Ulog(endlessLog(4_500_000));
  expect(log.topics[0]?.count).toBe(4_500_000);
  expect(log.completeness.state).toBe("complete");
  expect(log.duration_s).toBeCloseTo(450, 3);
  const column = log.column("height", "z");
  let highest = 0;
  for (const value of column?.values ?? []) if (value > highest) highest = value;
  expect(highest).toBe(999);
}, 60_000);

/** A log of 2 GB that exists only as arithmetic: large records, mostly padding, one of them with a spike. */
function twoGigabytes(records: number, spike: number): ByteSource {
  const head = Buffer.concat([
    ulog.header(1e6),
    ulog.flags(),
    ulog.format("height:uint64_t timestamp;float z;char[32000] pad;"),
    ulog.subscribe(7, "height"),
  ]);
  const record = 3 + 2 + 12 + 32_000;
  const size = head.length + records * record;
  return {
    size,
    close: () => {},
    readInto: (into, offset) => {
      const length = Math.max(0, Math.min(into.length, size - offset));
      into.fill(0, 0, length);
      const put = (bytes: Uint8Array, at: number): void => {
        for (let i = 0; i < bytes.length; i++)
          if (at + i >= offset && at + i < offset + length) into[at + i - offset] = bytes[i] as number;
      };
      put(head, 0);
      const first = Math.max(0, Math.floor((offset - head.length) / record));
      for (let n = first; n < records && head.length + n * record < offset + length; n++) {
        const body = [u16(7), u64(1e6 + n * 1000), f32(n === spike ? 999 : n % 100)];
        put(Buffer.concat([u16(record - 3), Buffer.from("D"), ...body]), head.length + n * record);
      }
      return length;
    },
  };
}

test("field report lichtblick-suite/lichtblick#514, PlotJuggler/PlotJuggler#1116: 2 GB are opened and plotted in a few megabytes", () => {
  const before = process.memoryUsage().arrayBuffers;
  const log = new Ulog(twoGigabytes(62_500, 41_234));
  expect(log.topics[0]?.count).toBe(62_500);
  const column = log.column("height", "z");
  expect(column?.values[41_234]).toBe(999);
  expect(column?.t_s.at(-1)).toBeCloseTo(62.499, 6);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
}, 60_000);
