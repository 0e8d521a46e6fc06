import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { McapWriter } from "@mcap/core";

/** Logs for the benchmark, generated so that every run and machine reads the same bytes. */

interface UlogTopicSpec {
  readonly name: string;
  readonly format: string;
  readonly floats: number;
  /** One record every so many steps of 1 ms. */
  readonly every: number;
}

/** Sizes and rates of PX4's busiest topics. */
const TOPICS: readonly UlogTopicSpec[] = [
  { name: "sensor_gyro_fifo", format: "uint64_t timestamp;float[24] x;", floats: 24, every: 2 },
  { name: "vehicle_angular_velocity", format: "uint64_t timestamp;float[7] xyz;", floats: 7, every: 1 },
  { name: "sensor_combined", format: "uint64_t timestamp;float[10] values;", floats: 10, every: 2 },
  { name: "vehicle_attitude", format: "uint64_t timestamp;float[4] q;", floats: 4, every: 4 },
  {
    name: "vehicle_local_position",
    format: "uint64_t timestamp;float x;float y;float z;float[21] rest;",
    floats: 24,
    every: 8,
  },
  { name: "actuator_motors", format: "uint64_t timestamp;float[12] control;", floats: 12, every: 1 },
];

const record = (type: string, body: Uint8Array): Buffer => {
  const head = Buffer.alloc(3);
  head.writeUInt16LE(body.length);
  head.write(type, 2, "latin1");
  return Buffer.concat([head, body]);
};

/** Writes an ULog of at least `bytes`; one spike of 77 in vehicle_local_position.z lies in its middle. */
export async function writeUlog(path: string, bytes: number): Promise<{ spike_at_s: number }> {
  const out = createWriteStream(path, { highWaterMark: 8 * 1024 * 1024 });
  const header = Buffer.alloc(16);
  header.set([0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 1]);
  header.writeBigUInt64LE(1_000_000n, 8);
  out.write(header);
  out.write(record("B", Buffer.alloc(40)));
  for (const { name, format } of TOPICS) out.write(record("F", Buffer.from(`${name}:${format}`)));
  for (const [id, { name }] of TOPICS.entries())
    out.write(record("A", Buffer.concat([Uint8Array.of(0, id, 0), Buffer.from(name)])));
  let written = 0;
  let spike_at_s = 0;
  const block = Buffer.alloc(1024 * 1024);
  let used = 0;
  for (let step = 0; written < bytes; step++) {
    const t_us = 1_000_000 + step * 1000;
    for (const [id, topic] of TOPICS.entries()) {
      if (step % topic.every !== 0) continue;
      const size = 3 + 2 + 8 + topic.floats * 4;
      if (used + size > block.length) {
        if (!out.write(Buffer.from(block.subarray(0, used)))) await once(out, "drain");
        written += used;
        used = 0;
      }
      block.writeUInt16LE(size - 3, used);
      block[used + 2] = 0x44;
      block.writeUInt16LE(id, used + 3);
      block.writeUInt32LE(t_us % 4294967296, used + 5);
      block.writeUInt32LE(Math.floor(t_us / 4294967296), used + 9);
      const spike = spike_at_s === 0 && topic.name === "vehicle_local_position" && written >= bytes / 2;
      if (spike) spike_at_s = (step * 1000) / 1e6;
      for (let f = 0; f < topic.floats; f++)
        block.writeFloatLE(spike && f === 2 ? 77 : Math.sin(step / 500 + f), used + 13 + f * 4);
      used += size;
    }
  }
  out.end(Buffer.from(block.subarray(0, used)));
  await once(out, "close");
  return { spike_at_s };
}

const PARAM_VALUE = 22;

/** Repeats a telemetry log, each copy behind the one before in time; parameters are downloaded once, as in a flight. */
export function repeatTlog(bytes: Uint8Array, times: number, length_us: number): Buffer {
  const parts: Buffer[] = [];
  for (let copy = 0; copy < times; copy++) {
    const part = Buffer.from(bytes);
    for (let at = 0; at + 20 < part.length; ) {
      part.writeBigUInt64BE(part.readBigUInt64BE(at) + BigInt(copy * length_us), at);
      const signature = (part[at + 10] as number) & 1 ? 13 : 0;
      const next = at + 8 + 12 + (part[at + 9] as number) + signature;
      if (copy === 0 || part.readUIntLE(at + 15, 3) !== PARAM_VALUE) parts.push(part.subarray(at, next));
      at = next;
    }
  }
  return Buffer.concat(parts);
}

