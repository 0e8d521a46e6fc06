import type { Codecs } from "../compression";
import { DamageReport } from "../damage";
import { MessageIndex } from "../message-index";
import { type ByteSource, readBytes, Window } from "../source";
import { TimeScout } from "../time-frame";
import { type BagChunk, bagTime, recordIn, unpackBagChunk } from "./chunk";
import { type BagHeader, headerNumber, headerText, OP, parseHeader } from "./records";

const MAGIC = "#ROSBAG V2.0\n";
const MAX_RECORD_BYTES = 1024 * 1024 * 1024;
const MAX_HEADER_BYTES = 1024 * 1024;

export const isBag = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;

export interface BagConnection {
  readonly id: number;
  readonly topic: string;
  readonly type: string;
  readonly definition: string;
}

export interface BagContent {
  readonly connections: ReadonlyMap<number, BagConnection>;
  /** By connection. Chunk 0 is the file itself; offsets are of message records. */
  readonly indexes: ReadonlyMap<number, MessageIndex>;
  readonly chunks: readonly BagChunk[];
  readonly scout: TimeScout;
  readonly damage: DamageReport;
  readonly truncated: string | null;
  readonly remarks: readonly string[];
  readonly messages: number;
}

/**
 * Reads a ROS 1 bag (http://wiki.ros.org/Bags/Format/2.0) from front to back without trusting its index: a bag whose
 * recorder died has none. Chunks followed by their own index records are not unpacked; others are.
 */
export class BagScan {
  readonly #source: ByteSource;
  readonly #codecs: Codecs;
  readonly #window: Window;
  readonly #connections = new Map<number, BagConnection>();
  readonly #indexes = new Map<number, MessageIndex>();
  readonly #chunks: BagChunk[] = [{ data_offset: 0, packed: 0, size: 0, compression: "none" }];
  readonly #scout = new TimeScout();
  readonly #damage = new DamageReport();
  #messages = 0;
  #rebuilt = 0;
  #index_pos = 0;
  #truncated: string | null = null;

  constructor(source: ByteSource, codecs: Codecs) {
    this.#source = source;
    this.#codecs = codecs;
    this.#window = new Window(source);
  }

