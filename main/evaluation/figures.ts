import type { EvaluationFigure, TrialResult } from "#contract/evaluation";
import { bootstrap, quantile } from "./statistics/bootstrap";
import { poisson, wilson } from "./statistics/intervals";
import type { Column } from "./suite";

/** All values of one measure over some trials, in their order. */
export function valuesOf(results: readonly TrialResult[], key: string): readonly number[] {
  return results.flatMap(({ measures }) => {
    const value = measures[key];
    return value === undefined || value === null ? [] : typeof value === "number" ? [value] : value;
  });
}

export const sumOf = (results: readonly TrialResult[], key: string): number =>
  valuesOf(results, key).reduce((sum, v) => sum + v, 0);

interface Name {
  readonly key: string;
  readonly label: string;
}

const nothing = { value: null, low: null, high: null, n: 0, hits: null } as const;

/** `hits` of `n` with Wilson's interval. */
export function share({ key, label }: Name, hits: number, n: number): EvaluationFigure {
  const interval = wilson(hits, n);
  if (interval === null) return { key, label, kind: "share", unit: "", ...nothing };
  return { key, label, kind: "share", unit: "", value: hits / n, ...interval, n, hits };
}

/** A quantile of all values, its interval by resampling them. */
export function quantileFigure(
  { key, label, unit }: Name & { readonly unit: string },
  p: number,
  values: readonly number[],
): EvaluationFigure {
  const statistic = quantile(p);
  const interval = bootstrap(values, statistic);
  if (interval === null) return { key, label, kind: "number", unit, ...nothing };
  const value = statistic([...values].sort((a, b) => a - b));
  return { key, label, kind: "number", unit, value, ...interval, n: values.length, hits: null };
}

/** Events an hour, with the exact interval of their count. */
export function hourlyRate({ key, label }: Name, count: number, watched_s: number): EvaluationFigure {
  const unit = "/h";
  if (!(watched_s > 0)) return { key, label, kind: "number", unit, ...nothing };
  const hours = watched_s / 3600;
  const { low, high } = poisson(count);
  return {
    key,
    label,
    kind: "number",
    unit,
    value: count / hours,
    low: low / hours,
    high: high / hours,
    n: count,
    hits: null,
  };
}

export const passedShare: Column = {
  figure: (results) =>
    share({ key: "passed", label: "Passed" }, results.filter((r) => r.passed).length, results.length),
};

export const medianColumn = (key: string, label: string, unit: string): Column => ({
  figure: (results) => quantileFigure({ key, label, unit }, 0.5, valuesOf(results, key)),
});

/** Value with its interval, as `--json` shows a figure. */
export const plain = ({
  value,
  low,
  high,
  n,
  hits,
}: EvaluationFigure): Readonly<Record<string, unknown>> => ({
  value,
  low,
  high,
  n,
  ...(hits === null ? {} : { hits }),
});

/** Two quantiles of a measure under the names that scripts read. */
export function spread(
  results: readonly TrialResult[],
  key: string,
  names: readonly (readonly [name: string, p: number])[],
): Readonly<Record<string, number | null>> {
  const sorted = [...valuesOf(results, key)].sort((a, b) => a - b);
  return Object.fromEntries(
    names.map(([name, p]) => [name, sorted.length === 0 ? null : quantile(p)(sorted)]),
  );
}
