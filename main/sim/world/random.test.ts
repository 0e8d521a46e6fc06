import { expect, test } from "vitest";
import { Random } from "./random";

test("one seed and stream, one sequence; another stream, another sequence", () => {
  const draw = (seed: number, stream: string): number[] => {
    const random = new Random(seed, stream);
    return Array.from({ length: 5 }, () => random.unit());
  };
  expect(draw(7, "a")).toEqual(draw(7, "a"));
  expect(draw(7, "a")).not.toEqual(draw(7, "b"));
  expect(draw(7, "a")).not.toEqual(draw(8, "a"));
});

test("uniform and normal numbers have the moments of their distributions", () => {
  const random = new Random(3, "moments");
  const n = 40_000;
  const uniform = Array.from({ length: n }, () => random.unit());
  const normal = Array.from({ length: n }, () => random.gauss());
  const mean = (xs: number[]): number => xs.reduce((a, b) => a + b, 0) / xs.length;
  const variance = (xs: number[]): number => {
    const middle = mean(xs);
    return mean(xs.map((x) => (x - middle) ** 2));
  };
  expect(mean(uniform)).toBeCloseTo(0.5, 2);
  expect(Math.min(...uniform.slice(0, 5000))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...uniform.slice(0, 5000))).toBeLessThan(1);
  expect(Math.abs(mean(normal))).toBeLessThan(0.02);
  expect(Math.abs(variance(normal) - 1)).toBeLessThan(0.03);
});

test("a restored state goes on where it was saved, the spare normal included", () => {
  const random = new Random(5);
  random.gauss();
  const state = random.save();
  const first = [random.gauss(), random.gauss(), random.bits()];
  random.restore(state);
  expect([random.gauss(), random.gauss(), random.bits()]).toEqual(first);
});
