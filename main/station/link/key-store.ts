import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";

/** A signing key and the newest time stamp used with it: one used twice is a replay to the vehicle. */
export interface StoredKey {
  readonly key: Uint8Array;
  readonly last_timestamp: number;
}

/** Where the signing key is kept between starts. */
export interface KeyStore {
  /** In words, for the screen. */
  readonly place: string;
  /** Null when there is none, or none that can be read. */
  load(): Promise<StoredKey | null>;
  /** Null forgets it. Rejects when it cannot be kept. */
  save(stored: StoredKey | null): Promise<void>;
}

const KeyFile = z.object({ schema: z.literal(1), key: z.string(), last_timestamp: z.number() });

export function encodeKey(stored: StoredKey): string {
  const key = Buffer.from(stored.key).toString("base64");
  return JSON.stringify({ schema: 1, key, last_timestamp: stored.last_timestamp });
}

/** Null for anything that is no key of 32 bytes. */
export function decodeKey(text: string): StoredKey | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = KeyFile.safeParse(json);
  if (!parsed.success) return null;
  const key = new Uint8Array(Buffer.from(parsed.data.key, "base64"));
  return key.length === 32 ? { key, last_timestamp: parsed.data.last_timestamp } : null;
}

/** In a file that only its owner may read: for computers without a store of their own, and the command line. */
export function fileKeyStore(path: string): KeyStore {
  return storeInFile(path, "a file only you may read", {
    seal: (text) => Buffer.from(text, "utf8"),
    open: (bytes) => bytes.toString("utf8"),
  });
}

/** How the text of a key becomes what is written, and back. */
export interface Seal {
  seal(text: string): Buffer;
  open(bytes: Buffer): string;
}

/** The same, with the content sealed by somebody else: the system's key chain. */
export function storeInFile(path: string, place: string, seal: Seal): KeyStore {
  return {
    place,
    load: async () => {
      try {
        return decodeKey(seal.open(await readFile(path)));
      } catch {
        return null;
      }
    },
    save: async (stored) => {
      if (stored === null) {
        await rm(path, { force: true });
        return;
      }
      await mkdir(dirname(path), { recursive: true });
      // Through a second file, so that a crash leaves the old or the new key, never half of one.
      await writeFile(`${path}.new`, seal.seal(encodeKey(stored)), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}
