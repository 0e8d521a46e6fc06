import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FrameReport, TrackedObject } from "#contract/perception";
import type { SeenObject } from "../twin/scene/seen-objects";
import { byUrgency, detectionsOf, feedFacts, fit, freshness, missingOf, objectState } from "./layout";

const track: TrackedObject = {
  id: "o1",
  label: "banana",
  confidence: 0.9,
  seen: true,
  last_seen_at_ms: 0,
  position_enu_m: [1, 0, 0.7],
  size_m: [0.1, 0.1, 0.1],
  sigma_m: 0.003,
  range_m: 1.2,
  box_px: [32, 24, 64, 48],
  colour: [1, 1, 0],
};
const report: FrameReport = {
  camera: "front",
  seq: 1,
  captured_at_ms: 0,
  width: 320,
  height: 240,
  frames_per_s: 9.8,
  latency_ms: 41.2,
  depth_range_m: [0.4, 6],
  localised: true,
  objects: [track],
  brightness: 0.5,
  depth_share: 0.9,
  ahead_m: null,
};
const object: SeenObject = {
  id: "o1",
  label: "banana",
  state: "seen",
  position_enu_m: [1, 0, 0.7],
  size_m: [0.1, 0.1, 0.1],
  colour: [1, 1, 0],
  baseline_enu_m: [1, 0, 0.7],
  displacement_m: 0.017,
  deadband_m: 0.01,
  score: 85,
  moved: true,
  alarm: "caution",
  confidence: 0.9,
  sigma_m: 0.003,
  range_m: 1.2,
  last_seen_at_ms: 0,
};
const size = fc.record({
  width: fc.integer({ min: 1, max: 2000 }),
  height: fc.integer({ min: 1, max: 2000 }),
});

describe("picture in its panel", () => {
  it("is whole, centred and undistorted", () => {
    fc.assert(
      fc.property(size, size, (panel, picture) => {
        const f = fit(panel, picture);
        expect(f.width).toBeLessThanOrEqual(panel.width + 1e-6);
        expect(f.height).toBeLessThanOrEqual(panel.height + 1e-6);
        expect(f.width / f.height).toBeCloseTo(picture.width / picture.height, 4);
        expect(f.left * 2 + f.width).toBeCloseTo(panel.width, 4);
      }),
    );
  });
  it("is nothing before the first picture", () => {
    expect(fit({ width: 10, height: 10 }, { width: 0, height: 0 }).width).toBe(0);
  });
});

describe("detections", () => {
  it("names what moved and how far, amber for caution, red for stop", () => {
    const say = (o: SeenObject) => detectionsOf(report, [o], null, "metric")[0];
    expect(say(object)).toMatchObject({ text: "banana moved 1.7 cm", mark: "caution" });
    expect(say({ ...object, alarm: "stop", displacement_m: 0.062 })).toMatchObject({
      text: "banana moved 6.2 cm",
      mark: "stop",
    });
    expect(say({ ...object, state: "exempt", alarm: "none", moved: false })).toMatchObject({
      mark: "target",
    });
  });
  it("places boxes as shares of the picture and leaves out what this frame does not show", () => {
    const [first] = detectionsOf(report, [], "o1", "metric");
    expect(first).toMatchObject({ mark: "selected", box: { left: 0.1, top: 0.1, width: 0.2, height: 0.2 } });
    const hidden = {
      ...report,
      objects: [
        { ...track, seen: false },
        { ...track, box_px: null },
      ],
    };
    expect(detectionsOf(hidden, [], null, "metric")).toEqual([]);
  });
  it("lists what is not seen with its age, never as unmoved", () => {
    expect(missingOf([{ ...object, state: "not_seen" }, object], 6400)).toEqual(["banana 6.4 s"]);
  });
});

describe("list of objects", () => {
  const quiet: SeenObject = {
    ...object,
    id: "q",
    label: "can",
    alarm: "none",
    moved: false,
    displacement_m: 0.004,
  };
  it("puts what moved first and what is not seen next", () => {
    const lost: SeenObject = { ...quiet, id: "l", label: "apple", state: "not_seen" };
    const stop: SeenObject = { ...object, id: "s", label: "zebra", alarm: "stop" };
    expect(byUrgency([quiet, lost, object, stop]).map((o) => o.label)).toEqual([
      "zebra",
      "banana",
      "apple",
      "can",
    ]);
  });
  it("says each state in its own words", () => {
    const say = (o: Partial<SeenObject>): string => objectState({ ...quiet, ...o }, 6400, "metric");
    expect(say({})).toBe("Δ 0.4 cm");
    expect(say({ moved: true, displacement_m: 0.017 })).toBe("moved 1.7 cm");
    expect(say({ state: "not_seen" })).toBe("not seen 6.4 s");
    expect(say({ state: "exempt" })).toBe("target");
    expect(say({ state: "settling" })).toBe("settling");
  });
});

describe("age of the picture", () => {
  it.each([
    [80, "live"],
    [390, "live"],
    [700, "late"],
    [2100, "frozen"],
    [Number.NaN, "frozen"],
  ] as const)("%d ms at 10 frames a second is %s", (age_ms, state) => {
    expect(freshness(0, age_ms, 10).state).toBe(state);
  });
  it("waits longer for slow cameras", () => {
    expect(freshness(0, 2100, 1).state).toBe("live");
    expect(freshness(0, 7000, 1).state).toBe("frozen");
  });
  it("tells size, rate and latency", () => {
    expect(feedFacts(report)).toBe("320×240 · 10 fps · 41 ms");
    expect(feedFacts(null)).toBe("");
  });
});
