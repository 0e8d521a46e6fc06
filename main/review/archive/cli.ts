import { type ArchiveQuery, everyFlight, type SqlResult } from "#contract/archive";
import type { Result } from "#contract/result";
import type { ReviewOutcome } from "../cli-outcome";
import { reviewDeps } from "../deps";
import { type Job, quietJob } from "../jobs";
import { Archive } from "./archive";

export interface ArchiveAsked {
  /** Null is the home's own flights. */
  readonly folder: string | null;
  readonly rebuild: boolean;
  readonly search: string | null;
  readonly rule: string | null;
  readonly topic: string | null;
  readonly format: string | null;
  readonly compare: readonly string[] | null;
  readonly trend: string | null;
  readonly sql: string | null;
  readonly limit: number;
  readonly timeout_s: number;
}

const fails = (text: string): ReviewOutcome => ({ exit: 1, text, json: { error: text } });

/** `kingfisher archive …`: brings the index up to date, then answers. */
export async function runArchive(
  asked: ArchiveAsked,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const { home, clock } = reviewDeps;
  if (home === null) return fails("There is no home for an archive's index.");
  const archive = new Archive(asked.folder ?? home.flights, home.root, reviewDeps, clock);
  const quiet = quietJob(signal);
  const job: Job = {
    signal,
    step: async (done, total) => {
      if (total !== null && total > 3 && done % 10 === 0) say(`${done} of ${total}`);
      await quiet.step(done, total);
    },
  };
  const indexed = await archive.index(asked.rebuild, job);
  if (!indexed.ok) return fails(indexed.error);
  const { unreadable } = indexed.value;
  if (unreadable.length > 0) say(`${unreadable.length} files cannot be read; --json lists them`);
  if (asked.sql !== null)
    return shown(await archive.sql(asked.sql, asked.limit, asked.timeout_s, job), sqlText);
  if (asked.compare !== null) {
    return shown(await archive.compare(asked.compare), ({ flights, metrics, rules }) =>
      table([
        ["", ...flights.map(({ flight }) => flight)],
        ...metrics.map(({ metric, values }) => [
          `${metric.label}${metric.unit === "" ? "" : ` (${metric.unit})`}`,
          ...values.map((v) => (v === null ? "" : String(Number(v.toPrecision(4))))),
        ]),
        ...rules.map(({ title, counts }) => [title, ...counts.map((n) => (n === 0 ? "" : String(n)))]),
      ]),
    );
  }
  const query: ArchiveQuery = {
    ...everyFlight,
    text: asked.search ?? "",
    rule: asked.rule,
    topic: asked.topic,
    format: asked.format,
    limit: Math.min(1000, asked.limit),
  };
  if (asked.trend !== null)
    return shown(await archive.trend(asked.trend, query), ({ metric, points, slope_per_30_days }) =>
      table([
        ["date", "flight", `${metric.label}${metric.unit === "" ? "" : ` (${metric.unit})`}`],
        ...points.map((p) => [
          new Date(p.start_utc_ms).toISOString().slice(0, 19),
          p.flight,
          String(Number(p.value.toPrecision(5))),
        ]),
        ...(slope_per_30_days === null ? [] : [["", "per 30 days", slope_per_30_days.toPrecision(3)]]),
      ]),
    );
  return shown(await archive.search(query), ({ total, flights }) =>
    [
      table([
        ["date", "flight", "s", "warnings", "cautions", "title"],
        ...flights.map((f) => [
          f.start_utc_ms === null ? "" : new Date(f.start_utc_ms).toISOString().slice(0, 19),
          f.flight,
          f.duration_s.toFixed(1),
          String(f.warnings),
          String(f.cautions),
          f.title,
        ]),
      ]),
      `${total} of ${indexed.value.flights} flights in ${indexed.value.folder}`,
    ].join("\n"),
  );

  function shown<T>(result: Result<T, string>, text: (value: T) => string): ReviewOutcome {
    if (!result.ok) return fails(result.error);
    return {
      exit: 0,
      text: text(result.value),
      json: { indexed: indexed.ok ? indexed.value : null, answer: result.value },
    };
  }
}

const sqlText = ({ columns, rows, truncated, elapsed_ms }: SqlResult): string =>
  [
    table([
      columns.map(({ name }) => name),
      ...rows.map((row) => row.map((v) => (v === null ? "" : String(v)))),
    ]),
    `${rows.length} rows${truncated ? ", more were left out (--limit)" : ""} in ${elapsed_ms.toFixed(0)} ms`,
  ].join("\n");

/** Columns of even width. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.min(60, Math.max(...rows.map((r) => (r[i] ?? "").length))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
