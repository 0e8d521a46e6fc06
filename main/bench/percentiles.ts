/** Median and 99th percentile by nearest rank. */
export function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
