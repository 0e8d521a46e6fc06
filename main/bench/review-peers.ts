import { createReadStream } from "node:fs";
import type { MavLinkPacketRegistry } from "mavlink-mappings";
import type { MavLinkPacket } from "node-mavlink";

/**
 * The independent readers that tests compare with and the benchmark measures against. Never part of the program: each
 * function reads a whole file the way its library's documentation shows, and hands out every message.
 */
export async function peerUlog(path: string, each: (topic: string, value: unknown) => void): Promise<number> {
  const { MessageType, ULog } = await import("@foxglove/ulog");
  const { FileReader } = await import("@foxglove/ulog/node.js");
  const file = new FileReader(path);
  const log = new ULog(file);
  await log.open();
  let count = 0;
  for await (const message of log.readMessages()) {
    if (message.type !== MessageType.Data) continue;
    count += 1;
    const subscription = log.subscriptions.get(message.msgId);
    const instance = subscription && subscription.multiId > 0 ? `[${subscription.multiId}]` : "";
    each(`${subscription?.name ?? "?"}${instance}`, message.value);
  }
  await file.close();
  return count;
}

export async function peerTlog(path: string, each: (id: number, message: unknown) => void): Promise<number> {
  const { MavLinkPacketParser, MavLinkTLogPacketSplitter } = await import("node-mavlink");
  const { ardupilotmega, common, minimal, standard } = await import("mavlink-mappings");
  const registry: MavLinkPacketRegistry = {
    ...minimal.REGISTRY,
    ...common.REGISTRY,
    ...standard.REGISTRY,
    ...ardupilotmega.REGISTRY,
  };
  const packets = createReadStream(path)
    .pipe(new MavLinkTLogPacketSplitter())
    .pipe(new MavLinkPacketParser()) as AsyncIterable<MavLinkPacket>;
  let count = 0;
  for await (const { header, payload, protocol } of packets) {
    const kind = registry[header.msgid];
    count += 1;
    each(header.msgid, kind ? protocol.data(payload, kind) : null);
  }
  return count;
}

export async function peerBag(
  path: string,
  each: (topic: string, message: unknown) => void,
): Promise<number> {
  const { Bag } = await import("@foxglove/rosbag");
  const { FileReader } = await import("@foxglove/rosbag/node.js");
  const { loadCodecs } = await import("../review/compression");
  const codecs = await loadCodecs();
  const file = new FileReader(path);
  const bag = new Bag(file, {
    decompress: { lz4: codecs.lz4, bz2: codecs.bz2 },
  });
  await bag.open();
  let count = 0;
  for await (const { topic, message } of bag.messageIterator({})) {
    count += 1;
    each(topic, message);
  }
  await file.close();
  return count;
}

export async function peerMcap(
  path: string,
  each: (topic: string, data: Uint8Array) => void,
): Promise<number> {
  const { McapIndexedReader } = await import("@mcap/core");
  const { open } = await import("node:fs/promises");
  const file = await open(path, "r");
  try {
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt((await file.stat()).size),
        read: async (offset, length) => {
          const bytes = new Uint8Array(Number(length));
          await file.read(bytes, 0, bytes.length, Number(offset));
          return bytes;
        },
      },
    });
    let count = 0;
    for await (const { channelId, data } of reader.readMessages()) {
      count += 1;
      each(reader.channelsById.get(channelId)?.topic ?? "?", data);
    }
    return count;
  } finally {
    await file.close();
  }
}
