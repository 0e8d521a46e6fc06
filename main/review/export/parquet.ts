import { closeSync, openSync, writeSync } from "node:fs";
import type { LogReader } from "../reader";
import { imageNotes, type Table, tableOf, tableTopics } from "./csv";
import type { Exporter } from "./exported";
import { fileName, flightName } from "./names";

const partName = (topic: string, path: string): string =>
  `topic=${fileName(topic)}/flight=${flightName(path)}/part-0.parquet`;

/**
 * One dataset in Hive's layout, `topic=NAME/flight=ID/part-0.parquet`, so that the flights of a team can lie in one
 * folder or bucket and DuckDB, Spark or Trino query them as they are:
 * `SELECT flight, max(z) FROM read_parquet('**\/*.parquet', hive_partitioning = true, union_by_name = true) …`.
 */
export const parquetExporter: Exporter = {
  plan: ({ reader, path }) => tableTopics(reader).map((topic) => partName(topic, path)),
  write: async ({ reader, path }, staging, job) => {
    const topics = tableTopics(reader);
    let rows = 0;
    for (const [n, topic] of topics.entries()) {
      await job.step(n, topics.length);
      const table = tableOf(reader, topic);
      if (!table) continue;
      await writeTable(staging.at(partName(topic, path)), table, reader);
      rows += table.t_s.length;
    }
    return { rows, notes: imageNotes(reader) };
  },
};

/** A topic's numbers as Parquet: `t_s`, `utc` where the log has a clock, every numeric field. */
export async function writeTable(
  filename: string,
  table: Table,
  { start_utc_ms }: Pick<LogReader, "start_utc_ms">,
): Promise<void> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
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
  const bytes = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "t_s", data: table.t_s, type: "DOUBLE" },
        ...time,
        ...table.columns
          .filter(({ name }) => name !== "t_s" && name !== "utc")
          .map(({ name, values }) => ({ name, data: values, type: "DOUBLE" as const })),
      ],
    }),
  );
  // Written by hand: the package's own file writer reports a full disk where nobody can catch it.
  const fd = openSync(filename, "wx");
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}
