import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { LogSink } from "../../link/protocols/logs";

/** Written in pieces of this size: single log messages carry 90 bytes. */
const PIECE = 1 << 16;

interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
  length: number;
}

/**
 * A file that comes in out of order, beside the name that it gets when it is whole. What is there of an earlier try is
 * kept; it never blocks its caller.
 */
export class FileSink implements LogSink {
  readonly #path: string;
  readonly #handle: FileHandle;
  #piece: Piece | null = null;
  #writing: Promise<void> = Promise.resolve();
  #failed: Error | null = null;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  /** With how many bytes are there without a gap. */
  static async open(path: string, size: number): Promise<{ readonly sink: FileSink; readonly from: number }> {
    await mkdir(dirname(path), { recursive: true });
    const part = `${path}.part`;
    const there = await stat(part).catch(() => null);
    const handle = await open(part, there === null ? "w+" : "r+");
    return { sink: new FileSink(path, handle), from: Math.min(there?.size ?? 0, size) };
  }

  write(offset: number, bytes: Uint8Array): void {
    const piece = this.#piece;
    if (piece !== null && offset === piece.at + piece.length && piece.length + bytes.length <= PIECE) {
      piece.bytes.set(bytes, piece.length);
      piece.length += bytes.length;
      return;
    }
    this.#flush();
    const fresh = { at: offset, bytes: new Uint8Array(Math.max(PIECE, bytes.length)), length: bytes.length };
    fresh.bytes.set(bytes);
    this.#piece = fresh;
  }

  /** Whole: takes its name. Rejects when the disk did not take it. */
  async finish(): Promise<void> {
    await this.#end();
    await rename(`${this.#path}.part`, this.#path);
  }

  /** Stopped: keeps what has no gap, for the next try. */
  async keep(length: number): Promise<void> {
    this.#flush();
    await this.#writing;
    await this.#handle.truncate(length).catch(() => {});
    await this.#handle.close().catch(() => {});
  }

  async #end(): Promise<void> {
    this.#flush();
    await this.#writing;
    await this.#handle.close();
    if (this.#failed !== null) throw this.#failed;
  }

  #flush(): void {
    const piece = this.#piece;
    if (piece === null) return;
    this.#piece = null;
    this.#writing = this.#writing
      .then(() => this.#handle.write(piece.bytes, 0, piece.length, piece.at))
      .then(
        () => {},
        (error: unknown) => {
          this.#failed ??= error instanceof Error ? error : new Error(String(error));
        },
      );
  }
}
