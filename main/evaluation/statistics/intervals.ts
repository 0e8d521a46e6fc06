import { normalQuantile } from "./normal";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Interval of a share by its score (Wilson 1927; method 3 of Newcombe 1998): never outside 0 and 1, and of use at 0 of n and
 * n of n, where the textbook's has no width. Null for no trials.
 */
export function wilson(hits: number, n: number, confidence = 0.95): Interval | null {
  if (!(n > 0)) return null;
  const z = normalQuantile(0.5 + confidence / 2);
  const p = hits / n;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  return {
    low: hits === 0 ? 0 : Math.max(0, middle - half),
    high: hits === n ? 1 : Math.min(1, middle + half),
  };
}

/**
 * Exact interval of the mean of a Poisson count (Garwood 1936), by halving on the distribution itself. Divide by the time
 * watched for a rate: no alarm in an hour still allows 3.7 an hour.
 */
export function poisson(count: number, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2;
  return {
    low: count === 0 ? 0 : crossing((mean) => 1 - poissonCdf(count - 1, mean) >= tail),
    high: crossing((mean) => poissonCdf(count, mean) <= tail),
  };
}

/** Where a condition that holds for all large enough means begins to hold. */
function crossing(holds: (mean: number) => boolean): number {
  let high = 1;
  while (!holds(high)) high *= 2;
  let low = 0;
  for (let i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

function poissonCdf(count: number, mean: number): number {
  let logTerm = -mean;
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= count; k++) {
    logTerm += Math.log(mean) - Math.log(k);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
