/** Records of MCAP (https://mcap.dev/spec), only what a reader needs. All parsers throw RangeError on short input. */
export const OP = {
  header: 0x01,
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  messageIndex: 0x07,
  chunkIndex: 0x08,
  attachment: 0x09,
  metadata: 0x0c,
  dataEnd: 0x0f,
} as const;

/** Opcode and 64-bit length. */
export const RECORD_HEAD = 9;
/** Channel, sequence, log time, publish time. */
export const MESSAGE_HEAD = 22;
export const MCAP_MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);

export interface Schema {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

export interface Channel {
  readonly id: number;
  readonly schemaId: number;
  readonly topic: string;
  readonly encoding: string;
}

export interface ChunkHead {
  readonly data_offset: number;
  readonly packed: number;
  readonly size: number;
  readonly crc: number;
  readonly compression: string;
  readonly start_s: number;
  readonly end_s: number;
}

/** Nanoseconds since 1970 keep a quarter of a microsecond this way; sizes are exact. */
export const u64 = (view: DataView, at: number): number =>
  view.getUint32(at + 4, true) * 4294967296 + view.getUint32(at, true);

class Cursor {
  readonly #view: DataView;
  #at = 0;

  constructor(view: DataView) {
    this.#view = view;
  }
  get left(): number {
    return this.#view.byteLength - this.#at;
  }
  u16(): number {
    this.#at += 2;
    return this.#view.getUint16(this.#at - 2, true);
  }
  u32(): number {
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }
  bytes(): Uint8Array {
    const length = this.u32();
    if (length > this.left) throw new RangeError("record is shorter than it says");
    this.#at += length;
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at - length, length);
  }
  text(): string {
    return new TextDecoder().decode(this.bytes());
  }
}

/** Copies the schema's text: the window it was read from moves on. */
export function parseSchema(view: DataView): Schema {
  const cursor = new Cursor(view);
  return {
    id: cursor.u16(),
    name: cursor.text(),
    encoding: cursor.text(),
    data: Uint8Array.from(cursor.bytes()),
  };
}

export function parseChannel(view: DataView): Channel {
  const cursor = new Cursor(view);
  return { id: cursor.u16(), schemaId: cursor.u16(), topic: cursor.text(), encoding: cursor.text() };
}

export function parseMetadata(view: DataView): { name: string; values: Record<string, string> } {
  const cursor = new Cursor(view);
  const name = cursor.text();
  const end = cursor.u32();
  const stop = cursor.left - end;
  const values: Record<string, string> = {};
  while (cursor.left > Math.max(0, stop)) values[cursor.text()] = cursor.text();
  return { name, values };
}

/** Null when these bytes are not the beginning of a chunk record. */
export function parseChunkHead(
  view: DataView,
  at: number,
  offset: number,
  available: number,
): ChunkHead | null {
  if (available < 40) return null;
  const name_bytes = view.getUint32(at + 28, true);
  if (name_bytes > 16 || available < 40 + name_bytes) return null;
  const name = new Uint8Array(view.buffer, view.byteOffset + at + 32, name_bytes);
  if (name.some((byte) => byte < 0x20 || byte > 0x7e)) return null;
  const start_s = u64(view, at) / 1e9;
  const end_s = u64(view, at + 8) / 1e9;
  const size = u64(view, at + 16);
  if (end_s < start_s || size > 4e9) return null;
  return {
    data_offset: offset + 40 + name_bytes,
    packed: u64(view, at + 32 + name_bytes),
    size,
    crc: view.getUint32(at + 24, true),
    compression: String.fromCharCode(...name),
    start_s,
    end_s,
  };
}