/** An MCAP file of JSON messages as a station writes them. */
export async function writeMcap(path: string, messages: number): Promise<void> {
  const out = createWriteStream(path);
  let position = 0n;
  const writer = new McapWriter({
    chunkSize: 512 * 1024,
    writable: {
      position: () => position,
      write: async (bytes) => {
        position += BigInt(bytes.length);
        if (!out.write(Uint8Array.from(bytes))) await once(out, "drain");
      },
    },
  });
  await writer.start({ profile: "", library: "bench" });
  const schemaId = await writer.registerSchema({
    name: "State",
    encoding: "jsonschema",
    data: Buffer.from("{}"),
  });
  const channelId = await writer.registerChannel({
    schemaId,
    topic: "/state",
    messageEncoding: "json",
    metadata: new Map(),
  });
  for (let n = 0; n < messages; n++) {
    const logTime = 1_780_000_000_000_000_000n + BigInt(n) * 10_000_000n;
    const state = {
      seq: n,
      mode: "offboard",
      position_enu_m: [Math.sin(n / 50), Math.cos(n / 50), 1.5],
      quat_flu_enu: [1, 0, 0, n / messages],
      battery: { voltage_v: 16.1, remaining: 1 - n / messages },
      checks: ["link_fresh", "battery", "geofence"],
    };
    await writer.addMessage({
      channelId,
      sequence: n,
      logTime,
      publishTime: logTime,
      data: Buffer.from(JSON.stringify(state)),
    });
  }
  await writer.end();
  out.end();
  await once(out, "close");
}

const bagField = (name: string, value: Uint8Array): Buffer => {
  const head = Buffer.alloc(4);
  const key = Buffer.from(`${name}=`);
  head.writeUInt32LE(key.length + value.length);
  return Buffer.concat([head, key, value]);
};
const u32 = (value: number): Buffer => {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
};
const bagRecord = (fields: readonly (readonly [string, Uint8Array])[], data: Uint8Array): Buffer => {
  const header = Buffer.concat(fields.map(([name, value]) => bagField(name, value)));
  return Buffer.concat([u32(header.length), header, u32(data.length), data]);
};
const DEFINITION =
  "Header header\ngeometry_msgs/Vector3 gyro\ngeometry_msgs/Vector3 accel\n" +
  `${"=".repeat(80)}\nMSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id\n` +
  `${"=".repeat(80)}\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n`;

/** A closed ROS 1 bag of inertial messages in uncompressed chunks of 2,000. */
export function makeBag(messages: number): Buffer {
  const time = (n: number): Buffer =>
    Buffer.concat([u32(1_700_000_000 + Math.floor(n / 1000)), u32((n % 1000) * 1e6)]);
  const op = (code: number): readonly [string, Uint8Array] => ["op", Uint8Array.of(code)];
  const connection = bagRecord(
    [["conn", u32(0)], op(7), ["topic", Buffer.from("/imu")]],
    Buffer.concat([
      bagField("topic", Buffer.from("/imu")),
      bagField("type", Buffer.from("bench/Imu")),
      bagField("md5sum", Buffer.from("0".repeat(32))),
      bagField("message_definition", Buffer.from(DEFINITION)),
    ]),
  );
  const parts: Buffer[] = [];
  const infos: Buffer[] = [];
  let position = 13 + 4096;
  for (let from = 0; from < messages; from += 2000) {
    const to = Math.min(messages, from + 2000);
    const records: Buffer[] = [connection];
    const index: Buffer[] = [];
    let offset = connection.length;
    for (let n = from; n < to; n++) {
      const body = Buffer.alloc(4 + 8 + 4 + 3 + 48);
      body.writeUInt32LE(n, 0);
      body.set(time(n), 4);
      body.writeUInt32LE(3, 12);
      body.write("imu", 16, "latin1");
      for (let k = 0; k < 6; k++) body.writeDoubleLE(Math.sin(n / 100 + k), 19 + k * 8);
      const message = bagRecord([["conn", u32(0)], op(2), ["time", time(n)]], body);
      index.push(time(n), u32(offset));
      offset += message.length;
      records.push(message);
    }
    const raw = Buffer.concat(records);
    const chunk = bagRecord([["compression", Buffer.from("none")], op(5), ["size", u32(raw.length)]], raw);
    const indexRecord = bagRecord(
      [["conn", u32(0)], ["count", u32(to - from)], op(4), ["ver", u32(1)]],
      Buffer.concat(index),
    );
    const chunk_pos = Buffer.alloc(8);
    chunk_pos.writeBigUInt64LE(BigInt(position));
    infos.push(
      bagRecord(
        [
          ["chunk_pos", chunk_pos],
          ["count", u32(1)],
          ["end_time", time(to - 1)],
          op(6),
          ["start_time", time(from)],
          ["ver", u32(1)],
        ],
        Buffer.concat([u32(0), u32(to - from)]),
      ),
    );
    parts.push(chunk, indexRecord);
    position += chunk.length + indexRecord.length;
  }
  const index_pos = Buffer.alloc(8);
  index_pos.writeBigUInt64LE(BigInt(position));
  const head: (readonly [string, Uint8Array])[] = [
    ["chunk_count", u32(infos.length)],
    ["conn_count", u32(1)],
    ["index_pos", index_pos],
    op(3),
  ];
  const bare = bagRecord(head, new Uint8Array(0)).length;
  return Buffer.concat([
    Buffer.from("#ROSBAG V2.0\n"),
    bagRecord(head, Buffer.alloc(4096 - bare, 0x20)),
    ...parts,
    connection,
    ...infos,
  ]);
}
