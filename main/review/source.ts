import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Random access to the bytes of a log. Synchronous: the review process has nothing else to do meanwhile. */
export interface ByteSource {
  readonly size: number;
  /** Fills `into` from `offset`; returns how many bytes there were. */
  readInto(into: Uint8Array, offset: number): number;
  close(): void;
}

export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    readInto: (into, offset) => {
      const part = bytes.subarray(offset, offset + into.length);
      into.set(part);
      return part.length;
    },
    close: () => {},
  };
}

/** Throws the system's error when the file cannot be opened. */
export function fileSource(path: string): ByteSource {
  const fd = openSync(path, "r");
  const { size } = fstatSync(fd);
  return {
    size,
    readInto: (into, offset) => {
      let done = 0;
      while (done < into.length) {
        const got = readSync(fd, into, done, into.length - done, offset + done);
        if (got === 0) break;
        done += got;
      }
      return done;
    },
    close: () => {
      closeSync(fd);
    },
  };
}

/** A copy of `length` bytes at `offset`, shorter at the end of the file. */
export function readBytes(source: ByteSource, offset: number, length: number): Uint8Array {
  const wanted = Math.max(0, Math.min(length, source.size - offset));
  const bytes = new Uint8Array(wanted);
  const got = source.readInto(bytes, offset);
  return got === wanted ? bytes : bytes.subarray(0, got);
}

/** Logs up to this size are held in memory whole; larger ones pass through a window. */
const WHOLE_FILE_BYTES = 64 * 1024 * 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * A piece of the file in memory that slides forward. After `load(offset, length)` the byte at file offset `o` is
 * `bytes[o - base]`. Fields are public because the inner loops of the readers index them directly.
 */
export class Window {
  readonly #source: ByteSource;
  readonly size: number;
  bytes: Uint8Array;
  view: DataView;
  base = 0;
  end = 0;

  constructor(source: ByteSource, window_bytes = WINDOW_BYTES, whole_bytes = WHOLE_FILE_BYTES) {
    this.#source = source;
    this.size = source.size;
    this.bytes = new Uint8Array(source.size <= whole_bytes ? source.size : window_bytes);
    this.view = new DataView(this.bytes.buffer);
    this.#fill(0);
  }

  #fill(offset: number): void {
    this.base = offset;
    const wanted = Math.min(this.bytes.length, this.size - offset);
    const got = this.#source.readInto(this.bytes.subarray(0, Math.max(0, wanted)), offset);
    this.end = offset + got;
  }

  /** Makes [offset, offset + length) readable; false when the file ends before. */
  load(offset: number, length: number): boolean {
    if (offset >= this.base && offset + length <= this.end) return true;
    if (offset < 0 || offset + length > this.size) return false;
    if (length > this.bytes.length) {
      this.bytes = new Uint8Array(length);
      this.view = new DataView(this.bytes.buffer);
    }
    this.#fill(offset);
    return offset + length <= this.end;
  }
}
