import type { ArchiveQuery } from "#contract/archive";

type Value = string | number;

/** The conditions of a search on `flights f`, with values kept apart from the text. */
export function conditionsOf(query: ArchiveQuery): { where: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: (n: string) => string, value: Value | null): void => {
    if (value === null) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  for (const word of query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((w) => w !== ""))
    add((n) => `contains(f.words, ${n})`, word);
  add((n) => `f.format = ${n}`, query.format);
  add((n) => `f.completeness = ${n}`, query.completeness);
  add((n) => `f.start_utc_ms >= ${n}`, query.from_utc_ms);
  add((n) => `f.start_utc_ms <= ${n}`, query.to_utc_ms);
  add((n) => `f.duration_s >= ${n}`, query.min_duration_s);
  add((n) => `f.flight IN (SELECT flight FROM findings WHERE rule = ${n})`, query.rule);
  add((n) => `f.flight IN (SELECT flight FROM topics WHERE topic = ${n} AND count > 0)`, query.topic);
  return { where: parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`, values };
}

const columns = {
  start: "f.start_utc_ms",
  duration: "f.duration_s",
  size: "f.size_bytes",
  warnings: "f.warnings",
  name: "f.flight",
} as const satisfies Record<ArchiveQuery["sort"], string>;

export const orderOf = ({ sort, descending }: ArchiveQuery): string =>
  `${columns[sort]} ${descending ? "DESC" : "ASC"} NULLS LAST, f.flight`;
