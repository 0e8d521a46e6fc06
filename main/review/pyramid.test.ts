import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Pyramid } from "./pyramid";

const column = (values: readonly number[]): { t_s: Float64Array; values: Float64Array; unit: string } => ({
  t_s: Float64Array.from(values, (_, i) => i * 0.1),
  values: Float64Array.from(values),
  unit: "",
});

test("one spike in 300,000 samples survives any zoom that contains it", () => {
  const values = Array.from({ length: 300_000 }, (_, i) => Math.sin(i / 1000));
  values[123_457] = 50;
  values[200_001] = -60;
  const pyramid = new Pyramid(column(values));
  const cut = pyramid.query(null, null, 500);
  expect(cut.t_s).toHaveLength(500);
  expect(cut.raw_count).toBe(300_000);
  expect(Math.max(...cut.max)).toBe(50);
  expect(Math.min(...cut.min)).toBe(-60);
  expect(Math.max(...pyramid.query(12_000, 12_400, 300).max)).toBe(50);
  expect(Math.max(...pyramid.query(13_000, 19_000, 300).max)).toBeLessThanOrEqual(1);
});

test("minimum and maximum of every stretch are those of its samples, NaN ignored", () => {
  const value = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN));
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 50, max: 200 }),
      fc.integer({ min: 10, max: 60 }),
      (seed, repeat, points) => {
        const values = Array.from(
          { length: seed.length * repeat },
          (_, i) => seed[(i * 7) % seed.length] as number,
        );
        const cut = new Pyramid(column(values)).query(null, null, points);
        if (values.length <= points) return;
        for (let p = 0; p < points; p++) {
          const part = values.slice(
            Math.floor((p * values.length) / points),
            Math.floor(((p + 1) * values.length) / points),
          );
          let [min, max] = [Infinity, -Infinity];
          for (const v of part) {
            if (v < min) min = v;
            if (v > max) max = v;
          }
          expect(cut.min[p]).toBe(min === Infinity ? Number.NaN : min);
          expect(cut.max[p]).toBe(max === -Infinity ? Number.NaN : max);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test("a range reaches one sample beyond each side, so that lines touch the edge of the plot", () => {
  const cut = new Pyramid(column([0, 1, 2, 3, 4, 5])).query(0.15, 0.35, 100);
  expect(cut.max).toEqual([1, 2, 3, 4]);
});
