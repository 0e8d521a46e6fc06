import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { RecentFile } from "#contract/review-workspace";
import { readJson, writeWhole } from "./files";

const Kept = z.array(z.strictObject({ path: z.string(), title: z.string(), opened_utc_ms: z.number() }));
const MOST = 20;

/** What was opened last, newest first. A list that cannot be read or written is an empty one: it is a convenience. */
export class RecentFiles {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  list(): RecentFile[] {
    return this.#read().map((file) => ({ ...file, exists: existsSync(file.path) }));
  }

  add(path: string, title: string, opened_utc_ms: number): void {
    const whole = resolve(path);
    const others = this.#read().filter((file) => file.path !== whole);
    this.#write([{ path: whole, title, opened_utc_ms }, ...others].slice(0, MOST));
  }

  clear(): void {
    this.#write([]);
  }

  #read(): z.infer<typeof Kept> {
    const json = readJson(this.#path);
    const parsed = json.ok ? Kept.safeParse(json.value) : null;
    return parsed?.success ? parsed.data : [];
  }

  #write(files: z.infer<typeof Kept>): void {
    writeWhole(this.#path, JSON.stringify(files), true);
  }
}
