import type { Codecs } from "../compression";
import { type ByteSource, readBytes } from "../source";
import { type Channel, type ChunkHead, OP, RECORD_HEAD, u64 } from "./records";

/** Opcodes of the specification and of private extensions. */
export const known = (op: number): boolean => (op >= 1 && op <= 0x0f) || op >= 0x80;

/** Length of the record at `at` when it makes sense inside a chunk, else -1. */
export function goodRecord(
  view: DataView,
  at: number,
  suspect: ChunkHead | null,
  channels: ReadonlyMap<number, Channel>,
): number {
  if (at + RECORD_HEAD > view.byteLength) return -1;
  const op = view.getUint8(at);
  if (op !== OP.message && op !== OP.schema && op !== OP.channel) return -1;
  const length = u64(view, at + 1);
  if (at + RECORD_HEAD + length > view.byteLength) return -1;
  if (op === OP.message) {
    if (length < 22) return -1;
    if (!suspect) return length;
    const t_s = u64(view, at + RECORD_HEAD + 6) / 1e9;
    const fits = t_s >= suspect.start_s - 1e-3 && t_s <= suspect.end_s + 1e-3;
    return fits && channels.has(view.getUint16(at + RECORD_HEAD, true)) ? length : -1;
  }
  return suspect && length > 1e6 ? -1 : length;
}

/** Unpacks one chunk; throws when it is not what it says. */
export function unpackChunk(source: ByteSource, codecs: Codecs, head: ChunkHead): Uint8Array {
  const packed = readBytes(source, head.data_offset, head.packed);
  if (packed.length !== head.packed) throw new Error("the file ends inside it");
  switch (head.compression) {
    case "":
      return packed;
    case "lz4":
      return codecs.lz4(packed, head.size);
    case "zstd":
      return codecs.zstd(packed, head.size);
    default:
      throw new Error(`compression "${head.compression}" is not known`);
  }
}
