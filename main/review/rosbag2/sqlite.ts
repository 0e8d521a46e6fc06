import type { Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import type { ByteSource } from "../source";

/** One value of a row; integers beyond 2^53 arrive rounded, which costs a nanosecond stamp 0.2 µs. */
export type SqlValue = number | string | Uint8Array | null;

/** A database that is only read. Statements throw with SQLite's own words where the file is damaged. */
export interface SqlDatabase {
  /** Rows as arrays, one at a time; `visit` returns false to stop. */
  each(sql: string, bind: readonly number[], visit: (row: readonly SqlValue[]) => boolean): void;
  /** A statement kept for repeated use: the first value of its first row. */
  lookup(sql: string): (key: number) => SqlValue;
  close(): void;
}

export interface Sqlite {
  open(source: ByteSource): SqlDatabase;
}

const VFS = "kingfisher-bytes";
let loading: Promise<Sqlite> | null = null;

/** SQLite as WebAssembly, loaded once and only by databases. */
export function loadSqlite(): Promise<Sqlite> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Sqlite> {
  const { default: start } = await import("@sqlite.org/sqlite-wasm");
  const sqlite = await start();
  // Damage is reported by the reader that meets it, not on the console.
  Object.assign(sqlite.config, { warn: () => undefined, error: () => undefined });
  const files = new Map<string, ByteSource>();
  installReadOnlyFiles(sqlite as unknown as RawSqlite, files);
  let opened = 0;
  return {
    open: (source) => {
      const name = `log-${opened++}`;
      files.set(name, source);
      return openDatabase(sqlite, name, () => files.delete(name));
    },
  };
}

function openDatabase(sqlite: Sqlite3Static, name: string, forget: () => void): SqlDatabase {
  const db = new sqlite.oo1.DB({ filename: name, flags: "r", vfs: VFS });
  const kept: { finalize(): unknown }[] = [];
  return {
    each: (sql, bind, visit) => {
      const statement = db.prepare(sql);
      try {
        if (bind.length > 0) statement.bind([...bind]);
        const count = statement.columnCount;
        while (statement.step()) {
          const row: SqlValue[] = [];
          for (let i = 0; i < count; i++) row.push(plain(statement.get(i)));
          if (!visit(row)) break;
        }
      } finally {
        statement.finalize();
      }
    },
    lookup: (sql) => {
      const statement = db.prepare(sql);
      kept.push(statement);
      return (key) => {
        try {
          statement.bind(1, key);
          return statement.step() ? plain(statement.get(0)) : null;
        } finally {
          statement.reset(true);
        }
      };
    },
    close: () => {
      for (const statement of kept) statement.finalize();
      db.close();
      forget();
    },
  };
}

const plain = (value: unknown): SqlValue =>
  typeof value === "number" || typeof value === "string" || value instanceof Uint8Array
    ? value
    : typeof value === "bigint"
      ? Number(value)
      : null;

/** Numbers are pointers into SQLite's memory. */
type Method = (...args: number[]) => number;
interface Struct {
  readonly pointer: number;
  dispose(): void;
}

/** SQLite's C interface as far as a file system needs it; the package's own types of these parts do not fit it. */
interface RawSqlite {
  readonly capi: {
    readonly sqlite3_io_methods: new () => Struct & { $iVersion: number };
    readonly sqlite3_vfs: new () => Struct & { $iVersion: number; $szOsFile: number; $mxPathname: number };
    readonly sqlite3_file: (new (
      pointer: number,
    ) => Struct & { $pMethods: number }) & {
      readonly structInfo: { readonly sizeof: number };
    };
    readonly SQLITE_READONLY: number;
    readonly SQLITE_IOERR_SHORT_READ: number;
    readonly SQLITE_NOTFOUND: number;
    readonly SQLITE_IOCAP_IMMUTABLE: number;
    readonly SQLITE_CANTOPEN: number;
  };
  readonly wasm: {
    heap8u(): Uint8Array;
    poke32(pointer: number, value: number): void;
    poke64(pointer: number, value: bigint): void;
    cstrToJs(pointer: number): string | null;
    cstrncpy(to: number, from: number, count: number): number;
  };
  readonly vfs: {
    installVfs(parts: {
      io: { struct: Struct; methods: Readonly<Record<string, Method>> };
      vfs: { struct: Struct; name: string; methods: Readonly<Record<string, Method>> };
    }): void;
  };
}

/**
 * A file system (https://www.sqlite.org/vfs.html) over byte sources: pages are read when they are needed, whatever the
 * size of the file, and nothing is ever written or locked beside a user's log.
 */
function installReadOnlyFiles(sqlite: RawSqlite, files: ReadonlyMap<string, ByteSource>): void {
  const { capi, wasm } = sqlite;
  const open = new Map<number, ByteSource>();
  const io = new capi.sqlite3_io_methods();
  const vfs = new capi.sqlite3_vfs();
  io.$iVersion = 1;
  vfs.$iVersion = 1;
  vfs.$szOsFile = capi.sqlite3_file.structInfo.sizeof;
  vfs.$mxPathname = 256;
  const refuse = (): number => capi.SQLITE_READONLY;
  const agree = (): number => 0;
  sqlite.vfs.installVfs({
    io: {
      struct: io,
      methods: {
        xClose: (file = 0) => {
          open.delete(file);
          return 0;
        },
        // 64-bit arguments come as bigint.
        xRead: (file = 0, into = 0, count = 0, offset: number | bigint = 0) => {
          const bytes = wasm.heap8u().subarray(into, into + count);
          const got = open.get(file)?.readInto(bytes, Number(offset)) ?? 0;
          if (got === count) return 0;
          bytes.fill(0, got);
          return capi.SQLITE_IOERR_SHORT_READ;
        },
        xWrite: refuse,
        xTruncate: refuse,
        xSync: agree,
        xFileSize: (file = 0, out = 0) => {
          wasm.poke64(out, BigInt(open.get(file)?.size ?? 0));
          return 0;
        },
        xLock: agree,
        xUnlock: agree,
        xCheckReservedLock: (_, out = 0) => {
          wasm.poke32(out, 0);
          return 0;
        },
        xFileControl: () => capi.SQLITE_NOTFOUND,
        xSectorSize: () => 4096,
        xDeviceCharacteristics: () => capi.SQLITE_IOCAP_IMMUTABLE,
      },
    },
    vfs: {
      struct: vfs,
      name: VFS,
      methods: {
        xOpen: (_, name = 0, file = 0, flags = 0, out = 0) => {
          const path = name === 0 ? "" : (wasm.cstrToJs(name) ?? "");
          const source = files.get(path.replace(/^.*\//, ""));
          if (!source) return capi.SQLITE_CANTOPEN;
          open.set(file, source);
          const struct = new capi.sqlite3_file(file);
          struct.$pMethods = io.pointer;
          struct.dispose();
          if (out !== 0) wasm.poke32(out, flags);
          return 0;
        },
        xDelete: refuse,
        xAccess: (_, __, ___, out = 0) => {
          wasm.poke32(out, 0);
          return 0;
        },
        xFullPathname: (_, name = 0, count = 0, out = 0) =>
          wasm.cstrncpy(out, name, count) < count ? 0 : capi.SQLITE_CANTOPEN,
        xRandomness: (_, count = 0) => count,
        xSleep: agree,
        xCurrentTime: agree,
        xGetLastError: agree,
      },
    },
  });
}
