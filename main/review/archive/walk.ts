import { type Dirent, existsSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileName } from "../export/names";

export interface FoundFlight {
  /** What `review.open` takes. */
  readonly path: string;
  readonly file: string;
  readonly size_bytes: number;
  /** Changes when the file does. */
  readonly stamp: string;
}

const LOG = /\.(mcap|ulg|ulog|tlog|bin|bag|db3|hdf5)$/i;
const DEEPEST = 6;
const MOST = 20_000;

/**
 * Flights below a folder. A folder with `flight.mcap` is one flight, with all that lies in it; elsewhere every log is one.
 * Hidden folders and links are passed over.
 */
export function walkFlights(folder: string): FoundFlight[] {
  const out: FoundFlight[] = [];
  const visit = (at: string, depth: number): void => {
    if (depth > DEEPEST || out.length >= MOST) return;
    const main = ["flight.mcap", "flight.tlog"]
      .map((name) => join(at, name))
      .find((file) => existsSync(file));
    if (main !== undefined) {
      add(at, main);
      return;
    }
    let entries: Dirent[];
    try {
      entries = readdirSync(at, { withFileTypes: true });
    } catch {
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (entry.isFile() && LOG.test(entry.name)) add(path, path);
    }
  };
  const add = (path: string, file: string): void => {
    try {
      const { size, mtimeMs } = statSync(file);
      out.push({ path, file, size_bytes: size, stamp: `${size}-${Math.round(mtimeMs)}` });
    } catch {
      // Gone between listing and looking: the next index finds what is there then.
    }
  };
  visit(folder, 0);
  return out;
}

/** A name for SQL and data sets: the path below the folder. */
export function nameIn(folder: string, path: string, taken: ReadonlySet<string>): string {
  const base = fileName(relative(folder, path)) || "flight";
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(name)) return name;
  }
}
