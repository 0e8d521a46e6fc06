import { createHash } from "node:crypto";
import { fileSource, readBytes } from "./source";

const SAMPLE = 64 * 1024;

/** Tells a log by what is in it, wherever it lies: its size, beginning, middle and end. Throws the system's error. */
export function contentKey(path: string): string {
  const source = fileSource(path);
  try {
    const hash = createHash("sha256").update(String(source.size));
    for (const from of [0, Math.floor(source.size / 2), Math.max(0, source.size - SAMPLE)])
      hash.update(readBytes(source, from, SAMPLE));
    return hash.digest("hex").slice(0, 32);
  } finally {
    source.close();
  }
}
