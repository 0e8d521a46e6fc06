import type { Interval } from "./intervals";
import { normalCdf, normalQuantile } from "./normal";
import { Draw } from "./random";

/** A number made of a sample; values come in ascending order. */
export type Statistic = (sorted: readonly number[]) => number;

export const mean: Statistic = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996, the default of R and NumPy). */
export const quantile =
  (p: number): Statistic =>
  (sorted) => {
    const at = (sorted.length - 1) * p;
    const below = sorted[Math.floor(at)] ?? Number.NaN;
    const above = sorted[Math.ceil(at)] ?? Number.NaN;
    return below + (above - below) * (at - Math.floor(at));
  };
export const median = quantile(0.5);

export interface BootstrapOptions {
  readonly confidence?: number;
  readonly resamples?: number;
  /** One seed, one interval. */
  readonly seed?: number;
  /**
   * `percentile` for medians and quantiles, whose jackknife says nothing; `bca` (Efron 1987), corrected for bias and
   * skew, for smooth statistics such as the mean.
   */
  readonly method?: "percentile" | "bca";
}

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Interval of a statistic by resampling trials (Efron 1979). Null for an empty sample; without width for one value. */
export function bootstrap(
  values: readonly number[],
  statistic: Statistic,
  options: BootstrapOptions = {},
): Interval | null {
  const { confidence = 0.95, resamples = 1000, seed = 0, method = "percentile" } = options;
  const n = values.length;
  if (n === 0) return null;
  const sorted = ascending(values);
  const draw = new Draw("bootstrap", seed, n);
  const drawn = ascending(
    Array.from({ length: resamples }, () =>
      statistic(ascending(sorted.map(() => sorted[draw.integer(0, n - 1)] ?? Number.NaN))),
    ),
  );
  const tail = (1 - confidence) / 2;
  const [low, high] = method === "bca" ? corrected(sorted, drawn, statistic, tail) : [tail, 1 - tail];
  return { low: quantile(low)(drawn), high: quantile(high)(drawn) };
}

/** The shares of the resampled distribution that BCa reads instead of the plain tails. */
function corrected(
  sorted: readonly number[],
  drawn: readonly number[],
  statistic: Statistic,
  tail: number,
): readonly [number, number] {
  const whole = statistic(sorted);
  const below = drawn.filter((v) => v < whole).length + drawn.filter((v) => v === whole).length / 2;
  const bias = normalQuantile(below / drawn.length);
  const without = sorted.map((_, i) => statistic(sorted.filter((_, j) => j !== i)));
  const middle = mean(without);
  const cubes = without.reduce((sum, v) => sum + (middle - v) ** 3, 0);
  const squares = without.reduce((sum, v) => sum + (middle - v) ** 2, 0);
  const skew = squares > 0 ? cubes / (6 * squares ** 1.5) : 0;
  const moved = (p: number): number => {
    const z = bias + normalQuantile(p);
    const share = normalCdf(bias + z / (1 - skew * z));
    return Number.isFinite(share) ? share : p;
  };
  return [moved(tail), moved(1 - tail)];
}
