import { type ByteSource, readBytes } from "../source";

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const WAL_HEADER = 32;
const FRAME_HEADER = 24;

export const isDatabase = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;

export interface DatabasePages {
  readonly source: ByteSource;
  readonly truncated: string | null;
  readonly remarks: readonly string[];
}

/**
 * A database as SQLite will read it, although its recorder died (https://www.sqlite.org/fileformat2.html): a file shorter
 * than its header says counts as many pages as it has, and what was committed to the write-ahead log beside it is laid
 * over its pages in memory, because opening it the usual way would write to both files.
 */
export function databasePages(file: ByteSource, wal: ByteSource | null): DatabasePages {
  const header = readBytes(file, 0, HEADER_BYTES);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const stated = header.length < HEADER_BYTES ? 0 : view.getUint16(16);
  const page_bytes = stated === 1 ? 65_536 : stated;
  if (page_bytes < 512) return { source: file, truncated: null, remarks: [] };
  const log = wal && committedPages(wal, page_bytes);
  // A last page that is only there in part is filled with zeros: its later messages stand in front.
  const whole = Math.ceil(file.size / page_bytes);
  const expected = view.getUint32(28);
  const pages = log && log.frames.size > 0 ? log.page_count : Math.min(expected || whole, whole);
  const short = !log?.frames.size && expected * page_bytes > file.size;
  return {
    source: overlaid(file, wal, log?.frames ?? new Map(), page_bytes, pages),
    truncated: short ? `cut at byte ${file.size}: its database had ${expected * page_bytes} bytes` : null,
    remarks:
      log && log.frames.size > 0
        ? [
            `${log.frames.size} pages come from the write-ahead log beside it: the recorder did not close the bag`,
          ]
        : [],
  };
}

interface Committed {
  /** Where in the log the newest committed copy of a page lies. */
  readonly frames: ReadonlyMap<number, number>;
  readonly page_count: number;
}

/** Frames up to the last commit whose salts and checksums are right (https://www.sqlite.org/fileformat2.html#walformat). */
function committedPages(wal: ByteSource, page_bytes: number): Committed | null {
  const head = readBytes(wal, 0, WAL_HEADER);
  if (head.length < WAL_HEADER) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const magic = view.getUint32(0);
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682 || view.getUint32(8) !== page_bytes) return null;
  const little = (magic & 1) === 0;
  const salts = [view.getUint32(16), view.getUint32(20)];
  const sum = new Checksum(little);
  sum.add(head.subarray(0, 24));
  if (!sum.is(view.getUint32(24), view.getUint32(28))) return null;
  const frames = new Map<number, number>();
  const pending = new Map<number, number>();
  let page_count = 0;
  for (let at = WAL_HEADER; at + FRAME_HEADER + page_bytes <= wal.size; at += FRAME_HEADER + page_bytes) {
    const frame = readBytes(wal, at, FRAME_HEADER + page_bytes);
    const f = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
    if (f.getUint32(8) !== salts[0] || f.getUint32(12) !== salts[1]) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER));
    if (!sum.is(f.getUint32(16), f.getUint32(20))) break;
    pending.set(f.getUint32(0), at + FRAME_HEADER);
    const size = f.getUint32(4);
    if (size === 0) continue;
    for (const [page, offset] of pending) frames.set(page, offset);
    pending.clear();
    page_count = size;
  }
  return { frames, page_count };
}

/** The running checksum of a write-ahead log. */
class Checksum {
  readonly #little: boolean;
  #a = 0;
  #b = 0;

  constructor(little: boolean) {
    this.#little = little;
  }
  add(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let i = 0; i + 8 <= bytes.length; i += 8) {
      this.#a = (this.#a + view.getUint32(i, this.#little) + this.#b) >>> 0;
      this.#b = (this.#b + view.getUint32(i + 4, this.#little) + this.#a) >>> 0;
    }
  }
  is(a: number, b: number): boolean {
    return this.#a === a && this.#b === b;
  }
}

/** The file's bytes with newer pages over them; its header says how many pages there are and asks for no log. */
function overlaid(
  file: ByteSource,
  wal: ByteSource | null,
  frames: ReadonlyMap<number, number>,
  page_bytes: number,
  pages: number,
): ByteSource {
  const size = pages * page_bytes;
  const patch = (into: Uint8Array, offset: number): void => {
    const put = (at: number, value: number): void => {
      if (at >= offset && at < offset + into.length) into[at - offset] = value;
    };
    for (const at of [18, 19]) put(at, 1);
    for (let k = 0; k < 4; k++) put(28 + k, (pages >>> (24 - 8 * k)) & 255);
    // "Version valid for" must repeat the change counter, or the number of pages is not believed.
    if (offset === 0 && into.length >= HEADER_BYTES) into.copyWithin(92, 24, 28);
  };
  return {
    size,
    readInto: (into, offset) => {
      const length = Math.max(0, Math.min(into.length, size - offset));
      for (let done = 0; done < length; ) {
        const at = offset + done;
        const page = Math.floor(at / page_bytes) + 1;
        const within = at % page_bytes;
        const part = into.subarray(done, Math.min(length, done + page_bytes - within));
        const frame = frames.get(page);
        if (frame === undefined) part.fill(0, file.readInto(part, at));
        else wal?.readInto(part, frame + within);
        done += part.length;
      }
      if (offset < HEADER_BYTES) patch(into.subarray(0, length), offset);
      return length;
    },
    close: () => {
      file.close();
      wal?.close();
    },
  };
}
