import {
  type EvaluationFigure,
  type EvaluationManifest,
  type EvaluationRow,
  type EvaluationTable,
  evaluationSchemaVersion,
  type TrialResult,
} from "#contract/evaluation";
import { clusters } from "./causes";
import type { Suite } from "./suite";

/** All that follows from the results. A function of their contents alone: not of their order, nor of when they came. */
export function tableOf(
  suite: Suite,
  manifest: EvaluationManifest,
  results: readonly TrialResult[],
): EvaluationTable {
  const sorted = [...results].sort((a, b) => a.trial - b.trial);
  const row = (variant: string, of: readonly TrialResult[]): EvaluationRow => ({
    variant,
    trials: of.length,
    figures: suite.columns.map((column) => column.figure(of)),
  });
  return {
    schema: evaluationSchemaVersion,
    suite: suite.name,
    policy: manifest.policy,
    seed: manifest.seed,
    trials: manifest.trials,
    done: sorted.length,
    overall: row("all", sorted),
    rows: suite.variants
      .map((variant) =>
        row(
          variant,
          sorted.filter((r) => r.variant === variant),
        ),
      )
      .filter((r) => r.trials > 0),
    failures: clusters(sorted),
  };
}

const digits = (unit: string): number => (unit === "ms" || unit === "/h" ? 0 : unit === "s" ? 1 : 3);

/** A figure in words: `9 of 10 (60-98 %)`, `0.021 m (0.015-0.030)`. */
export function figureText({ kind, value, low, high, n, hits, unit }: EvaluationFigure): string {
  if (value === null) return "-";
  if (kind === "share") {
    const percent = (x: number | null): string => ((x ?? Number.NaN) * 100).toFixed(0);
    return `${String(hits ?? 0)} of ${String(n)} (${percent(low)}-${percent(high)} %)`;
  }
  const number = (x: number | null): string => (x ?? Number.NaN).toFixed(digits(unit));
  const interval = low === null || high === null ? "" : ` (${number(low)}-${number(high)})`;
  return `${number(value)}${unit.startsWith("/") ? "" : " "}${unit}${interval}`;
}

/** The table for a terminal, with the failures below it. */
export function tableText(table: EvaluationTable): string {
  const lines = [
    ["", "trials", ...table.overall.figures.map((f) => f.label)],
    ...[...table.rows, table.overall].map((row) => [
      row.variant,
      String(row.trials),
      ...row.figures.map(figureText),
    ]),
  ];
  const widths = (lines[0] ?? []).map((_, k) => Math.max(...lines.map((line) => (line[k] ?? "").length)));
  const text = lines.map((line) =>
    line
      .map((cell, k) => cell.padEnd(widths[k] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const failures = table.failures.map(
    (f) => `${String(f.trials.length)} x ${f.cause}: trials ${f.trials.map((t) => t.trial).join(", ")}`,
  );
  const head = `${table.suite}, policy ${table.policy}, seed ${String(table.seed)}: ${String(table.done)} of ${String(table.trials)} trials; intervals 95 %`;
  return [head, "", ...text, ...(failures.length === 0 ? [] : ["", ...failures])].join("\n");
}
