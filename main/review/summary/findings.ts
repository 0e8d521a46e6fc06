import type { ReviewFinding } from "#contract/review";
import type { Column, LogReader } from "../reader";
import { plain, told } from "./lanes";

/** Silences of a topic that should come steadily. */
export function gapFindings(reader: LogReader, topic: string, longest_s: number): ReviewFinding[] {
  const column = reader.column(topic, reader.topics.find((t) => t.name === topic)?.fields[0]?.path ?? "");
  if (!column) return [];
  const out: ReviewFinding[] = [];
  for (let i = 1; i < column.t_s.length; i++) {
    const before_s = column.t_s[i - 1] as number;
    const gap_s = (column.t_s[i] as number) - before_s;
    if (gap_s > longest_s)
      out.push({
        at_s: before_s,
        severity: gap_s > 10 ? "warning" : "caution",
        title: "Link gap",
        detail: `no ${topic} for ${plain(gap_s)} s`,
      });
  }
  const quiet_s = reader.duration_s - (column.t_s.at(-1) ?? 0);
  if (quiet_s > longest_s && column.t_s.length > 1)
    out.push({
      at_s: column.t_s.at(-1) ?? 0,
      severity: "warning",
      title: "Link lost",
      detail: `no ${topic} for the last ${plain(quiet_s)} s of the log`,
    });
  return out;
}

/** The battery's remaining share (times `to_share`) falls below 30 % and 15 %. Negative means not measured. */
export function batteryFindings(
  reader: LogReader,
  topic: string,
  field: string,
  to_share: number,
): ReviewFinding[] {
  const column = told(reader, topic, field);
  if (!column) return [];
  const out: ReviewFinding[] = [];
  for (const [limit, severity] of [
    [0.3, "caution"],
    [0.15, "warning"],
  ] as const) {
    const i = column.values.findIndex((v) => v >= 0 && v * to_share < limit);
    if (i >= 0)
      out.push({
        at_s: column.t_s[i] as number,
        severity,
        title: `Battery below ${limit * 100} %`,
        detail: `lowest ${plain(lowest(column) * to_share * 100, 0)} %`,
      });
  }
  return out;
}

function lowest(column: Column): number {
  let low = Infinity;
  for (const v of column.values) if (v >= 0 && v < low) low = v;
  return low;
}

/** Stretches of at least `least_s` in which `bad` holds for a column; one finding for the whole log, at the worst moment. */
export function stretchFinding(
  column: Column | null,
  bad: (value: number) => boolean,
  least_s: number,
  say: (total_s: number, worst: number) => Omit<ReviewFinding, "at_s">,
): ReviewFinding[] {
  if (!column) return [];
  let total_s = 0;
  let from: number | null = null;
  let worst = -Infinity;
  let worst_s = 0;
  const close = (to_s: number): void => {
    if (from !== null && to_s - from >= least_s) total_s += to_s - from;
    from = null;
  };
  for (let i = 0; i < column.t_s.length; i++) {
    const t_s = column.t_s[i] as number;
    const value = column.values[i] as number;
    if (bad(value)) {
      from ??= t_s;
      if (value > worst) {
        worst = value;
        worst_s = t_s;
      }
    } else close(t_s);
  }
  close(column.t_s.at(-1) ?? 0);
  return total_s > 0 ? [{ at_s: worst_s, ...say(total_s, worst) }] : [];
}

/** A counter that should not rise. */
export function counterFindings(
  column: Column | null,
  say: (rise: number) => Omit<ReviewFinding, "at_s">,
): ReviewFinding[] {
  if (!column || column.values.length === 0) return [];
  const first = column.values[0] as number;
  const last = column.values.at(-1) as number;
  const i = column.values.findIndex((v) => v > first);
  return last > first && i >= 0 ? [{ at_s: column.t_s[i] as number, ...say(last - first) }] : [];
}
