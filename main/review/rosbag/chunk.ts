import type { Codecs } from "../compression";
import { type ByteSource, readBytes } from "../source";
import { type BagHeader, parseHeader } from "./records";

const MAX_HEADER_BYTES = 1024 * 1024;

export interface BagChunk {
  readonly data_offset: number;
  readonly packed: number;
  readonly size: number;
  readonly compression: string;
}

/** One record inside an unpacked chunk; data lies in [start, end). */
export function recordIn(
  records: Uint8Array,
  at: number,
): { header: BagHeader; start: number; end: number } | null {
  if (at + 8 > records.length) return null;
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const header_length = view.getUint32(at, true);
  if (header_length > MAX_HEADER_BYTES || at + 8 + header_length > records.length) return null;
  const header = parseHeader(records.subarray(at + 4, at + 4 + header_length));
  const start = at + 8 + header_length;
  const end = start + view.getUint32(at + 4 + header_length, true);
  return header?.has("op") && end <= records.length ? { header, start, end } : null;
}

/** Seconds and nanoseconds, 32 bits each. */
export const bagTime = (bytes: Uint8Array | undefined): number => {
  if (bytes?.length !== 8) return Number.NaN;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return view.getUint32(0, true) + view.getUint32(4, true) / 1e9;
};

/** Throws when the chunk is not what it says. */
export function unpackBagChunk(source: ByteSource, codecs: Codecs, chunk: BagChunk): Uint8Array {
  const packed = readBytes(source, chunk.data_offset, chunk.packed);
  switch (chunk.compression) {
    case "none":
      return packed;
    case "lz4":
      return codecs.lz4(packed, chunk.size);
    case "bz2":
      return codecs.bz2(packed, chunk.size);
    default:
      throw new Error(`compression "${chunk.compression}" is not known`);
  }
}
