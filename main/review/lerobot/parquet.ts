import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { AsyncBuffer } from "hyparquet";
import { loadCodecs } from "../compression";

export type ParquetRow = Readonly<Record<string, unknown>>;

export interface ParquetFile {
  readonly columns: readonly string[];
  readonly rows: number;
  /** Rows in order, only the named columns of them. */
  read(columns: readonly string[], from: number, to: number): Promise<readonly ParquetRow[]>;
  close(): void;
}

/** Opens one Parquet file for reading parts of it. Throws in the library's words; a file without its footer cannot be read. */
export async function openParquet(path: string): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const codecs = await loadCodecs();
  const compressors = {
    GZIP: (packed: Uint8Array) => new Uint8Array(gunzipSync(packed)),
    ZSTD: (packed: Uint8Array) => codecs.zstdFrame(packed),
  };
  const fd = openSync(path, "r");
  const { size } = fstatSync(fd);
  const file: AsyncBuffer = {
    byteLength: size,
    slice: (start, end = size) => {
      const bytes = new Uint8Array(Math.max(0, end - start));
      let done = 0;
      while (done < bytes.length) {
        const got = readSync(fd, bytes, done, bytes.length - done, start + done);
        if (got === 0) break;
        done += got;
      }
      return bytes.buffer;
    },
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    const top = metadata.row_groups[0]?.columns.map((c) => c.meta_data?.path_in_schema[0] ?? "") ?? [];
    return {
      columns: [...new Set(top)],
      rows: Number(metadata.num_rows),
      read: async (columns, rowStart, rowEnd) =>
        parquetReadObjects({
          file,
          metadata,
          columns: [...columns],
          rowStart,
          rowEnd,
          compressors,
          utf8: false,
        }),
      close: () => {
        closeSync(fd);
      },
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
