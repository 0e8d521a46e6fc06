import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clampRange, followRange, isWhole, panRange, shareOf, timeAt, zoomRange } from "./range";
import { extremes, indexAt, linePoints, padded, valueAt, valueText } from "./series";
import { displayOf, inDisplay } from "./units";

const bucket = fc.record({
  gap: fc.double({ min: 0.001, max: 2, noNaN: true }),
  a: fc.integer(),
  b: fc.integer(),
});
const seriesOf = (buckets: readonly { gap: number; a: number; b: number }[]) => {
  let t = 0;
  return {
    t_s: buckets.map((x) => (t += x.gap)),
    min: buckets.map((x) => Math.min(x.a, x.b)),
    max: buckets.map((x) => Math.max(x.a, x.b)),
  };
};

describe("line through min/max pairs", () => {
  it("keeps every extreme and runs forward in time", () => {
    fc.assert(
      fc.property(fc.array(bucket, { minLength: 1, maxLength: 50 }), (buckets) => {
        const series = seriesOf(buckets);
        const points = linePoints(series);
        const drawn = new Set(points.value);
        for (const v of [...series.min, ...series.max]) expect(drawn.has(v)).toBe(true);
        for (let i = 1; i < points.t_s.length; i += 1)
          expect((points.t_s[i] ?? 0) > (points.t_s[i - 1] ?? 0)).toBe(true);
      }),
    );
  });

  it("draws what was not downsampled point by point, gaps as gaps", () => {
    expect(linePoints({ t_s: [0, 1, 2], min: [5, null, 7], max: [5, null, 7] })).toEqual({
      t_s: [0, 1, 2],
      value: [5, null, 7],
    });
  });
});

describe("values", () => {
  const series = { t_s: [1, 2, 3], min: [0, -4, 1], max: [0, 9, 1] };
  it("are those of the newest sample at or before the cursor", () => {
    expect(valueAt(series, 2.9)).toEqual({ low: -4, high: 9 });
    expect(valueAt(series, 0.5)).toBeNull();
    expect(indexAt([], 1)).toBe(-1);
  });
  it("scale to what is shown, the sample before the edge included", () => {
    expect(extremes([series], 2.5, 3)).toEqual([-4, 9]);
    expect(extremes([], 0, 1)).toBeNull();
    const [low, high] = padded([5, 5]);
    expect(low < 5 && high > 5).toBe(true);
  });
  it.each([
    [12.345, "12.35"],
    [-0.5, "−0.500"],
    [1234.5, "1235"],
    [0.00001, "0"],
    [2e9, "2.00e+9"],
    [-3, "−3"],
    [null, "–"],
  ] as const)("%s is written %s, through no locale (ArduPilot/MissionPlanner#2567)", (v, text) => {
    expect(valueText(v)).toBe(text);
  });
  it("show angles in degrees and lengths as the operator chose", () => {
    expect(displayOf("rad/s", "metric").unit).toBe("°/s");
    expect(displayOf("m/s", "feet")).toEqual({ factor: 1 / 0.3048, unit: "ft/s" });
    expect(displayOf("mV", "feet")).toEqual({ factor: 1, unit: "mV" });
    const shown = inDisplay(
      { topic: "a", field: "b", unit: "rad", t_s: [0], min: [Math.PI], max: [null], raw_count: 1 },
      "metric",
    );
    expect([shown.min, shown.max, shown.unit]).toEqual([[180], [null], "°"]);
  });
});

describe("range", () => {
  const range = { from_s: 10, to_s: 20 };
  const whole = { from_s: 0, to_s: 60 };
  it("zooms about the pointer", () => {
    const next = zoomRange(range, 12, 0.5, whole);
    expect(shareOf(12, next)).toBeCloseTo(shareOf(12, range));
    expect(next.to_s - next.from_s).toBeCloseTo(5);
  });
  it("stays inside the recording and never collapses", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -50, max: 120, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 1e-4, max: 1e4, noNaN: true }),
        (from_s, length_s, factor) => {
          const r = zoomRange(clampRange({ from_s, to_s: from_s + length_s }, whole), from_s, factor, whole);
          expect(r.from_s >= 0 && r.to_s <= 60 + 1e-9 && r.to_s - r.from_s >= 0.049).toBe(true);
        },
      ),
    );
  });
  it("turns the page when the cursor leaves it, and not before", () => {
    expect(followRange(range, 15, whole)).toBe(range);
    expect(followRange(range, 20.5, whole)).toEqual({ from_s: 19.5, to_s: 29.5 });
  });
  it("pans against the edges and knows the whole", () => {
    expect(panRange(range, 100, whole)).toEqual({ from_s: 50, to_s: 60 });
    expect(isWhole(whole, whole)).toBe(true);
    const early = { from_s: -5, to_s: 60 };
    expect(panRange(range, -100, early)).toEqual({ from_s: -5, to_s: 5 });
    expect(isWhole(whole, early)).toBe(false);
    expect(timeAt(0.5, range)).toBe(15);
  });
});
