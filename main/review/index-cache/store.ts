import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { realClock } from "../../platform/clock";

/** Raised whenever an index means something else than before: older ones are then made again. */
const SCHEMA = 1;
const MAGIC = `kingfisher index ${SCHEMA}\n`;
const HASH_BYTES = 32;
/** All indexes together; the least recently used go first. */
const LIMIT_BYTES = 1024 * 1024 * 1024;

/** Where and when a log was when its index was made. */
export interface Origin {
  readonly path: string;
  readonly modified_ms: number;
}

/**
 * Packed indexes of large logs on disk, by what is in the log. Only a convenience: a file that is missing, cut, altered, of
 * another version or of another runtime is as good as none.
 */
export class IndexStore {
  readonly #folder: string;
  readonly #limit_bytes: number;

  constructor(folder: string, limit_bytes = LIMIT_BYTES) {
    this.#folder = folder;
    this.#limit_bytes = limit_bytes;
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.index`);
  }

  /**
   * Null when there is none that can be believed. The same place with another time of change is a log that was written
   * on, whatever its samples say; the same content in another place is a copy.
   */
  get(key: string, origin: Origin): unknown {
    const path = this.#path(key);
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return null;
    }
    try {
      const head = MAGIC.length + HASH_BYTES;
      const body = bytes.subarray(head);
      const sound =
        bytes.subarray(0, MAGIC.length).toString("latin1") === MAGIC &&
        createHash("sha256").update(body).digest().equals(bytes.subarray(MAGIC.length, head));
      const entry = sound ? (deserialize(body) as { origin: Origin; value: unknown }) : null;
      if (!entry) {
        rmSync(path, { force: true });
        return null;
      }
      const rewritten = entry.origin.path === origin.path && entry.origin.modified_ms !== origin.modified_ms;
      if (rewritten) return null;
      touch(path);
      return entry.value;
    } catch {
      return null;
    }
  }

  /** Written beside its place and moved there, so that no half of one is ever read. Failing is no harm. */
  async put(key: string, origin: Origin, value: unknown): Promise<void> {
    try {
      mkdirSync(this.#folder, { recursive: true });
      const body = serialize({ origin, value });
      if (body.length > this.#limit_bytes / 2) return;
      const hash = createHash("sha256").update(body).digest();
      const temporary = join(this.#folder, `${key}.${process.pid}.new`);
      await writeFile(temporary, Buffer.concat([Buffer.from(MAGIC, "latin1"), hash, body]));
      renameSync(temporary, this.#path(key));
      this.#bound();
    } catch {
      // A full or read-only disk: the log is read again next time.
    }
  }

  #bound(): void {
    const files = readdirSync(this.#folder)
      .filter((name) => /\.(index|new)$/.test(name))
      .map((name) => {
        const path = join(this.#folder, name);
        const { size, mtimeMs } = statSync(path);
        return { path, size, mtimeMs };
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
    let total = 0;
    for (const { path, size } of files) {
      total += size;
      if (total > this.#limit_bytes) rmSync(path, { force: true });
    }
  }
}

/** Used just now: the newest times stay longest. */
function touch(path: string): void {
  const now = new Date(realClock().utc_ms());
  try {
    utimesSync(path, now, now);
  } catch {
    // Not being able to say so only makes it older than it is.
  }
}
