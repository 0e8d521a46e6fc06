import { expect, test } from "vitest";
import type { EvaluationFigure } from "#contract/evaluation";
import { barOf, intervalText, leftText, readDraft, scaleOf, valueText } from "./figures";

const share: EvaluationFigure = {
  ...{ key: "passed", label: "Passed", kind: "share", unit: "", value: 0.9 },
  ...{ low: 0.596, high: 0.982, n: 10, hits: 9 },
};
const error: EvaluationFigure = {
  ...{ key: "e", label: "Error", kind: "number", unit: "m", value: 0.021 },
  ...{ low: 0.0151, high: 0.03, n: 10, hits: null },
};
const nothing: EvaluationFigure = { ...error, value: null, low: null, high: null, n: 0 };

test("figures say what they are made of, with their interval; nothing measured is a dash, never zero", () => {
  expect([valueText(share), intervalText(share)]).toEqual(["9 of 10", "60–98 %"]);
  expect([valueText(error), intervalText(error)]).toEqual(["0.021 m", "0.015–0.030"]);
  expect([valueText(nothing), intervalText(nothing)]).toEqual(["–", ""]);
  expect(valueText({ ...error, unit: "/h", value: 3.2 })).toBe("3/h");
});

test("bars stay inside their column", () => {
  expect(scaleOf([share])).toBe(1);
  expect(scaleOf([error, nothing])).toBe(0.03);
  const bar = barOf(error, 0.03);
  expect([bar?.from ?? 0, bar?.at ?? 0].map(Math.round)).toEqual([50, 70]);
  expect(bar?.to).toBe(100);
  expect(barOf({ ...error, low: -1 }, 0.03)?.from).toBe(0);
  expect(barOf(nothing, 0.03)).toBeNull();
});

test("time left in words", () => {
  const progress = { total: 4, done: 1, passed: 1, running: [], elapsed_s: 20 };
  expect(leftText(null)).toBe("starting");
  expect(leftText({ ...progress, left_s: null })).toContain("after the first trial");
  expect(leftText({ ...progress, left_s: 61 })).toBe("61 s left");
  expect(leftText({ ...progress, left_s: 600 })).toBe("10 min left");
});

test.each([
  [{ trials: "10", seed: "0" }, null],
  [{ trials: "0", seed: "0" }, "Trials"],
  [{ trials: "1.5", seed: "0" }, "Trials"],
  [{ trials: "1e9", seed: "0" }, "Trials"],
  [{ trials: "3", seed: "" }, "Seed"],
  [{ trials: "3", seed: "-1" }, "Seed"],
])("%j", (draft, problem) => {
  const read = readDraft(draft);
  if (problem === null) expect(read).toEqual({ trials: 10, seed: 0, problem: null });
  else expect(read.problem).toContain(problem);
});
