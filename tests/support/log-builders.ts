import { type IWritable, McapWriter, type McapWriterOptions } from "@mcap/core";
import { frameChecksum } from "../../main/review/tlog/dialect";

/** Bytes of little-endian numbers, for building logs by hand. */
export const u16 = (value: number): Buffer => {
  const out = Buffer.alloc(2);
  out.writeUInt16LE(value);
  return out;
};
export const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value >>> 0);
  return out;
};
export const u64 = (value: number): Buffer => {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(Math.round(value)));
  return out;
};
export const f32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeFloatLE(value);
  return out;
};

/** An ULog record: size, type letter, body. */
export const ulogRecord = (type: string, ...body: Uint8Array[]): Buffer => {
  const joined = Buffer.concat(body);
  return Buffer.concat([u16(joined.length), Buffer.from(type), joined]);
};
const keyed = (key: string, value: Uint8Array): Buffer =>
  Buffer.concat([Uint8Array.of(key.length), Buffer.from(key), value]);

export const ulog = {
  header: (start_us: number): Buffer =>
    Buffer.concat([Uint8Array.of(0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 1), u64(start_us)]),
  flags: (appended: readonly number[] = []): Buffer =>
    ulogRecord(
      "B",
      Buffer.alloc(8),
      Uint8Array.of(appended.length > 0 ? 1 : 0, 0, 0, 0, 0, 0, 0, 0),
      ...[0, 1, 2].map((i) => u64(appended[i] ?? 0)),
    ),
  format: (text: string): Buffer => ulogRecord("F", Buffer.from(text)),
  subscribe: (id: number, name: string, instance = 0): Buffer =>
    ulogRecord("A", Uint8Array.of(instance), u16(id), Buffer.from(name)),
  data: (id: number, ...body: Uint8Array[]): Buffer => ulogRecord("D", u16(id), ...body),
  text: (level: number, t_us: number, text: string): Buffer =>
    ulogRecord("L", Uint8Array.of(48 + level), u64(t_us), Buffer.from(text)),
  tagged: (level: number, tag: number, t_us: number, text: string): Buffer =>
    ulogRecord("C", Uint8Array.of(48 + level), u16(tag), u64(t_us), Buffer.from(text)),
  parameter: (name: string, value: number): Buffer => ulogRecord("P", keyed(`float ${name}`, f32(value))),
  info: (key: string, value: Uint8Array): Buffer => ulogRecord("I", keyed(key, value)),
  dropout: (ms: number): Buffer => ulogRecord("O", u16(ms)),
};

/** A small whole ULog: `count` records of topic `height` (timestamp, z = 0, 1, 2, …), 10 ms apart. */
export const heightLog = (count: number): Buffer =>
  Buffer.concat([
    ulog.header(1e6),
    ulog.flags(),
    ulog.format("height:uint64_t timestamp;float z;"),
    ulog.parameter("MPC_XY_VEL_MAX", 2),
    ulog.subscribe(7, "height"),
    ...Array.from({ length: count }, (_, n) => ulog.data(7, u64(1e6 + n * 1e4), f32(n))),
  ]);

const padded = (text: string, length: number): Buffer => {
  const out = Buffer.alloc(length);
  out.write(text, "latin1");
  return out;
};
const dataflashRecord = (type: number, ...body: Uint8Array[]): Buffer =>
  Buffer.concat([Uint8Array.of(0xa3, 0x95, type), ...body]);
const dataflashFormat = (
  type: number,
  length: number,
  name: string,
  letters: string,
  labels: string,
): Buffer =>
  dataflashRecord(128, Uint8Array.of(type, length), padded(name, 4), padded(letters, 16), padded(labels, 64));

