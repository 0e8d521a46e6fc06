import type { ReviewEvidence, ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { plain, told } from "./lanes";

/** Evidence that is a moment, with a little around it to look at. */
export const around = (
  topic: string,
  field: string,
  at_s: number,
  limit: number | null = null,
): ReviewEvidence => ({ topic, field, from_s: Math.max(0, at_s - 2), to_s: at_s + 3, limit });

/** Silences of a topic that should come steadily. */
export function gapFindings(reader: LogReader, topic: string, longest_s: number): ReviewFinding[] {
  const field = reader.topics.find((t) => t.name === topic)?.fields.find((f) => f.numeric)?.path ?? "";
  const column = reader.column(topic, field);
  if (!column) return [];
  const out: ReviewFinding[] = [];
  const rule = "link_gap";
  for (let i = 1; i < column.t_s.length; i++) {
    const before_s = column.t_s[i - 1] as number;
    const gap_s = (column.t_s[i] as number) - before_s;
    if (gap_s > longest_s)
      out.push({
        at_s: before_s,
        severity: gap_s > 10 ? "warning" : "caution",
        title: "Link gap",
        detail: `no ${topic} for ${plain(gap_s)} s`,
        rule,
        evidence: { topic, field, from_s: before_s, to_s: before_s + gap_s, limit: null },
      });
  }
  const last_s = column.t_s.at(-1) ?? 0;
  const quiet_s = reader.duration_s - last_s;
  if (quiet_s > longest_s && column.t_s.length > 1)
    out.push({
      at_s: last_s,
      severity: "warning",
      title: "Link lost",
      detail: `no ${topic} for the last ${plain(quiet_s)} s of the log`,
      rule,
      evidence: { topic, field, from_s: last_s, to_s: reader.duration_s, limit: null },
    });
  return out;
}

/** What a rule says about the stretches in which a field was beyond its limit. */
export interface Stretch {
  readonly reader: LogReader;
  readonly topic: string;
  readonly field: string;
  readonly rule: string;
  readonly limit: number;
  /** Beyond the limit: above it unless said otherwise. */
  readonly bad?: (value: number) => boolean;
  readonly least_s: number;
  /** Only times in which this holds count: armed, in the air. */
  readonly while?: (at_s: number) => boolean;
  readonly say: (total_s: number, worst: number) => Pick<ReviewFinding, "severity" | "title" | "detail">;
}

/** One finding for the whole log, at the worst moment, with the longest stretch as evidence. */
export function stretchFinding(stretch: Stretch): ReviewFinding[] {
  const { reader, topic, field, rule, limit, least_s, say } = stretch;
  const bad = stretch.bad ?? ((value: number) => value > limit);
  const column = told(reader, topic, field);
  if (!column) return [];
  let total_s = 0;
  let from: { at_s: number; worst: number; worst_s: number } | null = null;
  let worst = -Infinity;
  let worst_s = 0;
  let longest = { from_s: 0, to_s: -1 };
  const close = (to_s: number): void => {
    if (from !== null && to_s - from.at_s >= least_s) {
      total_s += to_s - from.at_s;
      if (from.worst > worst) [worst, worst_s] = [from.worst, from.worst_s];
      if (to_s - from.at_s > longest.to_s - longest.from_s) longest = { from_s: from.at_s, to_s };
    }
    from = null;
  };
  for (let i = 0; i < column.t_s.length; i++) {
    const t_s = column.t_s[i] as number;
    const value = column.values[i] as number;
    if (!bad(value) || stretch.while?.(t_s) === false) {
      close(t_s);
      continue;
    }
    from ??= { at_s: t_s, worst: -Infinity, worst_s: t_s };
    if (value > from.worst) from = { ...from, worst: value, worst_s: t_s };
  }
  close(column.t_s.at(-1) ?? 0);
  if (total_s <= 0) return [];
  return [{ at_s: worst_s, ...say(total_s, worst), rule, evidence: { topic, field, ...longest, limit } }];
}

/** A counter that should not rise. */
export function counterFindings(
  reader: LogReader,
  topic: string,
  field: string,
  rule: string,
  say: (rise: number) => Pick<ReviewFinding, "severity" | "title" | "detail">,
): ReviewFinding[] {
  const column = told(reader, topic, field);
  if (!column || column.values.length === 0) return [];
  const first = column.values[0] as number;
  let rise = 0;
  let last = first;
  let from_s: number | null = null;
  let to_s = 0;
  for (let i = 1; i < column.values.length; i++) {
    const value = column.values[i] as number;
    // A counter that falls was restarted or ran over; only what it gains counts.
    if (value > last) {
      rise += value - last;
      from_s ??= column.t_s[i] as number;
      to_s = column.t_s[i] as number;
    }
    if (value === value) last = value;
  }
  if (from_s === null) return [];
  return [
    {
      at_s: from_s,
      ...say(rise),
      rule,
      evidence: { topic, field, from_s: from_s - 1, to_s: to_s + 1, limit: null },
    },
  ];
}
