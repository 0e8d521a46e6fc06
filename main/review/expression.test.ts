import { expect, test } from "vitest";
import { evaluateExpression } from "./expression";
import type { Column } from "./reader";

const column = (t_s: number[], values: number[]): Column => ({
  t_s: Float64Array.from(t_s),
  values: Float64Array.from(values),
  unit: "",
});
const fields: Record<string, Column> = {
  "a.x": column([0, 1, 2], [1, 4, 9]),
  "b.y[0]": column([0.5, 1.5], [10, 20]),
};
const run = (text: string): number[] | string => {
  const result = evaluateExpression(text, (name) => fields[name] ?? null);
  return result.ok ? [...result.value.values] : result.error;
};

test("arithmetic follows the usual order", () => {
  expect(run("{a.x} * 2 + 1")).toEqual([3, 9, 19]);
  expect(run("1 + 2 * {a.x}^0.5")).toEqual([3, 5, 7]);
  expect(run("-({a.x} - 1) / 2")).toEqual([-0, -1.5, -4]);
  expect(run("max({a.x}, 5) - min(sqrt({a.x}), 2)")).toEqual([4, 3, 7]);
  expect(run("ddt({a.x})")).toEqual([Number.NaN, 3, 5]);
});

test("fields of other rates contribute their newest value", () => {
  expect(run("{a.x} + {b.y[0]}")).toEqual([Number.NaN, 14, 29]);
});

test("what cannot be understood is one sentence", () => {
  expect(run("{a.x} +")).toBe("A value is missing.");
  expect(run("{a.x} $ 2")).toBe("“$ 2” cannot be understood.");
  expect(run("({a.x}")).toBe("“)” is missing.");
  expect(run("{a.x} 2")).toBe("“2” is one too many.");
  expect(run("log({a.x})")).toBe("There is no function “log”.");
  expect(run("{nothing.here}")).toBe("There is no numeric field {nothing.here}.");
  expect(run("1 + 1")).toBe("An expression needs at least one field in braces, like {TOPIC.FIELD}.");
});

test("whole series are filtered, integrated and wrapped", () => {
  const t = Array.from({ length: 400 }, (_, i) => i / 100);
  fields["s.wave"] = column(
    t,
    t.map((s) => 7 + Math.sin(2 * Math.PI * 20 * s)),
  );
  const at = (text: string, i: number): number => (run(text) as number[])[i] ?? Number.NaN;
  expect(at("vibration({s.wave})", 200)).toBeCloseTo(Math.SQRT1_2, 1);
  expect(at("rms({s.wave}, 1)", 200)).toBeCloseTo(Math.SQRT1_2, 1);
  expect(at("mean({s.wave}, 1)", 200)).toBeCloseTo(7, 1);
  expect(at("lowpass({s.wave}, 0.5)", 399)).toBeCloseTo(7, 1);
  expect(at("highpass({s.wave}, 0.01)", 0)).toBeCloseTo(0, 6);
  expect(at("int({s.wave})", 399)).toBeCloseTo(7 * 3.99, 0);
  expect(run("wrap_deg({a.x} * 100)")).toEqual([100, 40, -180]);
  expect(run("lowpass({a.x})")).toBe("“,” is missing.");
  expect(run("lowpass({a.x}, 0)")).toBe("“lowpass” needs a number above zero after the comma.");
});
