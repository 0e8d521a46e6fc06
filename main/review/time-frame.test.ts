import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TimeScout } from "./time-frame";

const frame = (times: readonly number[]): ReturnType<TimeScout["frame"]> => {
  const scout = new TimeScout();
  for (const t of times) scout.add(t);
  return scout.frame();
};
const steady = (from_s: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from_s + i * 0.1);

test("an ordinary recording is taken whole", () => {
  expect(frame(steady(100, 1000))).toEqual({ from_s: 100, to_s: 199.9, wild: 0 });
});

test("one stamp far ahead of its neighbours is wild, also within the hour", () => {
  const times = steady(1.78e9, 1000);
  times.splice(500, 0, 1.78e9 + 1300);
  expect(frame(times)).toMatchObject({ from_s: 1.78e9, wild: 1 });
  expect(frame(times).to_s).toBeCloseTo(1.78e9 + 99.9, 3);
});

test("static data stamped 1970 is wild however much of it there is", () => {
  expect(frame([...steady(0, 300), ...steady(1.78e9, 400)])).toMatchObject({ from_s: 1.78e9, wild: 300 });
});

test("a link that comes back after hours belongs to the flight", () => {
  const times = [...steady(1.78e9, 1000), 1.78e9 + 20_000, 1.78e9 + 20_001];
  expect(frame(times)).toMatchObject({ from_s: 1.78e9, to_s: 1.78e9 + 20_001, wild: 0 });
});

test("no stray stamps, wherever they fall, stretch a recording by more than a day", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(999), fc.double({ min: 0, max: 4e9, noNaN: true })), { maxLength: 5 }),
      (strays) => {
        const times = steady(1.78e9, 1000);
        for (const [at, t] of strays) times.splice(at, 0, t);
        const { from_s, to_s } = frame(times);
        expect(from_s).toBeGreaterThan(1.78e9 - 86_400);
        expect(to_s).toBeLessThan(1.78e9 + 2 * 86_400);
      },
    ),
  );
});
