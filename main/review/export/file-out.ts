import { closeSync, openSync, writeSync } from "node:fs";

const BUFFER = 1 << 20;

/** A file written in large pieces. Synchronous, so that a full disk is an error where it happens. */
export class FileOut {
  readonly #fd: number;
  #pending: Buffer[] = [];
  #waiting = 0;
  #size = 0;

  constructor(path: string) {
    this.#fd = openSync(path, "wx");
  }

  get size(): number {
    return this.#size;
  }

  write(data: string | Uint8Array): void {
    const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : Buffer.from(data);
    this.#pending.push(bytes);
    this.#waiting += bytes.length;
    this.#size += bytes.length;
    if (this.#waiting >= BUFFER) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#waiting = 0;
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
  }

  /** Writes what is left. With `keep` false only lets go of the file. */
  close(keep = true): void {
    try {
      if (keep) this.#flush();
    } finally {
      closeSync(this.#fd);
    }
  }
}

/** Runs `work` with an open file, closed in any case. */
export async function withFile<T>(path: string, work: (out: FileOut) => Promise<T>): Promise<T> {
  const out = new FileOut(path);
  let done = false;
  try {
    const result = await work(out);
    done = true;
    return result;
  } finally {
    out.close(done);
  }
}
