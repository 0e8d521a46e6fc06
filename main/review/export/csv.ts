import { type LogReader, normalPath } from "../reader";
import type { Exporter } from "./exported";
import { withFile } from "./file-out";
import { fileName } from "./names";

/** Numeric columns of one topic that share their times; fields that cannot be read are left out. */
export interface Table {
  readonly t_s: Float64Array;
  readonly columns: readonly { readonly name: string; readonly values: Float64Array }[];
}

export function tableOf(reader: LogReader, topic: string): Table | null {
  const fields = reader.topics.find((t) => t.name === topic)?.fields.filter((f) => f.numeric) ?? [];
  let t_s: Float64Array | null = null;
  const columns: { name: string; values: Float64Array }[] = [];
  for (const { path } of fields) {
    const column = reader.column(topic, path);
    if (!column) continue;
    t_s ??= column.t_s;
    if (column.values.length === t_s.length) columns.push({ name: normalPath(path), values: column.values });
  }
  return t_s && t_s.length > 0 && columns.length > 0 ? { t_s, columns } : null;
}

/** Topics that can become tables. */
export const tableTopics = (reader: LogReader): readonly string[] =>
  reader.topics
    .filter(({ count, fields }) => count > 0 && fields.some((f) => f.numeric))
    .map(({ name }) => name);

const ROWS_AT_ONCE = 2000;

/** One file a topic: `t_s` (seconds since the start), then every numeric field. Decimal points whatever the locale. */
export const csvExporter: Exporter = {
  plan: ({ reader }) => tableTopics(reader).map((topic) => `${fileName(topic)}.csv`),
  write: async ({ reader }, staging, job) => {
    const topics = tableTopics(reader);
    let rows = 0;
    for (const [n, topic] of topics.entries()) {
      await job.step(n, topics.length);
      const table = tableOf(reader, topic);
      if (!table) continue;
      await withFile(staging.at(`${fileName(topic)}.csv`), async (out) => {
        out.write(`${["t_s", ...table.columns.map(({ name }) => quote(name))].join(",")}\n`);
        for (let from = 0; from < table.t_s.length; from += ROWS_AT_ONCE) {
          const lines: string[] = [];
          for (let i = from; i < Math.min(table.t_s.length, from + ROWS_AT_ONCE); i++) {
            const cells = table.columns.map(({ values }) => cell(values[i] as number));
            lines.push(`${String(table.t_s[i])},${cells.join(",")}\n`);
          }
          out.write(lines.join(""));
          await job.step(n, topics.length);
        }
      });
      rows += table.t_s.length;
    }
    return { rows, notes: imageNotes(reader) };
  },
};

/** Said by formats of numbers only. */
export const imageNotes = (reader: LogReader): string[] =>
  reader.image_topics.length === 0
    ? []
    : [`pictures are not part of this format: ${reader.image_topics.map(({ topic }) => topic).join(", ")}`];

const cell = (value: number): string => (Number.isFinite(value) ? String(value) : "");
const quote = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
