import { McapChunkBuilder, McapRecordBuilder, type McapTypes } from "@mcap/core";
import { crc32 } from "../platform/crc32";
import type { Sink } from "./sink";

const CHUNK_BYTES = 256 * 1024;
/** Schemas and channels are repeated so often, so that a damaged beginning does not cost the rest its meaning. */
const CHUNKS_BETWEEN_REPEATS = 240;

export interface ChannelSpec {
  readonly topic: string;
  readonly encoding: "json" | "protobuf";
  readonly schemaName: string;
  readonly schemaEncoding: "jsonschema" | "protobuf";
  readonly schema: Uint8Array;
}

/**
 * Writes MCAP (https://mcap.dev/spec) so that a crash costs little: chunks close by size or when told (`flush`), all
 * calls are synchronous and only fill memory, and the sink carries the bytes away. Chunks are not compressed: pictures
 * already are, and the records of a chunk cut in the middle stay readable.
 *
 * @mcap/core's own writer closes a chunk only when the next message overfills it, which would hold telemetry back.
 */
export class FlightMcap {
  readonly #sink: Sink;
  readonly #record = new McapRecordBuilder();
  readonly #chunk = new McapChunkBuilder({ useMessageIndex: true });
  readonly #schemas = new Map<string, McapTypes.Schema>();
  readonly #channels: McapTypes.Channel[] = [];
  readonly #chunkIndexes: McapTypes.ChunkIndex[] = [];
  readonly #metadataIndexes: McapTypes.MetadataIndex[] = [];
  readonly #counts = new Map<number, bigint>();
  #sequences: number[] = [];
  #position = 0n;
  #dataCrc = 0;
  #first_ns: bigint | null = null;
  #last_ns = 0n;
  #messages = 0n;

  constructor(sink: Sink, library: string) {
    this.#sink = sink;
    this.#record.writeMagic();
    this.#record.writeHeader({ profile: "kingfisher", library });
    this.#emit();
  }