  run(): BagContent {
    const { size } = this.#source;
    let at = MAGIC.length;
    /** The chunk whose index records are expected next. */
    let open = 0;
    let indexed = 0;
    const closeChunk = (): void => {
      const chunk = this.#chunks[open];
      if (open > 0 && chunk && indexed === 0) this.#unpackAndIndex(open, chunk);
      open = 0;
      indexed = 0;
    };
    while (at < size) {
      const record = this.#recordAt(at);
      if (!record) {
        closeChunk();
        const found = this.#resync(at + 1);
        if (found < 0) {
          this.#cut(at, size);
          break;
        }
        this.#damage.skipped(at, found);
        at = found;
        continue;
      }
      const { header, data_offset, data_length, next } = record;
      const op = headerNumber(header, "op", 1);
      if (op === OP.index) {
        if (open > 0) indexed += this.#readIndex(header, data_offset, data_length, open);
      } else {
        closeChunk();
        if (op === OP.bagHeader) this.#index_pos = headerNumber(header, "index_pos", 8);
        if (op === OP.connection) this.#connection(header, readBytes(this.#source, data_offset, data_length));
        if (op === OP.message) this.#message(header, 0, at);
        if (op === OP.chunk) {
          open =
            this.#chunks.push({
              data_offset,
              packed: data_length,
              size: headerNumber(header, "size", 4),
              compression: headerText(header, "compression"),
            }) - 1;
        }
      }
      at = next;
    }
    closeChunk();
    this.#learnConnections();
    if (this.#index_pos === 0 && this.#truncated === null)
      this.#truncated = `cut at byte ${size}: the bag was never closed and has no index`;
    const remarks =
      this.#rebuilt > 0 ? [`the index of ${this.#rebuilt} chunks was rebuilt from their content`] : [];
    return {
      connections: this.#connections,
      indexes: this.#indexes,
      chunks: this.#chunks,
      scout: this.#scout,
      damage: this.#damage,
      truncated: this.#truncated,
      remarks,
      messages: this.#messages,
    };
  }

  #recordAt(
    at: number,
  ): { header: BagHeader; data_offset: number; data_length: number; next: number } | null {
    const window = this.#window;
    if (!window.load(at, 4)) return null;
    const header_length = window.view.getUint32(at - window.base, true);
    if (header_length < 4 || header_length > MAX_HEADER_BYTES || !window.load(at, 8 + header_length))
      return null;
    const start = at + 4 - window.base;
    const header = parseHeader(window.bytes.subarray(start, start + header_length));
    if (!header?.has("op")) return null;
    const data_length = window.view.getUint32(start + header_length, true);
    const data_offset = at + 8 + header_length;
    const next = data_offset + data_length;
    if (data_length > MAX_RECORD_BYTES || next > this.#source.size) return null;
    return { header, data_offset, data_length, next };
  }

  #connection(header: BagHeader, data: Uint8Array): void {
    const id = headerNumber(header, "conn", 4);
    if (this.#connections.has(id)) return;
    const fields = parseHeader(data);
    if (!fields) return;
    this.#connections.set(id, {
      id,
      topic: headerText(header, "topic"),
      type: headerText(fields, "type"),
      definition: headerText(fields, "message_definition"),
    });
  }

  #message(header: BagHeader, chunk: number, offset: number): void {
    this.#add(headerNumber(header, "conn", 4), chunk, offset, bagTime(header.get("time")));
  }

  #add(connection: number, chunk: number, offset: number, t_s: number): void {
    if (!Number.isFinite(t_s)) return;
    let index = this.#indexes.get(connection);
    if (!index) {
      index = new MessageIndex();
      this.#indexes.set(connection, index);
    }
    index.add(chunk, offset, t_s);
    this.#scout.add(t_s);
    this.#messages += 1;
  }

  /** Index data version 1: 4 bytes seconds, 4 bytes nanoseconds, 4 bytes offset within the unpacked chunk. */
  #readIndex(header: BagHeader, offset: number, length: number, chunk: number): number {
    const connection = headerNumber(header, "conn", 4);
    const count = Math.min(headerNumber(header, "count", 4), Math.floor(length / 12));
    if (!this.#window.load(offset, count * 12)) return 0;
    const { view, base } = this.#window;
    for (let i = 0; i < count; i++) {
      const at = offset - base + i * 12;
      const t_s = view.getUint32(at, true) + view.getUint32(at + 4, true) / 1e9;
      this.#add(connection, chunk, view.getUint32(at + 8, true), t_s);
    }
    return count;
  }

  #unpackAndIndex(number: number, chunk: BagChunk): void {
    let records: Uint8Array;
    try {
      records = unpackBagChunk(this.#source, this.#codecs, chunk);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#damage.skipped(
        chunk.data_offset,
        chunk.data_offset + chunk.packed,
        `chunk cannot be unpacked: ${why}`,
      );
      return;
    }
    this.#rebuilt += 1;
    this.#indexRecords(records, number);
  }

  /** Walks the records of one unpacked chunk; returns how many messages there were. */
  #indexRecords(records: Uint8Array, chunk: number): number {
    const before = this.#messages;
    for (let at = 0; at < records.length; ) {
      const record = recordIn(records, at);
      if (!record) {
        this.#damage.note(`chunk ${chunk}: ${records.length - at} bytes at its end are unreadable`);
        break;
      }
      const op = headerNumber(record.header, "op", 1);
      if (op === OP.connection) this.#connection(record.header, records.subarray(record.start, record.end));
      if (op === OP.message) this.#message(record.header, chunk, at);
      at = record.end;
    }
    return this.#messages - before;
  }

  /** Connections are repeated at the end; without that end they are found inside the chunks. */
  #learnConnections(): void {
    for (const [id, index] of this.#indexes) {
      if (this.#connections.has(id) || index.length === 0) continue;
      const chunk = this.#chunks[index.chunk(0)];
      if (!chunk || chunk.packed === 0) continue;
      try {
        const records = unpackBagChunk(this.#source, this.#codecs, chunk);
        for (let at = 0; at < records.length; ) {
          const record = recordIn(records, at);
          if (!record) break;
          if (headerNumber(record.header, "op", 1) === OP.connection)
            this.#connection(record.header, records.subarray(record.start, record.end));
          at = record.end;
        }
      } catch {
        this.#damage.note(`the chunk that describes connection ${id} cannot be unpacked`);
      }
    }
  }

  /** The next record that makes sense and is followed by another one: packed data can look like a single record. */
  #resync(from: number): number {
    const { size } = this.#source;
    for (let at = from; at + 16 < size; at++) {
      if (!this.#window.load(at, 4)) return -1;
      const i = at - this.#window.base;
      const length = this.#window.view.getUint32(i, true);
      if (length < 8 || length > 4096) continue;
      const record = this.#recordAt(at);
      if (!record || !KNOWN_OPS.has(headerNumber(record.header, "op", 1))) continue;
      if (record.next === size || this.#recordAt(record.next)) return at;
    }
    return -1;
  }

  /** The file ends inside a record; of an unpacked chunk the whole messages before the cut are good. */
  #cut(at: number, size: number): void {
    this.#truncated = `cut at byte ${size}, in the middle of a record that began at byte ${at}`;
    const head = readBytes(this.#source, at, Math.min(4096, size - at));
    if (head.length < 8) return;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    const header_length = view.getUint32(0, true);
    if (header_length + 8 > head.length) return;
    const header = parseHeader(head.subarray(4, 4 + header_length));
    if (!header || headerNumber(header, "op", 1) !== OP.chunk) return;
    if (headerText(header, "compression") !== "none") return;
    const data_offset = at + 8 + header_length;
    const packed = size - data_offset;
    const number = this.#chunks.push({ data_offset, packed, size: packed, compression: "none" }) - 1;
    const kept = this.#indexRecords(readBytes(this.#source, data_offset, packed), number);
    this.#truncated += `; ${kept} messages of its chunk are kept`;
  }
}

const KNOWN_OPS: ReadonlySet<number> = new Set(Object.values(OP));