/** A small whole DataFlash log: `count` records of HGT (TimeUS, Z = 0, 1, 2, …) and a text. */
export const dataflashLog = (count: number): Buffer =>
  Buffer.concat([
    dataflashFormat(128, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns"),
    dataflashFormat(10, 15, "HGT", "Qf", "TimeUS,Z"),
    dataflashFormat(11, 75, "MSG", "QZ", "TimeUS,Message"),
    dataflashRecord(11, u64(1e6), padded("ArduCopter V4.7.0", 64)),
    ...Array.from({ length: count }, (_, n) => dataflashRecord(10, u64(1e6 + n * 1e4), f32(n))),
  ]);

/** A MAVLink 2 frame of any payload. */
export function mavlinkFrame(id: number, crc_extra: number, payload: Uint8Array, seq = 0): Buffer {
  let length = payload.length;
  while (length > 1 && payload[length - 1] === 0) length -= 1;
  const frame = Buffer.alloc(10 + length + 2);
  frame.set([0xfd, length, 0, 0, seq & 255, 1, 1, id & 255, (id >> 8) & 255, id >> 16]);
  frame.set(payload.subarray(0, length), 10);
  frame.writeUInt16LE(frameChecksum(frame, 1, 10 + length, crc_extra), 10 + length);
  return frame;
}

export function tlogRecord(utc_us: number, frame: Uint8Array): Buffer {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(Math.round(utc_us)));
  return Buffer.concat([stamp, frame]);
}

/** A telemetry log of HEARTBEAT frames, one a second. */
export function heartbeatLog(count: number, start_us = 1.78e15): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const payload = Buffer.concat([u32(n), Uint8Array.of(2, 12, 81, 4, 3)]);
    return tlogRecord(start_us + n * 1e6, mavlinkFrame(0, 50, payload, n));
  });
}

const bagField = (name: string, value: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(`${name}=`), value]);
  return Buffer.concat([u32(body.length), body]);
};
const bagRecord = (fields: Record<string, Uint8Array>, data: Uint8Array): Buffer => {
  const header = Buffer.concat(Object.entries(fields).map(([name, value]) => bagField(name, value)));
  return Buffer.concat([u32(header.length), header, u32(data.length), data]);
};
const bagTime = (t_s: number): Buffer =>
  Buffer.concat([u32(Math.floor(t_s)), u32(Math.round((t_s % 1) * 1e9))]);

export interface BagChunkSpec {
  readonly times_s: readonly number[];
  readonly compression?: string;
  readonly pack?: (bytes: Uint8Array) => Uint8Array;
}

/** A bag of std_msgs/Float64 on /value; each message holds its number. `indexed` as a recorder that closed writes it. */
export function rosBag(chunks: readonly BagChunkSpec[], indexed: boolean): Buffer {
  const connection = bagRecord(
    { conn: u32(0), op: Uint8Array.of(7), topic: Buffer.from("/value") },
    Buffer.concat([
      bagField("topic", Buffer.from("/value")),
      bagField("type", Buffer.from("std_msgs/Float64")),
      bagField("md5sum", Buffer.from("fdb28210bfa9d7c91146260178d9a584")),
      bagField("message_definition", Buffer.from("float64 data\n")),
    ]),
  );
  const magic = Buffer.from("#ROSBAG V2.0\n");
  const parts: Buffer[] = [];
  const positions: number[] = [];
  let n = 0;
  let position = magic.length + 4096;
  for (const { times_s, compression = "none", pack = (bytes: Uint8Array) => bytes } of chunks) {
    const records: Buffer[] = [connection];
    let offset = connection.length;
    const index: Buffer[] = [];
    for (const t_s of times_s) {
      const value = Buffer.alloc(8);
      value.writeDoubleLE(n++);
      const record = bagRecord({ conn: u32(0), op: Uint8Array.of(2), time: bagTime(t_s) }, value);
      index.push(bagTime(t_s), u32(offset));
      records.push(record);
      offset += record.length;
    }
    const raw = Buffer.concat(records);
    const chunk = bagRecord(
      { compression: Buffer.from(compression), op: Uint8Array.of(5), size: u32(raw.length) },
      pack(raw),
    );
    positions.push(position);
    parts.push(chunk);
    position += chunk.length;
    if (!indexed) continue;
    const record = bagRecord(
      { conn: u32(0), count: u32(times_s.length), op: Uint8Array.of(4), ver: u32(1) },
      Buffer.concat(index),
    );
    parts.push(record);
    position += record.length;
  }
  const indexPos = position;
  if (indexed) {
    parts.push(connection);
    chunks.forEach(({ times_s }, i) =>
      parts.push(
        bagRecord(
          {
            chunk_pos: u64(positions[i] ?? 0),
            count: u32(1),
            end_time: bagTime(Math.max(...times_s)),
            op: Uint8Array.of(6),
            start_time: bagTime(Math.min(...times_s)),
            ver: u32(1),
          },
          Buffer.concat([u32(0), u32(times_s.length)]),
        ),
      ),
    );
  }
  const head = {
    chunk_count: u32(indexed ? chunks.length : 0),
    conn_count: u32(indexed ? 1 : 0),
    index_pos: u64(indexed ? indexPos : 0),
    op: Uint8Array.of(3),
  };
  const bare = bagRecord(head, new Uint8Array(0)).length;
  return Buffer.concat([magic, bagRecord(head, Buffer.alloc(4096 - bare, 0x20)), ...parts]);
}

