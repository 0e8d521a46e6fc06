import { type FileHandle, open } from "node:fs/promises";

/**
 * An append-only file that never blocks its writer: bytes are queued and one asynchronous loop hands them to the
 * system in order. What has been handed over survives the death of this process; `sync` asks for the disk too.
 */
export interface Sink {
  /** Copies `bytes`: the caller may reuse its buffer at once. */
  write(bytes: Uint8Array): void;
  /** Flushes to the disk in the background, so that a power cut costs little as well. */
  sync(): void;
  readonly pending_bytes: number;
  readonly written_bytes: number;
  /** Why writing stopped (disk full, folder gone), in one sentence; null while all is well. */
  readonly problem: string | null;
  /** Settles when everything queued so far has been handed to the system or has failed. */
  drained(): Promise<void>;
  close(): Promise<void>;
}

class FileSink implements Sink {
  readonly #handle: FileHandle;
  readonly #path: string;
  #queue: Uint8Array[] = [];
  #running: Promise<void> | null = null;
  #syncing = false;
  #dirty = false;
  pending_bytes = 0;
  written_bytes = 0;
  problem: string | null = null;

  constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
  }

  write(bytes: Uint8Array): void {
    if (this.problem !== null) return;
    this.#queue.push(Uint8Array.from(bytes));
    this.pending_bytes += bytes.length;
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      let size = 0;
      for (const part of batch) size += part.length;
      try {
        await writeAll(this.#handle, batch, size);
        this.written_bytes += size;
        this.#dirty = true;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        this.problem = `Recording to ${this.#path} stopped: ${why}. Free disk space and start a new recording.`;
        this.#queue = [];
        this.pending_bytes = 0;
        break;
      }
      this.pending_bytes -= size;
    }
    this.#running = null;
  }

  sync(): void {
    if (this.#syncing || !this.#dirty) return;
    this.#syncing = true;
    this.#dirty = false;
    this.#handle
      .datasync()
      .catch(() => {
        this.#dirty = true;
      })
      .finally(() => {
        this.#syncing = false;
      });
  }

  async drained(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async close(): Promise<void> {
    await this.drained();
    await this.#handle.datasync().catch(() => {});
    await this.#handle.close();
  }
}

/** `writev` may write less than asked; one joined buffer keeps the retry simple. */
async function writeAll(handle: FileHandle, batch: readonly Uint8Array[], size: number): Promise<void> {
  const [only] = batch;
  const bytes = batch.length === 1 && only ? only : Buffer.concat(batch, size);
  for (let at = 0; at < size; ) {
    const { bytesWritten } = await handle.write(bytes, at, size - at);
    at += bytesWritten;
  }
}

/** Creates `path`; throws the system's error when that is not possible. Never overwrites. */
export async function openSink(path: string): Promise<Sink> {
  return new FileSink(await open(path, "wx"), path);
}
