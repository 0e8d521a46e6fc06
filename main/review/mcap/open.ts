import type { Codecs } from "../compression";
import { makeDecoder } from "../decoders";
import { isImageType } from "../images";
import { forgetful, type Remember } from "../index-cache/remember";
import { ChunkCache, MessageIndex } from "../message-index";
import { MessageLog, type MessageTopic } from "../message-log";
import { completeness } from "../reader";
import { type ByteSource, readBytes } from "../source";
import { wildNote } from "../time-frame";
import { unpackChunk } from "./chunk";
import type { McapContent } from "./content";
import { MCAP_MAGIC, MESSAGE_HEAD, RECORD_HEAD, u64 } from "./records";
import { McapScan } from "./scan";

export const isMcap = (head: Uint8Array): boolean => MCAP_MAGIC.every((byte, i) => head[i] === byte);

export interface McapParts {
  readonly content: McapContent;
  readonly topics: readonly MessageTopic[];
  readonly remarks: readonly string[];
  readonly payload: (chunk: number, offset: number) => Uint8Array | null;
}

/** What one MCAP file brings to a log, alone or as one of several. */
export function mcapParts(
  source: ByteSource,
  codecs: Codecs,
  remember: Remember,
  check_all_bytes?: number,
): McapParts {
  const content = remember("mcap", () => new McapScan(source, codecs, check_all_bytes).run());
  const cache = new ChunkCache((chunk) => {
    const head = content.chunks[chunk];
    if (!head) return null;
    try {
      return unpackChunk(source, codecs, head);
    } catch {
      return null;
    }
  });
  const remarks = [...content.remarks];
  return {
    content,
    topics: topicsOf(content, remarks),
    remarks,
    payload: (chunk, offset) => {
      if (chunk > 0) {
        const records = cache.get(chunk);
        return records ? messagePayload(records, offset) : null;
      }
      const head = readBytes(source, offset, RECORD_HEAD);
      if (head.length < RECORD_HEAD) return null;
      return messagePayload(readBytes(source, offset, RECORD_HEAD + u64(new DataView(head.buffer), 1)), 0);
    },
  };
}

/** Our own flights and any other MCAP file. `check_all_bytes` bounds how much is verified when opened. */
export function openMcap(
  source: ByteSource,
  codecs: Codecs,
  remember: Remember = forgetful,
  check_all_bytes?: number,
): MessageLog {
  const { content, topics, remarks: found, payload } = mcapParts(source, codecs, remember, check_all_bytes);
  const remarks = [...found];
  const frame = content.scout.frame();
  if (frame.wild > 0) remarks.push(wildNote(frame.wild));
  const ours = content.profile === "kingfisher";
  return new MessageLog({
    kind: ours ? "kingfisher" : "mcap",
    format: ours
      ? "Kingfisher flight (MCAP)"
      : `MCAP${content.profile === "" ? "" : ` (${content.profile})`}`,
    completeness: completeness(content.messages === 0, content.truncated, content.damage.notes, remarks),
    frame,
    topics,
    meta: Object.assign({}, ...[...content.metadata.values()]) as Record<string, string>,
    // Logs of a clock that started at zero have no place in the world.
    start_utc_ms: frame.from_s > 3e8 ? frame.from_s * 1000 : null,
    payload,
    close: () => {
      source.close();
    },
  });
}

/** The data of the message record at `offset`. No record is longer than 32 bits can say. */
function messagePayload(records: Uint8Array, offset: number): Uint8Array | null {
  const start = offset + RECORD_HEAD;
  if (start > records.length) return null;
  const length =
    ((records[offset + 1] as number) |
      ((records[offset + 2] as number) << 8) |
      ((records[offset + 3] as number) << 16) |
      ((records[offset + 4] as number) << 24)) >>>
    0;
  if (length < MESSAGE_HEAD || start + length > records.length) return null;
  return records.subarray(start + MESSAGE_HEAD, start + length);
}

/** Channels with the same topic and schema are one topic; with another schema the type is added to the name. */
function topicsOf(content: McapContent, remarks: string[]): MessageTopic[] {
  const topics = new Map<string, MessageTopic>();
  let unknown = 0;
  for (const [id, index] of content.indexes) {
    const channel = content.channels.get(id);
    if (!channel) {
      unknown += index.length;
      continue;
    }
    const schema = content.schemas.get(channel.schemaId) ?? null;
    const type = schema?.name ?? channel.encoding;
    const same = topics.get(channel.topic);
    if (same?.type === type) {
      for (let i = 0; i < index.length; i++) same.index.add(index.chunk(i), index.offset(i), index.time_s(i));
      continue;
    }
    const decode = makeDecoder(channel.encoding, schema);
    if (typeof decode === "string") remarks.push(`${channel.topic} cannot be decoded: ${decode}`);
    topics.set(same ? `${channel.topic} (${type})` : channel.topic, {
      name: same ? `${channel.topic} (${type})` : channel.topic,
      type,
      index,
      decode: typeof decode === "string" ? null : decode,
      image: isImageType(type),
    });
  }
  for (const channel of content.channels.values()) {
    if (topics.has(channel.topic)) continue;
    const type = content.schemas.get(channel.schemaId)?.name ?? channel.encoding;
    topics.set(channel.topic, {
      name: channel.topic,
      type,
      index: new MessageIndex(),
      decode: null,
      image: false,
    });
  }
  if (unknown > 0) remarks.push(`${unknown} messages belong to channels whose description is lost`);
  return [...topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
