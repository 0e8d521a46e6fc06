import type { EvaluationFigure, EvaluationProgress } from "#contract/evaluation";
import { fixed, unknown } from "../ui/format";

const decimals = (unit: string): number => (unit === "ms" || unit === "/h" ? 0 : unit === "s" ? 1 : 3);

/** A figure's value as it stands in the table: `9 of 10`, `0.021 m`. */
export function valueText({ kind, value, hits, n, unit }: EvaluationFigure): string {
  if (value === null) return unknown;
  if (kind === "share") return `${String(hits ?? 0)} of ${String(n)}`;
  return `${fixed(value, decimals(unit))}${unit.startsWith("/") ? "" : " "}${unit}`;
}

/** Its 95 % interval: `60–98 %`, `0.015–0.030`; empty where there is none. */
export function intervalText({ kind, low, high, unit }: EvaluationFigure): string {
  if (low === null || high === null) return "";
  if (kind === "share") return `${fixed(low * 100, 0)}–${fixed(high * 100, 0)} %`;
  return `${fixed(low, decimals(unit))}–${fixed(high, decimals(unit))}`;
}

/** Where the interval and the value lie on the column's scale, in percent of its width; null where there is nothing. */
export function barOf(
  { value, low, high }: EvaluationFigure,
  scale: number,
): { readonly from: number; readonly to: number; readonly at: number } | null {
  if (value === null || low === null || high === null || !(scale > 0)) return null;
  const percent = (x: number): number => Math.min(100, Math.max(0, (x / scale) * 100));
  return { from: percent(low), to: percent(high), at: percent(value) };
}

/** The right end of a column's bars: 1 for shares, the greatest interval's end for numbers. */
export function scaleOf(figures: readonly EvaluationFigure[]): number {
  if (figures.every((f) => f.kind === "share")) return 1;
  return Math.max(0, ...figures.map((f) => f.high ?? f.value ?? 0));
}

/** `40 s left`, `12 min left`; what is known before the first trial is done. */
export function leftText(progress: EvaluationProgress | null): string {
  if (progress === null) return "starting";
  const { left_s } = progress;
  if (left_s === null) return "time left known after the first trial";
  return left_s < 90 ? `${fixed(left_s, 0)} s left` : `${fixed(left_s / 60, 0)} min left`;
}

export interface Draft {
  readonly trials: string;
  readonly seed: string;
}

/** What was typed, or what is wrong with it. */
export function readDraft(
  draft: Draft,
): { readonly trials: number; readonly seed: number; readonly problem: null } | { readonly problem: string } {
  const trials = Number(draft.trials);
  const seed = Number(draft.seed);
  const whole = (text: string, value: number): boolean =>
    /^\d+$/.test(text.trim()) && Number.isInteger(value);
  if (!whole(draft.trials, trials) || trials < 1 || trials > 10_000)
    return { problem: "Trials: a whole number from 1 to 10000" };
  if (!whole(draft.seed, seed) || seed > 1_000_000)
    return { problem: "Seed: a whole number from 0 to 1000000" };
  return { trials, seed, problem: null };
}
