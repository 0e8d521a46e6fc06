import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { FileStore } from "../../link/metadata/component-files";
import { ftpCrc32 } from "../../link/protocols/ftp-wire";
import { isParameterType } from "../../link/protocols/parameter-value";
import type { Parameter } from "../../link/protocols/parameters";

const PARAMETER_SCHEMA = 1;
const ParameterCacheFile = z.object({
  schema: z.literal(PARAMETER_SCHEMA),
  hash: z.number(),
  parameters: z.array(
    z.tuple([z.string(), z.number(), z.number().refine(isParameterType), z.number().int()]),
  ),
});

/** Parameters of an earlier connection, kept under the hash that the vehicle gives of all names and values. */
export class ParameterCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Null when there are none of that hash, or the file does not hold what it should. */
  async load(system_id: number, hash: number): Promise<readonly Parameter[] | null> {
    const text = await readFile(this.#path(system_id, hash), "utf8").catch(() => null);
    if (text === null) return null;
    const parsed = ParameterCacheFile.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.hash !== hash) return null;
    return parsed.data.parameters.map(([name, value, type, index]) => ({
      name,
      value,
      type: type,
      index,
    }));
  }

  async save(system_id: number, hash: number, parameters: Iterable<Parameter>): Promise<void> {
    const rows = [...parameters].map(({ name, value, type, index }) => [name, value, type, index]);
    // JSON has no NaN: a list with one is read from the vehicle each time.
    if (rows.some(([, value]) => !Number.isFinite(value))) return;
    const text = JSON.stringify({ schema: PARAMETER_SCHEMA, hash, parameters: rows });
    await replace(this.#path(system_id, hash), Buffer.from(text, "utf8"));
  }

  #path(system_id: number, hash: number): string {
    return join(this.#folder, `${String(system_id)}-${(hash >>> 0).toString(16).padStart(8, "0")}.json`);
  }
}

/** Descriptions of vehicles, each under its checksum, which is checked again when it is read. */
export function fileStore(folder: string): FileStore {
  const pathOf = (crc: number): string => join(folder, `${(crc >>> 0).toString(16).padStart(8, "0")}.bin`);
  return {
    load: async (crc) => {
      const bytes = await readFile(pathOf(crc)).catch(() => null);
      return bytes !== null && ftpCrc32(bytes) === crc >>> 0 ? bytes : null;
    },
    save: (crc, bytes) =>
      ftpCrc32(bytes) === crc >>> 0 ? replace(pathOf(crc), Buffer.from(bytes)) : Promise.resolve(),
  };
}

/** For simulated time: nothing that was there before may change what happens. */
export const noFileStore: FileStore = {
  load: () => Promise.resolve(null),
  save: () => Promise.resolve(),
};

/** A cache that cannot be written is no cache; the vehicle is asked again. */
async function replace(path: string, bytes: Buffer): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, bytes);
    await rename(`${path}.new`, path);
  } catch {
    // Full disk or no permission: as if it had not been kept.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
