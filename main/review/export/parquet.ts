import { mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Session } from "../session";
import { fileName, tableOf } from "./csv";
import type { Exported } from "./exported";

/**
 * One dataset in Hive's layout, `topic=NAME/flight=ID/part-0.parquet`, so that the flights of a team can lie in one
 * folder or bucket and DuckDB, Spark or Trino query them as they are:
 * `SELECT flight, max(z) FROM read_parquet('**\/*.parquet', hive_partitioning = true, union_by_name = true) …`.
 */
export async function exportParquet(session: Session, out: string): Promise<Exported> {
  const { parquetWriteFile } = await import("hyparquet-writer");
  const { reader, path } = session.log;
  const start_utc_ms = reader.start_utc_ms;
  const files: string[] = [];
  let rows = 0;
  for (const topic of reader.topics) {
    const table = tableOf(session, topic.name);
    if (!table) continue;
    const folder = join(out, `topic=${fileName(topic.name)}`, `flight=${flightName(path)}`);
    mkdirSync(folder, { recursive: true });
    const filename = join(folder, "part-0.parquet");
    const time =
      start_utc_ms === null
        ? []
        : [
            {
              name: "utc",
              data: Array.from(table.t_s, (t) => new Date(start_utc_ms + t * 1000)),
              type: "TIMESTAMP" as const,
            },
          ];
    parquetWriteFile({
      filename,
      columnData: [
        { name: "t_s", data: table.t_s, type: "DOUBLE" },
        ...time,
        ...table.columns.map(({ name, values }) => ({ name, data: values, type: "DOUBLE" as const })),
      ],
    });
    files.push(filename);
    rows += table.t_s.length;
  }
  return { format: "parquet", files, rows };
}

/** The flight's folder, or the log's name without its ending. */
export function flightName(path: string): string {
  const name = basename(path);
  const plain = /^flight\.(mcap|tlog)$/.test(name) ? basename(dirname(path)) : name.replace(/\.\w+$/, "");
  return fileName(plain);
}
