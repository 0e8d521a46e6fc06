import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Group } from "h5wasm/node";
import { type ByteSource, readBytes } from "../source";

const MAGIC = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A cut file is copied to be read; larger ones are left alone. */
const REPAIR_BYTES = 1024 * 1024 * 1024;

export const isHdf5 = (head: Uint8Array): boolean => superblock(head) >= 0;

/** Where the superblock begins: 0, or behind a user block of 512, 1024 or 2048 bytes. */
function superblock(head: Uint8Array): number {
  return [0, 512, 1024, 2048].find((at) => MAGIC.equals(head.subarray(at, at + MAGIC.length))) ?? -1;
}

/** One file, or two copies of a cut one that differ only in what fills the missing end. */
export interface Hdf5File {
  readonly roots: readonly Group[];
  readonly truncated: string | null;
  /** Does what HDF5's C functions may fail at: their errors are thrown, where the package alone would return garbage. */
  readonly strictly: <T>(act: () => T) => T;
  readonly close: () => void;
}

/**
 * Opens an HDF5 file (https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html). The library refuses one that is
 * shorter than its superblock says. Such a file is copied twice, with its missing end filled with zeros and with ones:
 * what reads differently in the two is what is lost, and all the rest is good. Throws in words.
 */
export async function openHdf5(source: ByteSource, path: string | null): Promise<Hdf5File> {
  const h5wasm = await import("h5wasm/node");
  const library = await h5wasm.ready;
  const strictly = <T>(act: () => T): T => {
    library.activate_throwing_error_handler();
    try {
      return act();
    } finally {
      library.deactivate_throwing_error_handler();
    }
  };
  const stated = statedEnd(readBytes(source, 0, 4096));
  const missing = Math.max(0, stated - source.size);
  if (path !== null && missing === 0) {
    const file = new h5wasm.File(path, "r");
    return { roots: [file], truncated: null, strictly, close: () => file.close() };
  }
  if (missing > 0 && (stated > REPAIR_BYTES || stated > source.size * 4 + 65_536))
    throw new Error(`it is cut: ${source.size} of ${stated} bytes are there`);
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-hdf5-"));
  const bytes = readBytes(source, 0, source.size);
  const opened: { close(): unknown }[] = [];
  const close = (): void => {
    for (const file of opened) file.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const roots = (missing > 0 ? [0x00, 0xff] : [0x00]).map((fill) => {
      const name = join(folder, `${fill}.hdf5`);
      writeFileSync(name, Buffer.concat([bytes, Buffer.alloc(missing, fill)]));
      const file = new h5wasm.File(name, "r");
      opened.push(file);
      return file;
    });
    const truncated = missing > 0 ? `cut at byte ${source.size} of ${stated}` : null;
    return { roots, truncated, strictly, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Where the superblock says the file ends; 0 when it does not. */
function statedEnd(head: Uint8Array): number {
  const at = superblock(head);
  if (at < 0 || head.length < at + 64) return 0;
  const view = new DataView(head.buffer, head.byteOffset + at, head.byteLength - at);
  const version = view.getUint8(8);
  const width = view.getUint8(version < 2 ? 13 : 9);
  if (width !== 8) return 0;
  const base = version === 0 ? 24 : version === 1 ? 28 : 12;
  const end = Number(view.getBigUint64(base + 16, true));
  return Number.isSafeInteger(end) ? end : 0;
}
