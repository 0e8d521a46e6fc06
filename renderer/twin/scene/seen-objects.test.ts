import { describe, expect, it } from "vitest";
import type { TrackedObject } from "#contract/perception";
import type { ObjectDisplacement, SafetyState } from "#contract/safety";
import { objectText, seenObjects } from "./seen-objects";

const watched = (over: Partial<ObjectDisplacement>): ObjectDisplacement => ({
  id: "o1",
  label: "banana",
  state: "seen",
  baseline_enu_m: [1, 0, 0.7],
  position_enu_m: [1.017, 0, 0.7],
  size_m: [0.1, 0.1, 0.1],
  colour: [1, 1, 0],
  displacement_m: 0.017,
  deadband_m: 0.01,
  score: 100,
  last_seen_at_ms: 1000,
  ...over,
});
const track = (over: Partial<TrackedObject>): TrackedObject => ({
  id: "o1",
  label: "banana",
  confidence: 0.9,
  seen: true,
  last_seen_at_ms: 1000,
  position_enu_m: [1, 0, 0.7],
  size_m: [0.1, 0.1, 0.1],
  sigma_m: 0.003,
  range_m: 1.2,
  box_px: [0, 0, 10, 10],
  colour: [1, 1, 0],
  ...over,
});
const safety = (objects: readonly ObjectDisplacement[]): SafetyState => ({
  profile: "flight",
  score: 100,
  level: "ok",
  worst: null,
  worst_displacement_m: 0,
  seen: 1,
  total: 1,
  objects,
  frame_seq: 1,
  at_ms: 1000,
});
const report = (objects: readonly TrackedObject[]) => ({
  camera: "front",
  seq: 1,
  captured_at_ms: 1000,
  width: 320,
  height: 240,
  frames_per_s: 10,
  latency_ms: 40,
  depth_range_m: [0.4, 6] as const,
  localised: true,
  objects,
  brightness: 0.5,
  depth_share: 0.9,
  ahead_m: null,
});

describe("what is drawn of an object", () => {
  it("joins monitor and tracker, and lists what only one of them knows", () => {
    const seen = seenObjects(safety([watched({})]), report([track({}), track({ id: "o2", label: "can" })]));
    expect(seen.map((o) => [o.id, o.state, o.confidence])).toEqual([
      ["o1", "seen", 0.9],
      ["o2", "settling", 0.9],
    ]);
  });

  it.each([
    [100, "none"],
    [89, "caution"],
    [69, "stop"],
    [Number.NaN, "stop"],
  ] as const)("a score of %d is %s", (score, alarm) => {
    expect(seenObjects(safety([watched({ score })]), null)[0]?.alarm).toBe(alarm);
  });

  it("never calls a target or a thing without baseline displaced", () => {
    const [target, settling] = seenObjects(
      safety([
        watched({ state: "exempt", score: 10 }),
        watched({ state: "settling", baseline_enu_m: null, score: 0 }),
      ]),
      null,
    );
    expect([target?.alarm, target?.moved, settling?.alarm, settling?.moved]).toEqual([
      "none",
      false,
      "none",
      false,
    ]);
  });

  it("says moved, not seen, or how sure", () => {
    const say = (o: Partial<ObjectDisplacement>): string => {
      const [seen] = seenObjects(safety([watched(o)]), report([track({})]));
      return seen === undefined ? "" : objectText(seen, 7400, "metric");
    };
    expect(say({})).toBe("banana moved 1.7 cm");
    expect(say({ displacement_m: 0.004 })).toBe("banana 0.90");
    expect(say({ state: "not_seen" })).toBe("banana · not seen 6.4 s");
    expect(say({ state: "exempt" })).toBe("banana · target");
  });
});
