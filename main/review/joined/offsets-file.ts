import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const Remembered = z.record(z.string(), z.number());
const MOST = 2000;

/** Offsets that a person set or accepted, by the content of both logs: moved or renamed files keep theirs. */
export class OffsetsFile {
  readonly #path: string | null;

  /** Null remembers nothing. */
  constructor(path: string | null) {
    this.#path = path;
  }

  get(reference: string, other: string): number | null {
    const all = this.#read();
    const mine = all[`${reference} ${other}`];
    if (mine !== undefined) return mine;
    const back = all[`${other} ${reference}`];
    return back === undefined ? null : -back;
  }

  /** Null forgets. A file that cannot be written costs only the memory, never the review. */
  set(reference: string, other: string, offset_s: number | null): void {
    if (this.#path === null) return;
    const all = new Map(Object.entries(this.#read()));
    for (const key of [`${reference} ${other}`, `${other} ${reference}`]) all.delete(key);
    if (offset_s !== null) all.set(`${reference} ${other}`, offset_s);
    const kept = Object.fromEntries([...all].slice(-MOST));
    try {
      mkdirSync(dirname(this.#path), { recursive: true });
      writeFileSync(`${this.#path}.new`, JSON.stringify(kept));
      renameSync(`${this.#path}.new`, this.#path);
    } catch {
      // Said nowhere: the offset is in force, and a workspace file keeps it too.
    }
  }

  #read(): Record<string, number> {
    if (this.#path === null) return {};
    try {
      const read = Remembered.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return read.success ? read.data : {};
    } catch {
      return {};
    }
  }
}