  /** Everything before the summary goes through here: the position and the data section's checksum follow. */
  #emit(): void {
    const bytes = this.#record.buffer;
    this.#dataCrc = crc32(bytes, this.#dataCrc);
    this.#position += BigInt(bytes.length);
    this.#sink.write(bytes);
    this.#record.reset();
  }

  addChannel(spec: ChannelSpec): number {
    let schema = this.#schemas.get(spec.schemaName);
    if (!schema) {
      schema = {
        id: this.#schemas.size + 1,
        name: spec.schemaName,
        encoding: spec.schemaEncoding,
        data: spec.schema,
      };
      this.#schemas.set(spec.schemaName, schema);
      this.#record.writeSchema(schema);
    }
    const channel: McapTypes.Channel = {
      id: this.#channels.length,
      schemaId: schema.id,
      topic: spec.topic,
      messageEncoding: spec.encoding,
      metadata: new Map(),
    };
    this.#channels.push(channel);
    this.#sequences.push(0);
    this.#record.writeChannel(channel);
    this.#emit();
    return channel.id;
  }

  addMetadata(name: string, values: Readonly<Record<string, string>>): void {
    const offset = this.#position;
    const length = this.#record.writeMetadata({ name, metadata: new Map(Object.entries(values)) });
    this.#emit();
    this.#metadataIndexes.push({ offset, length, name });
  }

  addMessage(channelId: number, time_ns: bigint, data: Uint8Array): void {
    const sequence = this.#sequences[channelId] ?? 0;
    this.#sequences[channelId] = sequence + 1;
    this.#chunk.addMessage({ channelId, sequence, logTime: time_ns, publishTime: time_ns, data });
    this.#counts.set(channelId, (this.#counts.get(channelId) ?? 0n) + 1n);
    this.#messages += 1n;
    if (this.#first_ns === null || time_ns < this.#first_ns) this.#first_ns = time_ns;
    if (time_ns > this.#last_ns) this.#last_ns = time_ns;
    if (this.#chunk.byteLength >= CHUNK_BYTES) this.flush();
  }

  /** Closes the open chunk and hands it to the sink. */
  flush(): void {
    if (this.#chunk.numMessages === 0) return;
    if (this.#chunkIndexes.length % CHUNKS_BETWEEN_REPEATS === CHUNKS_BETWEEN_REPEATS - 1) {
      for (const schema of this.#schemas.values()) this.#record.writeSchema(schema);
      for (const channel of this.#channels) this.#record.writeChannel(channel);
      this.#emit();
    }
    const records = this.#chunk.buffer;
    const chunkStartOffset = this.#position;
    const chunkLength = this.#record.writeChunk({
      messageStartTime: this.#chunk.messageStartTime,
      messageEndTime: this.#chunk.messageEndTime,
      uncompressedSize: BigInt(records.length),
      uncompressedCrc: crc32(records),
      compression: "",
      records,
    });
    const messageIndexOffsets = new Map<number, bigint>();
    let messageIndexLength = 0n;
    for (const index of this.#chunk.indices) {
      messageIndexOffsets.set(index.channelId, chunkStartOffset + chunkLength + messageIndexLength);
      messageIndexLength += this.#record.writeMessageIndex(index);
    }
    this.#chunkIndexes.push({
      messageStartTime: this.#chunk.messageStartTime,
      messageEndTime: this.#chunk.messageEndTime,
      chunkStartOffset,
      chunkLength,
      messageIndexOffsets,
      messageIndexLength,
      compression: "",
      compressedSize: BigInt(records.length),
      uncompressedSize: BigInt(records.length),
    });
    this.#emit();
    this.#chunk.reset();
  }

  /** Writes what makes the file complete: summary, footer, closing magic. Nothing may be added afterwards. */
  end(): void {
    this.flush();
    this.#record.writeDataEnd({ dataSectionCrc: this.#dataCrc });
    this.#emit();
    const summaryStart = this.#position;
    let crc = 0;
    const offsets: McapTypes.SummaryOffset[] = [];
    const group = (groupOpcode: number, write: () => void): void => {
      const groupStart = this.#position;
      write();
      const groupLength = BigInt(this.#record.length);
      if (groupLength > 0n) offsets.push({ groupOpcode, groupStart, groupLength });
      crc = crc32(this.#record.buffer, crc);
      this.#emit();
    };
    group(OPCODE.schema, () => {
      for (const schema of this.#schemas.values()) this.#record.writeSchema(schema);
    });
    group(OPCODE.channel, () => {
      for (const channel of this.#channels) this.#record.writeChannel(channel);
    });
    group(OPCODE.statistics, () => this.#record.writeStatistics(this.#statistics()));
    group(OPCODE.metadataIndex, () => {
      for (const index of this.#metadataIndexes) this.#record.writeMetadataIndex(index);
    });
    group(OPCODE.chunkIndex, () => {
      for (const index of this.#chunkIndexes) this.#record.writeChunkIndex(index);
    });
    const summaryOffsetStart = this.#position;
    for (const offset of offsets) this.#record.writeSummaryOffset(offset);
    crc = crc32(this.#record.buffer, crc);
    this.#emit();
    crc = crc32(footerHead(summaryStart, summaryOffsetStart), crc);
    this.#record.writeFooter({ summaryStart, summaryOffsetStart, summaryCrc: crc });
    this.#record.writeMagic();
    this.#emit();
  }

  #statistics(): McapTypes.Statistics {
    return {
      messageCount: this.#messages,
      schemaCount: this.#schemas.size,
      channelCount: this.#channels.length,
      attachmentCount: 0,
      metadataCount: this.#metadataIndexes.length,
      chunkCount: this.#chunkIndexes.length,
      messageStartTime: this.#first_ns ?? 0n,
      messageEndTime: this.#last_ns,
      channelMessageCounts: this.#counts,
    };
  }
}

/** The footer's own beginning is part of the summary's checksum. */
function footerHead(summaryStart: bigint, summaryOffsetStart: bigint): Uint8Array {
  const head = new DataView(new ArrayBuffer(25));
  head.setUint8(0, OPCODE.footer);
  head.setBigUint64(1, 20n, true);
  head.setBigUint64(9, summaryStart, true);
  head.setBigUint64(17, summaryOffsetStart, true);
  return new Uint8Array(head.buffer);
}

const OPCODE = {
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  chunkIndex: 0x08,
  statistics: 0x0b,
  metadataIndex: 0x0d,
} as const;
