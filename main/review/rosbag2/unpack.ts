import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ByteSource, fileSource } from "../source";

const PIECE_BYTES = 1024 * 1024;

export interface Unpacked {
  readonly source: ByteSource;
  /** In words when the packed file ended or broke before its end. */
  readonly cut: string | null;
}

/** Unpacks a whole file packed with Zstandard into a temporary one, piece by piece; closing it removes it. */
export async function unpackZstd(path: string): Promise<Unpacked> {
  const { Decompress } = await import("fzstd");
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-bag-"));
  const name = join(folder, "unpacked");
  const input = openSync(path, "r");
  const output = openSync(name, "w");
  let cut: string | null = null;
  let read = 0;
  const seen = { last: false };
  try {
    const stream = new Decompress((piece, last) => {
      writeSync(output, piece);
      if (last) seen.last = true;
    });
    const buffer = new Uint8Array(PIECE_BYTES);
    for (;;) {
      const got = readSync(input, buffer, 0, buffer.length, null);
      stream.push(Uint8Array.from(buffer.subarray(0, got)), got < buffer.length);
      read += got;
      if (got < buffer.length) break;
    }
  } catch (error) {
    cut = error instanceof Error ? error.message : String(error);
  } finally {
    closeSync(input);
    closeSync(output);
  }
  if (cut === null && !seen.last) cut = "unexpected end";
  const source = fileSource(name);
  return {
    source: {
      ...source,
      close: () => {
        source.close();
        rmSync(folder, { recursive: true, force: true });
      },
    },
    cut:
      cut === null ? null : `the packed file is damaged near byte ${read} (${cut}); what came before is kept`,
  };
}
