import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { normalPath } from "../reader";
import type { Session } from "../session";
import type { Exported } from "./exported";

/** A topic's name as a file's: `/kingfisher/vehicle` becomes `kingfisher.vehicle`. */
export const fileName = (topic: string): string =>
  topic
    .replace(/^\/+/, "")
    .replaceAll("/", ".")
    .replace(/[^\w.@()[\]-]+/g, "_");

/** Numeric columns of one topic that share their times; fields that cannot be read are left out. */
export function tableOf(
  session: Session,
  topic: string,
): { t_s: Float64Array; columns: { name: string; values: Float64Array }[] } | null {
  const { reader } = session.log;
  const fields = reader.topics.find((t) => t.name === topic)?.fields.filter((f) => f.numeric) ?? [];
  let t_s: Float64Array | null = null;
  const columns: { name: string; values: Float64Array }[] = [];
  for (const { path } of fields) {
    const column = reader.column(topic, path);
    if (!column) continue;
    t_s ??= column.t_s;
    if (column.values.length === t_s.length) columns.push({ name: normalPath(path), values: column.values });
  }
  return t_s && columns.length > 0 ? { t_s, columns } : null;
}

/** One file a topic: `t_s` (seconds since the start), then every numeric field. Decimal points whatever the locale. */
export async function exportCsv(session: Session, out: string): Promise<Exported> {
  const files: string[] = [];
  let rows = 0;
  for (const topic of session.log.reader.topics) {
    const table = tableOf(session, topic.name);
    if (!table) continue;
    const path = join(out, `${fileName(topic.name)}.csv`);
    const stream = createWriteStream(path);
    stream.write(`${["t_s", ...table.columns.map(({ name }) => quote(name))].join(",")}\n`);
    for (let from = 0; from < table.t_s.length; from += 2000) {
      const lines: string[] = [];
      for (let i = from; i < Math.min(table.t_s.length, from + 2000); i++) {
        const cells = table.columns.map(({ values }) => cell(values[i] as number));
        lines.push(`${String(table.t_s[i])},${cells.join(",")}\n`);
      }
      if (!stream.write(lines.join(""))) await once(stream, "drain");
    }
    stream.end();
    await once(stream, "close");
    files.push(path);
    rows += table.t_s.length;
  }
  return { format: "csv", files, rows };
}

const cell = (value: number): string => (Number.isFinite(value) ? String(value) : "");
const quote = (name: string): string => (/[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
