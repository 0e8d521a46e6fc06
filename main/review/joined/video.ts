import type { Completeness, LogImage, LogReader, LogRecord } from "../reader";
import { type ByteSource, readBytes } from "../source";

/** Seconds from 1904-01-01 (QuickTime's zero) to 1970-01-01. */
const SINCE_1904_S = 2_082_844_800;
const BOXES_MAX = 10_000;

export const isVideo = (head: Uint8Array): boolean => isMp4(head) || isMatroska(head);
const isMp4 = (head: Uint8Array): boolean => text(head, 4, 4) === "ftyp";
const isMatroska = (head: Uint8Array): boolean =>
  head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3;

interface Facts {
  readonly duration_s: number | null;
  readonly start_utc_ms: number | null;
}

/**
 * A video file as a log without topics: how long it is and when it began, as far as its header says. The window plays it;
 * here only its place on the timeline matters.
 */
export class VideoLog implements LogReader {
  readonly kind = "video";
  readonly format: string;
  readonly completeness: Completeness;
  readonly duration_s: number;
  readonly start_utc_ms: number | null;
  readonly start_boot_ms = null;
  readonly topics = [];
  readonly meta: Readonly<Record<string, string>> = {};
  readonly parameters = [];
  readonly messages = [];
  readonly image_topics = [];
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
    const mp4 = isMp4(readBytes(source, 0, 16));
    this.format = mp4 ? "MP4 video" : "Matroska or WebM video";
    const { duration_s, start_utc_ms } = mp4 ? mp4Facts(source) : matroskaFacts(source);
    this.duration_s = duration_s ?? 0;
    this.start_utc_ms = start_utc_ms;
    this.completeness =
      duration_s === null
        ? { state: "truncated", notes: ["the header that says how long the video is is missing"] }
        : { state: "complete", notes: [] };
  }

  column(): null {
    return null;
  }
  *records(): Iterable<LogRecord> {}
  image(): LogImage | null {
    return null;
  }
  close(): void {
    this.#source.close();
  }
}

/** `moov/mvhd` of ISO 14496-12: creation time, time scale and duration, wherever in the file it is. */
function mp4Facts(source: ByteSource): Facts {
  const moov = boxIn(source, "moov", 0, source.size);
  const mvhd = moov && boxIn(source, "mvhd", moov.from, moov.to);
  if (!mvhd) return { duration_s: null, start_utc_ms: null };
  const body = readBytes(source, mvhd.from, 36);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length < 32) return { duration_s: null, start_utc_ms: null };
  const wide = view.getUint8(0) === 1;
  const created_s = wide ? Number(view.getBigUint64(4)) : view.getUint32(4);
  const scale = view.getUint32(wide ? 20 : 12);
  const length = wide ? Number(view.getBigUint64(24)) : view.getUint32(16);
  const utc_s = created_s - SINCE_1904_S;
  return {
    duration_s: scale > 0 ? length / scale : null,
    start_utc_ms: utc_s > 0 ? utc_s * 1000 : null,
  };
}

function boxIn(
  source: ByteSource,
  name: string,
  from: number,
  to: number,
): { from: number; to: number } | null {
  let at = from;
  for (let n = 0; n < BOXES_MAX && at + 8 <= to; n++) {
    const head = readBytes(source, at, 16);
    if (head.length < 8) return null;
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    let size = view.getUint32(0);
    let header = 8;
    if (size === 1 && head.length === 16) {
      size = Number(view.getBigUint64(8));
      header = 16;
    } else if (size === 0) size = to - at;
    if (size < header) return null;
    if (text(head, 4, 4) === name) return { from: at + header, to: Math.min(to, at + size) };
    at += size;
  }
  return null;
}

/** Duration (0x4489), TimecodeScale (0x2AD7B1) and DateUTC (0x4461) of the Segment's Info, near the beginning. */
function matroskaFacts(source: ByteSource): Facts {
  const head = readBytes(source, 0, 64 * 1024);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const find = (...id: number[]): { at: number; size: number } | null => {
    for (let i = 0; i + id.length + 9 < head.length; i++)
      if (id.every((byte, k) => head[i + k] === byte)) {
        const size = (head[i + id.length] ?? 0) & 0x7f;
        if ((head[i + id.length] ?? 0) & 0x80 && size <= 8) return { at: i + id.length + 1, size };
      }
    return null;
  };
  const info = find(0x15, 0x49, 0xa9, 0x66) ?? { at: 0, size: 0 };
  const scale = find(0x2a, 0xd7, 0xb1);
  let scale_ns = 1_000_000;
  if (scale && scale.at > info.at) {
    scale_ns = 0;
    for (let i = 0; i < scale.size; i++) scale_ns = scale_ns * 256 + (head[scale.at + i] ?? 0);
  }
  const length = find(0x44, 0x89);
  const date = find(0x44, 0x61);
  const ticks = length ? (length.size === 4 ? view.getFloat32(length.at) : view.getFloat64(length.at)) : null;
  // Nanoseconds since 2001-01-01.
  const utc_ms = date?.size === 8 ? Number(view.getBigInt64(date.at)) / 1e6 + Date.UTC(2001, 0, 1) : null;
  return {
    duration_s: ticks !== null && Number.isFinite(ticks) ? (ticks * scale_ns) / 1e9 : null,
    start_utc_ms: utc_ms !== null && utc_ms > 0 ? utc_ms : null,
  };
}

const text = (bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from(bytes.subarray(at, at + length)).toString("latin1");
