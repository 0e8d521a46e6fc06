import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type ByteSource, readBytes } from "../source";
import { pack, unpack } from "./pack";
import { IndexStore, type Origin } from "./store";

/** Gives what `make` makes, or what it made last time for the same content. `kind` names the format and what is kept. */
export type Remember = <T>(kind: string, make: () => T) => T;

/** For bytes in memory, and where nothing may be kept. */
export const forgetful: Remember = (_, make) => make();

/** Smaller logs are indexed in less time than a file takes. */
const MIN_BYTES = 16 * 1024 * 1024;
const EDGE_BYTES = 64 * 1024;
const SAMPLES = 62;
const SAMPLE_BYTES = 4096;

/**
 * Tells a log by its content without reading all of it: its size, both ends, where recorders write last, and 62 samples
 * between. A change of a few bytes between the samples of a file in its old place shows in its time of change.
 */
export function fingerprint(source: ByteSource): string {
  const hash = createHash("sha256").update(String(source.size));
  hash.update(readBytes(source, 0, EDGE_BYTES));
  for (let k = 1; k <= SAMPLES; k++)
    hash.update(readBytes(source, Math.floor((source.size * k) / (SAMPLES + 1)), SAMPLE_BYTES));
  hash.update(readBytes(source, Math.max(0, source.size - EDGE_BYTES), EDGE_BYTES));
  return hash.digest("hex").slice(0, 40);
}

/** Remembers in Kingfisher's own folder. A log that changes while it is indexed is still being written: it is not kept. */
export function rememberIn(
  folder: string,
  source: ByteSource,
  path: string,
  min_bytes = MIN_BYTES,
): Remember {
  if (source.size < min_bytes) return forgetful;
  const store = new IndexStore(folder);
  return <T>(kind: string, make: () => T): T => {
    const before = originOf(path);
    if (!before) return make();
    const key = `${kind}-${fingerprint(source)}`;
    const known = store.get(key, before.origin);
    if (known !== null) return unpack(known) as T;
    const made = make();
    const after = originOf(path);
    const steady = after?.size === source.size && after.origin.modified_ms === before.origin.modified_ms;
    if (steady) {
      // Packed now, because opening goes on to join and sort what was made; answering comes before the disk.
      const packed = pack(made);
      setImmediate(() => void store.put(key, before.origin, packed));
    }
    return made;
  };
}

function originOf(path: string): { origin: Origin; size: number } | null {
  try {
    const { mtimeMs, size } = statSync(path);
    return { origin: { path: resolve(path), modified_ms: mtimeMs }, size };
  } catch {
    return null;
  }
}
