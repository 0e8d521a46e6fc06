import type { FlightLog } from "./flight-log";

export interface Entry {
  readonly name: string;
  /** Null for a directory. */
  readonly size: number | null;
}

const logFolder = "/fs/microsd/log/sess001";
const writable = "/fs/microsd/";
const most_bytes = 1 << 20;

/** The vehicle's files as file transfer sees them: descriptions under /etc/extras, logs and a little room on the card. */
export class VehicleFiles {
  readonly #fixed: ReadonlyMap<string, Uint8Array>;
  readonly #written = new Map<string, Uint8Array>();
  readonly #log: FlightLog;

  constructor(fixed: ReadonlyMap<string, Uint8Array>, log: FlightLog) {
    this.#fixed = fixed;
    this.#log = log;
  }

  read(path: string): Uint8Array | null {
    const clean = tidy(path);
    return this.#all().get(clean) ?? null;
  }

  /** Sorted entries of a directory; null when there is no such directory. */
  list(path: string): Entry[] | null {
    const folder = tidy(path);
    const prefix = folder === "/" ? "/" : `${folder}/`;
    const found = new Map<string, number | null>();
    for (const [file, bytes] of this.#all()) {
      if (!file.startsWith(prefix)) continue;
      const rest = file.slice(prefix.length);
      const slash = rest.indexOf("/");
      if (slash < 0) found.set(rest, bytes.length);
      else found.set(rest.slice(0, slash), null);
    }
    const known = found.size > 0 || folder === "/" || `${folder}/` === writable || folder === logFolder;
    return known
      ? [...found].map(([name, size]) => ({ name, size })).sort((a, b) => (a.name < b.name ? -1 : 1))
      : null;
  }

  /** Writes below the card only; answers whether it did. `empty` starts the file anew. */
  write(path: string, offset: number, data: Uint8Array, empty: boolean): boolean {
    const clean = tidy(path);
    if (!clean.startsWith(writable) || clean.startsWith(logFolder)) return false;
    const before = empty ? new Uint8Array() : (this.#written.get(clean) ?? new Uint8Array());
    const length = Math.max(before.length, offset + data.length);
    if (length > most_bytes) return false;
    const grown = new Uint8Array(length);
    grown.set(before);
    grown.set(data, offset);
    this.#written.set(clean, grown);
    return true;
  }
  remove(path: string): boolean {
    return this.#written.delete(tidy(path));
  }

  #all(): Map<string, Uint8Array> {
    const all = new Map([...this.#fixed, ...this.#written]);
    for (const log of this.#log.logs) all.set(`${logFolder}/${log.name}`, log.bytes);
    return all;
  }
}

/** One leading slash, none trailing, no "@" markers and no steps upward. */
function tidy(path: string): string {
  const parts = path.split("/").filter((p) => p !== "" && p !== "." && p !== "..");
  return `/${parts.join("/")}`;
}