/** An LZ4 frame of stored blocks: valid input for any decoder, made without an encoder. */
export function lz4Stored(bytes: Uint8Array): Buffer {
  const parts: Buffer[] = [Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73])];
  for (let at = 0; at < bytes.length; at += 4_000_000) {
    const block = bytes.subarray(at, at + 4_000_000);
    parts.push(u32((block.length | 0x80000000) >>> 0), Buffer.from(block));
  }
  return Buffer.concat([...parts, u32(0)]);
}

/** A Zstandard frame of raw blocks (RFC 8878, section 3.1.1), content size stated in four bytes. */
export function zstdStored(bytes: Uint8Array): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), u32(bytes.length)];
  for (let at = 0; at < bytes.length; at += 100_000) {
    const block = bytes.subarray(at, at + 100_000);
    const last = at + 100_000 >= bytes.length ? 1 : 0;
    parts.push(u32((block.length << 3) | last).subarray(0, 3), Buffer.from(block));
  }
  return Buffer.concat(parts);
}

class MemoryFile implements IWritable {
  readonly parts: Uint8Array[] = [];
  #size = 0n;
  position(): bigint {
    return this.#size;
  }
  write(buffer: Uint8Array): Promise<void> {
    this.parts.push(Uint8Array.from(buffer));
    this.#size += BigInt(buffer.length);
    return Promise.resolve();
  }
}

export interface McapChannelSpec {
  readonly topic: string;
  readonly encoding: string;
  readonly schemaName: string;
  readonly schemaEncoding: string;
  readonly schema: Uint8Array;
  readonly messages: readonly { readonly t_s: number; readonly data: Uint8Array }[];
}

/** A foreign MCAP file, made by @mcap/core's own writer. */
export async function foreignMcap(
  channels: readonly McapChannelSpec[],
  options: Omit<McapWriterOptions, "writable"> = {},
): Promise<Buffer> {
  const file = new MemoryFile();
  const writer = new McapWriter({ ...options, writable: file });
  await writer.start({ profile: "", library: "test" });
  const all: { id: number; t_s: number; data: Uint8Array }[] = [];
  for (const c of channels) {
    const schemaId = await writer.registerSchema({
      name: c.schemaName,
      encoding: c.schemaEncoding,
      data: c.schema,
    });
    const id = await writer.registerChannel({
      schemaId,
      topic: c.topic,
      messageEncoding: c.encoding,
      metadata: new Map(),
    });
    for (const m of c.messages) all.push({ id, ...m });
  }
  all.sort((a, b) => a.t_s - b.t_s);
  for (const [sequence, { id, t_s, data }] of all.entries()) {
    const logTime = BigInt(Math.round(t_s * 1e6)) * 1000n;
    await writer.addMessage({ channelId: id, sequence, logTime, publishTime: logTime, data });
  }
  await writer.end();
  return Buffer.concat(file.parts);
}

