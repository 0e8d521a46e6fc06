/** One figure beside its target; `low` and `high` bound what is taken as faithful. */
export interface CheckRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly low: number;
  readonly high: number;
  /** Where the target comes from. */
  readonly source: string;
}

export const passes = (row: CheckRow): boolean => row.value >= row.low && row.value <= row.high;

/** The table for people. */
export function checkTable(rows: readonly CheckRow[]): string {
  const cells = rows.map((row) => [
    passes(row) ? "ok" : "OFF",
    row.name,
    `${row.value.toFixed(3)} ${row.unit}`,
    `${row.low} to ${row.high}`,
    row.source,
  ]);
  const head = ["", "rehearsal", "here", "target", "source"];
  const widths = head.map((h, i) => Math.max(h.length, ...cells.map((c) => c[i]?.length ?? 0)));
  const line = (c: readonly string[]): string =>
    c
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [head, ...cells].map(line).join("\n");
}
