import type { Codecs } from "../compression";
import type { Decode } from "../decode";
import { ros1Decoder } from "../decoders";
import { isImageType } from "../images";
import { forgetful, type Remember } from "../index-cache/remember";
import { ChunkCache } from "../message-index";
import { MessageLog, type MessageTopic } from "../message-log";
import { completeness } from "../reader";
import { ros1Numbers } from "../ros1-columns";
import { type ByteSource, readBytes } from "../source";
import { wildNote } from "../time-frame";
import { unpackBagChunk } from "./chunk";
import { alignedTopics } from "./realsense";
import { type BagContent, BagScan } from "./scan";

/** A ROS 1 bag, RealSense's own recordings included. */
export function openBag(source: ByteSource, codecs: Codecs, remember: Remember = forgetful): MessageLog {
  const content = remember("rosbag", () => new BagScan(source, codecs).run());
  const cache = new ChunkCache((chunk) => {
    const head = content.chunks[chunk];
    if (!head) return null;
    try {
      return unpackBagChunk(source, codecs, head);
    } catch {
      return null;
    }
  });
  const remarks = [...content.remarks];
  const payload = (chunk: number, offset: number): Uint8Array | null => {
    const records = chunk > 0 ? cache.get(chunk) : readBytes(source, offset, 64 * 1024 * 1024);
    return records && messageData(records, chunk > 0 ? offset : 0);
  };
  const recorded = topicsOf(content, remarks);
  const topics = [...recorded, ...alignedTopics(recorded, payload, source.size, remarks)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const frame = content.scout.frame();
  if (frame.wild > 0) remarks.push(wildNote(frame.wild));
  const realsense = topics.some(({ name }) => name.startsWith("/device_0/"));
  return new MessageLog({
    kind: "rosbag",
    format: realsense ? "RealSense recording (ROS 1 bag)" : "ROS 1 bag",
    completeness: completeness(content.messages === 0, content.truncated, content.damage.notes, remarks),
    frame,
    topics,
    meta: {},
    start_utc_ms: frame.from_s > 3e8 ? frame.from_s * 1000 : null,
    payload,
    close: () => {
      source.close();
    },
  });
}

/** The data of the message record at `offset`; its header was looked at when the index was made. */
function messageData(records: Uint8Array, offset: number): Uint8Array | null {
  if (offset + 8 > records.length) return null;
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const header = offset + 4 + view.getUint32(offset, true);
  if (header + 4 > records.length) return null;
  const end = header + 4 + view.getUint32(header, true);
  return end <= records.length ? records.subarray(header + 4, end) : null;
}

/** Connections of one topic are joined: every publisher has its own. */
function topicsOf(content: BagContent, remarks: string[]): MessageTopic[] {
  const topics = new Map<string, MessageTopic>();
  let unknown = 0;
  for (const [id, index] of content.indexes) {
    const connection = content.connections.get(id);
    if (!connection) {
      unknown += index.length;
      continue;
    }
    const { topic, type } = connection;
    const same = topics.get(topic);
    if (same?.type === type) {
      for (let i = 0; i < index.length; i++) same.index.add(index.chunk(i), index.offset(i), index.time_s(i));
      continue;
    }
    const name = same ? `${topic} (${type})` : topic;
    const decode = decoderOf(connection, remarks);
    const numbers = decode && ros1Numbers(connection.definition);
    topics.set(name, { name, type, index, decode, image: isImageType(type), ...(numbers && { numbers }) });
  }
  if (unknown > 0) remarks.push(`${unknown} messages belong to connections whose description is lost`);
  return [...topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function decoderOf(connection: { topic: string; definition: string }, remarks: string[]): Decode | null {
  try {
    return ros1Decoder(connection.definition);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    remarks.push(`${connection.topic} cannot be decoded: its definition cannot be read (${why})`);
    return null;
  }
}