/** Messages `{"value": n}` every 100 ms from `start_s`. */
export const jsonChannel = (topic: string, count: number, start_s = 1.78e9): McapChannelSpec => ({
  topic,
  encoding: "json",
  schemaName: "Value",
  schemaEncoding: "jsonschema",
  schema: Buffer.from('{"type":"object"}'),
  messages: Array.from({ length: count }, (_, n) => ({
    t_s: start_s + n * 0.1,
    data: Buffer.from(JSON.stringify({ value: n, pad: "x".repeat(40) })),
  })),
});

/** Numbers of every letter a DataFlash format can have (https://ardupilot.org/dev/docs/code-overview-adding-a-new-log-message.html). */
const letterBytes: Readonly<Record<string, (n: number) => Buffer>> = {
  b: (n) => Buffer.from(Int8Array.of(-n).buffer),
  B: (n) => Buffer.from([n]),
  h: (n) => Buffer.from(Int16Array.of(-300 - n).buffer),
  H: (n) => u16(40_000 + n),
  i: (n) => Buffer.from(Int32Array.of(-70_000 - n).buffer),
  I: (n) => u32(3e9 + n),
  f: (n) => f32(n / 4),
  d: (n) => Buffer.from(Float64Array.of(n / 4).buffer),
  g: () => u16(0x3e00),
  c: (n) => Buffer.from(Int16Array.of(-100 * n).buffer),
  C: (n) => u16(100 * n),
  e: (n) => Buffer.from(Int32Array.of(-100 * n).buffer),
  E: (n) => u32(100 * n),
  L: (n) => Buffer.from(Int32Array.of(n * 1e7).buffer),
  M: (n) => Buffer.from([n]),
  q: (n) => Buffer.from(BigInt64Array.of(-BigInt(n) - 2n ** 40n).buffer),
  Q: (n) => u64(2 ** 40 + n),
  n: () => padded("name", 4),
  N: () => padded("longer name", 16),
  Z: () => padded("a text", 64),
  a: (n) => Buffer.concat(Array.from({ length: 32 }, (_, k) => Buffer.from(Int16Array.of(n - k).buffer))),
};

/** A DataFlash log of one message a letter, three records each, with units, multipliers and an instance. */
export function everyLetterLog(): Buffer {
  const parts = [
    dataflashFormat(128, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns"),
    dataflashFormat(129, 76, "UNIT", "QbZ", "TimeUS,Id,Label"),
    dataflashFormat(130, 20, "MULT", "Qbd", "TimeUS,Id,Mult"),
    dataflashFormat(131, 44, "FMTU", "QBNN", "TimeUS,FmtType,UnitIds,MultIds"),
    dataflashRecord(129, u64(0), Buffer.from("s"), padded("s", 64)),
    dataflashRecord(129, u64(0), Buffer.from("#"), padded("instance", 64)),
    dataflashRecord(129, u64(0), Buffer.from("m"), padded("m", 64)),
    dataflashRecord(130, u64(0), Buffer.from("F"), Buffer.from(Float64Array.of(1e-6).buffer)),
    dataflashRecord(130, u64(0), Buffer.from("B"), Buffer.from(Float64Array.of(1e-2).buffer)),
    dataflashFormat(60, 17, "INST", "QBBf", "TimeUS,I,Dist,V"),
    dataflashRecord(131, u64(0), Buffer.from([60]), padded("s#m-", 16), padded("F-B-", 16)),
  ];
  for (const [k, [letter, bytes]] of Object.entries(letterBytes).entries()) {
    const length = 3 + 8 + bytes(1).length;
    parts.push(dataflashFormat(10 + k, length, `L${k}`, `Q${letter}`, "TimeUS,V"));
    for (let n = 1; n <= 3; n++) parts.push(dataflashRecord(10 + k, u64(1e6 + n * 1e5 + k), bytes(n)));
  }
  for (let n = 0; n < 6; n++)
    parts.push(dataflashRecord(60, u64(1e6 + n * 1e5), Buffer.from([n % 2, 7]), f32(n)));
  return Buffer.concat(parts);
}
