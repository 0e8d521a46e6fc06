import type { ParquetRow } from "./parquet";

/** Longer lists are data, not fields. */
const MAX_COLUMNS = 256;

interface StoredPicture {
  readonly bytes: Uint8Array | null;
  readonly path: string;
}

/** The rows of one episode, collected column by column. */
export class EpisodeRows {
  readonly #columns = new Map<string, number[]>();
  readonly #pictures = new Map<string, (StoredPicture | null)[]>();
  rows = 0;

  add(
    row: ParquetRow,
    numeric: readonly string[],
    cameras: readonly string[],
  ): { number_bytes: number; picture_bytes: number } {
    let [number_bytes, picture_bytes] = [0, 0];
    for (const key of numeric) number_bytes += this.#number(key, row[key]);
    for (const key of cameras) {
      const picture = stored(row[key]);
      const list = this.#pictures.get(key) ?? [];
      this.#pictures.set(key, list);
      list[this.rows] = picture;
      picture_bytes += picture?.bytes?.length ?? 0;
    }
    this.rows += 1;
    return { number_bytes, picture_bytes };
  }

  #number(path: string, value: unknown): number {
    if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
      const column = this.#columns.get(path) ?? [];
      this.#columns.set(path, column);
      column[this.rows] = Number(value);
      return 8;
    }
    if (value === null || typeof value !== "object") return 0;
    const items = value as ArrayLike<unknown>;
    if (!(items.length <= MAX_COLUMNS)) return 0;
    let bytes = 0;
    for (let i = 0; i < items.length; i++) bytes += this.#number(`${path}[${i}]`, items[i]);
    return bytes;
  }

  paths(): string[] {
    return [...this.#columns.keys()];
  }

  values(path: string): Float64Array | null {
    const column = this.#columns.get(path);
    return column ? Float64Array.from({ length: this.rows }, (_, i) => column[i] ?? Number.NaN) : null;
  }

  /** The rows' own times behind `start_s`, in order; rows without are a frame apart. */
  times(start_s: number, fps: number): Float64Array {
    const stamps = this.#columns.get("timestamp");
    const first = stamps?.[0] ?? 0;
    let last = start_s;
    return Float64Array.from({ length: this.rows }, (_, i) => {
      const stamp = (stamps?.[i] ?? Number.NaN) - first;
      const sane = stamp >= 0 && stamp <= (this.rows + 1) * (10 / fps);
      last = Math.max(last, start_s + (sane ? stamp : i / fps));
      return last;
    });
  }

  task(): number | null {
    return this.#columns.get("task_index")?.[0] ?? null;
  }

  cameras(): string[] {
    return [...this.#pictures.keys()];
  }

  picture(camera: string, row: number): StoredPicture | null {
    return this.#pictures.get(camera)?.[row] ?? null;
  }
}

function stored(value: unknown): StoredPicture | null {
  if (value instanceof Uint8Array) return { bytes: value, path: "" };
  if (value === null || typeof value !== "object") return null;
  const { bytes, path } = value as { bytes?: unknown; path?: unknown };
  return {
    bytes: bytes instanceof Uint8Array ? bytes : null,
    path: typeof path === "string" ? path : path instanceof Uint8Array ? Buffer.from(path).toString() : "",
  };
}
