import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bootstrap, mean, median, quantile } from "./bootstrap";
import { poisson, wilson } from "./intervals";
import { normalCdf, normalQuantile } from "./normal";
import { Draw } from "./random";

describe("normal distribution", () => {
  test.each([
    [0, 0.5],
    [1, 0.8413447460685429],
    [1.959963984540054, 0.975],
    [-3, 0.0013498980316300933],
    [-8, 6.220960574271785e-16],
  ])("cdf and quantile at %d", (x, p) => {
    expect(normalCdf(x)).toBeCloseTo(p, 12);
    if (p > 1e-12) expect(normalQuantile(p)).toBeCloseTo(x, 9);
  });
  test("quantile undoes cdf", () => {
    fc.assert(
      fc.property(fc.double({ min: -6, max: 6, noNaN: true }), (x) => {
        expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(1e-6);
      }),
    );
  });
  test("outside 0 and 1 there is no quantile", () => {
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantile(Number.NaN)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});

describe("Wilson's interval", () => {
  // Newcombe 1998, Statistics in Medicine 17, table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%d of %d", (hits, n, low, high) => {
    const interval = wilson(hits, n);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });
  test("lies in 0 to 1, holds the share, is symmetric under hits and misses, and narrows with n", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const hits = Math.round(share * n);
          const here = wilson(hits, n);
          const other = wilson(n - hits, n);
          if (here === null || other === null) throw new Error("there are trials");
          expect(here.low).toBeGreaterThanOrEqual(0);
          expect(here.high).toBeLessThanOrEqual(1);
          expect(here.low).toBeLessThanOrEqual(hits / n + 1e-12);
          expect(here.high).toBeGreaterThanOrEqual(hits / n - 1e-12);
          expect(here.low).toBeCloseTo(1 - other.high, 12);
          const more = wilson(4 * hits, 4 * n);
          expect((more?.high ?? 1) - (more?.low ?? 0)).toBeLessThan(here.high - here.low);
        },
      ),
    );
  });
  test("no trials, no interval", () => {
    expect(wilson(0, 0)).toBeNull();
  });
});

describe("Poisson interval", () => {
  // Garwood 1936 by way of the chi-squared tables.
  test.each([
    [0, 0, 3.6889],
    [1, 0.0253, 5.5716],
    [10, 4.7954, 18.3904],
    [100, 81.3636, 121.627],
  ])("%d events", (count, low, high) => {
    expect(poisson(count).low).toBeCloseTo(low, 3);
    expect(poisson(count).high).toBeCloseTo(high, 3);
  });
});

const sample = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 40 });

describe("bootstrap", () => {
  test("quantiles are those of R's type 7", () => {
    const values = [1, 2, 3, 4, 10];
    expect(median(values)).toBe(3);
    expect(quantile(0.99)(values)).toBeCloseTo(9.76, 12);
    expect(quantile(0.25)(values)).toBe(2);
  });
  test("one seed, one interval; the order of the trials does not matter; another seed differs a little", () => {
    fc.assert(
      fc.property(sample, (values) => {
        const there = bootstrap(values, median, { seed: 7, resamples: 200 });
        expect(bootstrap([...values].reverse(), median, { seed: 7, resamples: 200 })).toEqual(there);
      }),
      { numRuns: 30 },
    );
  });
  test("an interval of medians lies within the values and holds the median", () => {
    fc.assert(
      fc.property(sample, (values) => {
        const sorted = [...values].sort((a, b) => a - b);
        const interval = bootstrap(values, median, { resamples: 300 });
        if (interval === null) throw new Error("there are values");
        expect(interval.low).toBeGreaterThanOrEqual((sorted[0] ?? 0) - 1e-9);
        expect(interval.high).toBeLessThanOrEqual((sorted.at(-1) ?? 0) + 1e-9);
        expect(interval.low).toBeLessThanOrEqual(median(sorted) + 1e-9);
        expect(interval.high).toBeGreaterThanOrEqual(median(sorted) - 1e-9);
      }),
      { numRuns: 50 },
    );
  });
  test("nothing gives null, one value an interval without width", () => {
    expect(bootstrap([], median)).toBeNull();
    expect(bootstrap([4.2], median)).toEqual({ low: 4.2, high: 4.2 });
    expect(bootstrap([4.2], mean, { method: "bca" })).toEqual({ low: 4.2, high: 4.2 });
  });
  test("BCa leans towards the long tail: exponential data, mean", () => {
    const draw = new Draw("skewed");
    const values = Array.from({ length: 25 }, () => -Math.log(1 - draw.unit()));
    const plain = bootstrap(values, mean, { resamples: 4000 });
    const bca = bootstrap(values, mean, { resamples: 4000, method: "bca" });
    expect(bca?.low).toBeGreaterThan(plain?.low ?? 9);
    expect(bca?.high).toBeGreaterThan(plain?.high ?? 9);
  });
  test("covers about as often as it says: 95 % of the true mean, 400 samples of 30", () => {
    const draw = new Draw("coverage");
    let covered = 0;
    for (let i = 0; i < 400; i++) {
      const values = Array.from({ length: 30 }, () => draw.unit() + draw.unit() + draw.unit());
      const interval = bootstrap(values, mean, { resamples: 400, method: "bca", seed: i });
      if (interval !== null && interval.low <= 1.5 && interval.high >= 1.5) covered++;
    }
    expect(covered / 400).toBeGreaterThan(0.9);
    expect(covered / 400).toBeLessThan(0.98);
  });
});

test("draws are even and depend on every part of the seed", () => {
  const draw = new Draw("even", 1);
  const bins = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const bin = draw.integer(0, 9);
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  expect(Math.min(...bins)).toBeGreaterThan(880);
  expect(Math.max(...bins)).toBeLessThan(1120);
  expect(new Draw("a", 1).unit()).not.toBe(new Draw("a", 2).unit());
  expect(new Draw("a", 1).unit()).toBe(new Draw("a", 1).unit());
});
