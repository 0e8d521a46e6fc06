import { crc32 } from "../../platform/crc32";
import type { Codecs } from "../compression";
import { DamageReport } from "../damage";
import { MessageIndex } from "../message-index";
import { type ByteSource, readBytes, Window } from "../source";
import { TimeScout } from "../time-frame";
import { goodRecord, known, unpackChunk } from "./chunk";
import type { McapContent } from "./content";
import {
  type Channel,
  type ChunkHead,
  OP,
  parseChannel,
  parseChunkHead,
  parseMetadata,
  parseSchema,
  RECORD_HEAD,
  type Schema,
  u64,
} from "./records";

/** Files up to this size have every chunk checked when opened; in larger ones the chunks' own indexes are trusted. */
const CHECK_ALL_BYTES = 256 * 1024 * 1024;
/** No single record is larger; a longer length is damage. */
const MAX_RECORD_BYTES = 1024 * 1024 * 1024;

/**
 * Reads an MCAP file from front to back without trusting its end: footer, summary and statistics may be missing, any
 * chunk may be bad. After damage it searches for the next record that makes sense.
 */
export class McapScan {
  readonly #source: ByteSource;
  readonly #codecs: Codecs;
  readonly #window: Window;
  readonly #check: boolean;
  readonly #schemas = new Map<number, Schema>();
  readonly #channels = new Map<number, Channel>();
  readonly #indexes = new Map<number, MessageIndex>();
  readonly #metadata = new Map<string, Record<string, string>>();
  readonly #chunks: ChunkHead[] = [
    { data_offset: 0, packed: 0, size: 0, crc: 0, compression: "", start_s: 0, end_s: 0 },
  ];
  readonly #scout = new TimeScout();
  readonly #damage = new DamageReport();
  #profile = "";
  #footer = false;
  #messages = 0;
  #truncated: string | null = null;

  constructor(source: ByteSource, codecs: Codecs, check_all_bytes = CHECK_ALL_BYTES) {
    this.#source = source;
    this.#codecs = codecs;
    this.#window = new Window(source);
    this.#check = source.size <= check_all_bytes;
  }

  run(): McapContent {
    const { size } = this.#source;
    let at = 8;
    while (at < size && !this.#footer) {
      const next = this.#record(at);
      if (next > at) {
        at = next;
        continue;
      }
      const found = this.#isCutChunk(at) ? -1 : this.#resync(at + 1);
      if (found < 0) {
        this.#cut(at, size);
        break;
      }
      this.#damage.skipped(at, found);
      at = found;
    }
    if (!this.#footer && this.#truncated === null)
      this.#truncated = `cut at byte ${size}: the file has no footer; what was written until then is complete`;
    return {
      profile: this.#profile,
      schemas: this.#schemas,
      channels: this.#channels,
      indexes: this.#indexes,
      chunks: this.#chunks,
      metadata: this.#metadata,
      scout: this.#scout,
      damage: this.#damage,
      truncated: this.#truncated,
      remarks: this.#check
        ? []
        : ["too large to check every chunk when opened: chunks are checked when read"],
      messages: this.#messages,
    };
  }

  /** Reads the record at `at`; returns where the next begins, or `at` when this one makes no sense. */
  #record(at: number): number {
    const window = this.#window;
    if (!window.load(at, RECORD_HEAD)) return at;
    const op = window.bytes[at - window.base] as number;
    const length = u64(window.view, at - window.base + 1);
    const content = at + RECORD_HEAD;
    if (!known(op) || length > MAX_RECORD_BYTES || content + length > this.#source.size) return at;
    if (op === OP.chunk) return this.#chunk(content, length) ? content + length : at;
    if (op === OP.messageIndex || op === OP.chunkIndex || op === OP.attachment) return content + length;
    if (!window.load(content, length)) return at;
    const view = new DataView(window.bytes.buffer, content - window.base, length);
    return this.#content(op, view, 0, at) ? content + length : at;
  }

  /** One record that is not a chunk; false when its content does not parse. */
  #content(op: number, view: DataView, chunk: number, at: number): boolean {
    try {
      switch (op) {
        case OP.header:
          this.#profile = new TextDecoder().decode(
            new Uint8Array(view.buffer, view.byteOffset + 4, view.getUint32(0, true)),
          );
          return true;
        case OP.footer:
          this.#footer = chunk === 0 && view.byteLength === 20;
          return this.#footer;
        case OP.schema: {
          const schema = parseSchema(view);
          if (!this.#schemas.has(schema.id)) this.#schemas.set(schema.id, schema);
          return schema.id !== 0;
        }
        case OP.channel: {
          const channel = parseChannel(view);
          if (!this.#channels.has(channel.id)) this.#channels.set(channel.id, channel);
          return true;
        }
        case OP.metadata: {
          const { name, values } = parseMetadata(view);
          this.#metadata.set(name, values);
          return true;
        }
        case OP.message:
          if (view.byteLength < 22) return false;
          this.#message(view.getUint16(0, true), u64(view, 6) / 1e9, chunk, at);
          return true;
        default:
          return true;
      }
    } catch {
      return false;
    }
  }

  #message(channel: number, t_s: number, chunk: number, offset: number): void {
    let index = this.#indexes.get(channel);
    if (!index) {
      index = new MessageIndex();
      this.#indexes.set(channel, index);
    }
    index.add(chunk, offset, t_s);
    this.#scout.add(t_s);
    this.#messages += 1;
  }

  #chunk(content: number, length: number): boolean {
    const head = this.#chunkHead(content, length);
    if (!head || head.packed !== content + length - head.data_offset) return false;
    const number = this.#chunks.push(head) - 1;
    if (!this.#check && this.#trustIndexes(content + length, number, head)) return true;
    let records: Uint8Array;
    try {
      records = unpackChunk(this.#source, this.#codecs, head);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#damage.skipped(head.data_offset, content + length, `chunk cannot be unpacked: ${why}`);
      return true;
    }
    const bad = head.crc !== 0 && crc32(records) !== head.crc;
    const { kept, lost_bytes } = this.#records(records, number, bad ? head : null);
    if (bad || lost_bytes > 0) {
      const place = `chunk at bytes ${content - RECORD_HEAD} to ${content + length} is damaged`;
      this.#damage.note(`${place}: ${kept} messages kept, ${lost_bytes} bytes unreadable`);
    }
    return true;
  }

  /** `suspect` is given for a chunk with a wrong checksum: then only messages that fit its own times are believed. */
  #records(
    records: Uint8Array,
    chunk: number,
    suspect: ChunkHead | null,
  ): { kept: number; lost_bytes: number } {
    const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
    let at = 0;
    let kept = 0;
    let lost_bytes = 0;
    while (at < records.length) {
      const good = goodRecord(view, at, suspect, this.#channels);
      if (good < 0) {
        lost_bytes += 1;
        at += 1;
        continue;
      }
      const op = records[at] as number;
      const content = new DataView(records.buffer, records.byteOffset + at + RECORD_HEAD, good);
      if (this.#content(op, content, chunk, at) && op === OP.message) kept += 1;
      at += RECORD_HEAD + good;
    }
    return { kept, lost_bytes };
  }

  #chunkHead(content: number, length: number): ChunkHead | null {
    const window = this.#window;
    const head_bytes = Math.min(length, 96);
    if (!window.load(content, head_bytes)) return null;
    return parseChunkHead(window.view, content - window.base, content, head_bytes);
  }

  /** Takes a chunk's messages from the index records behind it; false when there are none. */
  #trustIndexes(after: number, chunk: number, head: ChunkHead): boolean {
    const window = this.#window;
    let found = 0;
    for (let at = after; window.load(at, RECORD_HEAD); ) {
      if (window.bytes[at - window.base] !== OP.messageIndex) break;
      const length = u64(window.view, at - window.base + 1);
      if (length < 6 || length > MAX_RECORD_BYTES || !window.load(at + RECORD_HEAD, length)) break;
      const start = at + RECORD_HEAD - window.base;
      const channel = window.view.getUint16(start, true);
      const entries = Math.min(window.view.getUint32(start + 2, true), length - 6) / 16;
      for (let i = 0; i < entries; i++) {
        const entry = start + 6 + i * 16;
        const offset = u64(window.view, entry + 8);
        if (offset >= head.size) continue;
        this.#message(channel, u64(window.view, entry) / 1e9, chunk, offset);
        found += 1;
      }
      at += RECORD_HEAD + length;
    }
    return found > 0;
  }

  /** The next offset at which a chunk, or a message of a known channel, or the end of the data makes sense. */
  #resync(from: number): number {
    const window = this.#window;
    const { size } = this.#source;
    for (let at = from; at + RECORD_HEAD < size; at++) {
      if (!window.load(at, RECORD_HEAD)) return -1;
      const op = window.bytes[at - window.base] as number;
      if (op !== OP.chunk && op !== OP.message && op !== OP.dataEnd) continue;
      const length = u64(window.view, at - window.base + 1);
      const content = at + RECORD_HEAD;
      if (length > MAX_RECORD_BYTES || content + length > size) continue;
      if (op === OP.dataEnd && length === 4) return at;
      if (op === OP.chunk) {
        const head = this.#chunkHead(content, length);
        if (head?.packed === content + length - (head?.data_offset ?? 0)) return at;
      }
      if (op === OP.message && length >= 22 && window.load(content, 22)) {
        const channel = window.view.getUint16(content - window.base, true);
        const next = content + length;
        if (this.#channels.has(channel) && (next === size || this.#plausibleAt(next))) return at;
      }
    }
    return -1;
  }

  #plausibleAt(at: number): boolean {
    const window = this.#window;
    return window.load(at, 1) && known(window.bytes[at - window.base] as number);
  }

  /** A chunk whose two lengths agree with each other but not with the file: the file ends inside it. */
  #isCutChunk(at: number): boolean {
    const window = this.#window;
    const content = at + RECORD_HEAD;
    if (content + 40 > this.#source.size || !window.load(at, RECORD_HEAD)) return false;
    if (window.bytes[at - window.base] !== OP.chunk) return false;
    const length = u64(window.view, at - window.base + 1);
    const head = this.#chunkHead(content, Math.min(length, this.#source.size - content));
    return head !== null && head.packed === content + length - head.data_offset;
  }

  /** The file ends inside a record: of an unpacked chunk the whole messages before the cut are still good. */
  #cut(at: number, size: number): void {
    this.#truncated = `cut at byte ${size}, in the middle of a record that began at byte ${at}`;
    const content = at + RECORD_HEAD;
    if (content + 40 > size || !this.#window.load(at, 1)) return;
    if (this.#window.bytes[at - this.#window.base] !== OP.chunk) return;
    const head = this.#chunkHead(content, size - content);
    if (head?.compression !== "" || head.data_offset >= size) return;
    const packed = size - head.data_offset;
    const number = this.#chunks.push({ ...head, packed, size: packed, crc: 0 }) - 1;
    const { kept } = this.#records(readBytes(this.#source, head.data_offset, packed), number, null);
    this.#truncated += `; ${kept} messages of its chunk are kept`;
  }
}
