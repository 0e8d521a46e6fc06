import { expect, it } from "vitest";
import { Ranges } from "./ranges";

it("asks for near gaps together and for far ones apart", () => {
  const ranges = new Ranges(100);
  expect(ranges.span(10)).toEqual({ from: 0, to: 100 });
  for (const [from, to] of [
    [0, 10],
    [12, 20],
    [25, 60],
    [70, 75],
  ] as const)
    ranges.add(from, to);
  expect(ranges.span(0)).toEqual({ from: 10, to: 12 });
  expect(ranges.span(10)).toEqual({ from: 10, to: 25 });
  ranges.add(10, 12);
  ranges.add(20, 25);
  expect(ranges.span(10)).toEqual({ from: 60, to: 100 });
  ranges.add(75, 100);
  expect(ranges.span(10)).toEqual({ from: 60, to: 70 });
  ranges.add(60, 70);
  expect(ranges.span(10)).toBeNull();
});
