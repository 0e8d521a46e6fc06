import type { SqlResult } from "#contract/archive";
import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";

/** A value as tables take it; NaN becomes NULL. */
export type Cell = string | number | boolean | null | Uint8Array | readonly number[] | readonly string[];

export interface Ask {
  readonly limit: number;
  readonly timeout_s: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One DuckDB database, in memory or in a file. The only file that loads the package, and only when it is needed. */
export interface Duck {
  run(sql: string, values?: readonly (string | number | null)[]): Promise<void>;
  rows(
    sql: string,
    values?: readonly (string | number | null)[],
  ): Promise<Record<string, string | number | boolean | null>[]>;
  /** Appends rows to a table with the same columns in the same order. */
  append(table: string, rows: Iterable<readonly Cell[]>): Promise<void>;
  /** Tables that a SELECT names; none for anything else. (The package's own `getTableNames` misses joined ones.) */
  tablesIn(sql: string): Promise<readonly string[]>;
  /** One SELECT of somebody else: nothing but reading, in time. */
  ask(sql: string, limits: Ask): Promise<Result<SqlResult, string>>;
  close(): void;
}

export async function openDuck(path = ":memory:"): Promise<Duck> {
  const { DuckDBInstance, StatementType, DuckDBListType, DuckDBBlobValue } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(path, { threads: "2", memory_limit: "1GB" });
  const connection = await instance.connect();
  const bind = (values: readonly (string | number | null)[] | undefined) =>
    values ? [...values] : undefined;
  return {
    run: async (sql, values) => {
      await connection.run(sql, bind(values));
    },
    rows: async (sql, values) => {
      const read = await connection.runAndReadAll(sql, bind(values));
      return read.getRowObjectsJson() as Record<string, string | number | boolean | null>[];
    },
    append: async (table, rows) => {
      const appender = await connection.createAppender(table);
      const types = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i));
      for (const row of rows) {
        for (const [i, cell] of row.entries()) {
          const type = types[i];
          if (cell === null || (typeof cell === "number" && Number.isNaN(cell))) appender.appendNull();
          else if (cell instanceof Uint8Array) appender.appendValue(new DuckDBBlobValue(cell), type);
          else if (Array.isArray(cell) && type instanceof DuckDBListType) appender.appendList(cell, type);
          else if (typeof cell === "string") appender.appendVarchar(cell);
          else if (typeof cell === "boolean") appender.appendBoolean(cell);
          else if (typeof cell === "number")
            if (String(type) === "BIGINT")
              // BIGINT columns hold counts; JavaScript's whole numbers fit.
              appender.appendBigInt(BigInt(Math.round(cell)));
            else if (String(type) === "FLOAT") appender.appendFloat(cell);
            else appender.appendDouble(cell);
        }
        appender.endRow();
      }
      appender.closeSync();
    },
    tablesIn: async (sql) => {
      const read = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
      const found = read.getRowsJson()[0]?.[0];
      const text = typeof found === "string" ? found : "";
      return [...text.matchAll(/"table_name":("(?:[^"\\]|\\.)*")/g)].map((m) =>
        String(JSON.parse(m[1] ?? '""')),
      );
    },
    ask: async (sql, { limit, timeout_s, clock, signal }) => {
      const started_ms = clock.now_ms();
      const stopped: { why: "time" | "asked" | null } = { why: null };
      const stop = (why: "time" | "asked"): void => {
        stopped.why ??= why;
        connection.interrupt();
      };
      const onAbort = (): void => stop("asked");
      const cancel: Cancel = clock.after(timeout_s * 1000, () => stop("time"));
      signal.addEventListener("abort", onAbort);
      try {
        const statements = await connection.extractStatements(sql);
        if (statements.count !== 1) return err("One statement at a time, please.");
        // Said before the binder says something less helpful; the type below is what guards.
        if (/^\s*(insert|update|delete|create|drop|alter|copy|attach|install|load|set|pragma)\b/i.test(sql))
          return err(READ_ONLY);
        const prepared = await statements.prepare(0);
        if (
          prepared.statementType !== StatementType.SELECT &&
          prepared.statementType !== StatementType.EXPLAIN
        )
          return err(READ_ONLY);
        const reader = await prepared.streamAndReadUntil(limit + 1);
        const types = reader.columnTypes();
        const columns = reader.columnNames().map((name, i) => ({ name, type: String(types[i]) }));
        const rows = reader
          .getRowsJson()
          .slice(0, limit)
          .map((row) => row.map(plainValue));
        const elapsed_ms = clock.now_ms() - started_ms;
        return ok({ columns, rows, truncated: reader.currentRowCount > limit, elapsed_ms });
      } catch (error) {
        if (stopped.why === "time") return err(`The query took longer than ${timeout_s} s and was stopped.`);
        if (stopped.why === "asked") return err("Cancelled.");
        return err(sqlProblem(error));
      } finally {
        cancel();
        signal.removeEventListener("abort", onAbort);
      }
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const READ_ONLY = "The archive is read-only: only SELECT is answered.";

/** The database's complaint as one line. */
export function sqlProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = text] = text.replace(/^Failed to extract statements: /, "").split("\n");
  const hint = /Did you mean[^\n]*/.exec(text)?.[0] ?? /Candidate bindings:[^\n]*/.exec(text)?.[0];
  return hint !== undefined && !first.includes(hint) ? `${first} ${hint}` : first;
}

const plainValue = (value: unknown): string | number | boolean | null =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : JSON.stringify(value);

/** Text in single quotes. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** A name in double quotes. */
export const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;
