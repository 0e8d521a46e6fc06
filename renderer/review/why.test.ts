import { describe, expect, it } from "vitest";
import { quatFromYaw } from "#contract/frames";
import type { StepRecord } from "#contract/mission";
import type { ReviewSummary, ReviewTrack } from "#contract/review";
import type { GateCheck } from "#contract/safety";
import { flownPath, trackPose, trackSite } from "./track";
import { callText, explain, stepAt, stepSpan } from "./why";

const check = (over: Partial<GateCheck>): GateCheck => ({
  id: "clearance",
  label: "Clearance",
  status: "pass",
  hard: true,
  value: 0.31,
  needed: 0.25,
  unit: "m",
  sense: "at_least",
  margin: 0.24,
  detail: "",
  ...over,
});

function record(step: number, over: Partial<StepRecord> = {}): StepRecord {
  return {
    step,
    proposal: {
      id: `p${step}`,
      mission_id: "m",
      step,
      call: { skill: "forward", args: {} },
      tier: "T1",
      trace: { image_description: "a", summary: "b", action_predictions: [], reasoning: "The way is free." },
      policy: "rules",
      latency_ms: 12,
      tokens: null,
      attempt: 1,
      invalid: [],
      observation: { camera_seq: null, captured_at_ms: null },
      start: null,
      end: null,
      path: [],
      distance_m: 0.5,
      duration_s: 3,
      energy_wh: 0.3,
      created_at_ms: step * 10_000 - 2000,
    },
    verdict: { at_ms: 0, pass: true, checks: [check({})] },
    decision: { kind: "approved", by: "operator 1", reason: "", after_ms: 1900 },
    started_at_ms: step * 10_000,
    ended_at_ms: step * 10_000 + 4000,
    status: "success",
    detail: "Arrived and settled",
    ...over,
  };
}

const summary = (records: readonly StepRecord[]): ReviewSummary => ({
  id: "r",
  path: "/f.mcap",
  title: "Flight",
  format: "Kingfisher flight",
  completeness: { state: "complete", notes: [] },
  duration_s: 60,
  sources: [
    {
      key: "",
      path: "/f.mcap",
      title: "Flight",
      format: "Kingfisher flight",
      completeness: { state: "complete", notes: [] },
      duration_s: 60,
      start_utc_ms: null,
      video: false,
      offset: { offset_s: 0, how: "reference", correlation: null, signal: "" },
    },
  ],
  span: { from_s: 0, to_s: 60 },
  beside: [],
  takeoff_s: null,
  start_utc_ms: null,
  start_boot_ms: null,
  topics: [],
  message_count: 0,
  messages: [],
  lanes: [
    {
      id: "mode",
      label: "Mode",
      spans: [{ from_s: 0, to_s: 60, label: "Hold", tone: "neutral" }],
      marks: [],
    },
    {
      id: "s_safe",
      label: "S_safe",
      spans: [{ from_s: 12, to_s: 60, label: "59", tone: "warning" }],
      marks: [],
    },
  ],
  findings: [
    {
      at_s: 13.9,
      severity: "warning",
      title: "Stopped by displacement",
      detail: "banana moved 6.2 cm, limit 5 cm",
      rule: "displacement",
      evidence: null,
    },
    {
      at_s: 50,
      severity: "warning",
      title: "Unrelated",
      detail: "later",
      rule: "message",
      evidence: null,
    },
  ],
  steps: records.map((r) => ({ at_s: (r.started_at_ms ?? r.proposal.created_at_ms) / 1000, record: r })),
  image_topics: [],
  has_track: false,
  audit: { state: "verified", detail: "" },
  parameters: [],
  meta: {},
});

const words = (s: ReviewSummary, t_s: number): string =>
  (explain(s, t_s, "metric")?.parts ?? []).map((p) => `${p.title}: ${p.lines.join(" | ")}`).join("\n");

describe("why did it stop here", () => {
  const stopped = summary([
    record(1, { status: "stopped", detail: "banana moved 6.2 cm." }),
    record(2, { started_at_ms: null, ended_at_ms: null, status: null, decision: null }),
  ]);

  it("is answered from the record: skill, time, cause, finding and S_safe", () => {
    const told = explain(stopped, 13, "metric");
    expect(told?.title).toBe("Why did it stop here?");
    expect(told?.at_s).toBe(14);
    const text = words(stopped, 13);
    expect(text).toContain("“Forward 0.5 m” was stopped at 0:14.0: banana moved 6.2 cm.");
    expect(text).toContain("Stopped by displacement: banana moved 6.2 cm, limit 5 cm");
    expect(text).toContain("S_safe at that moment: 59");
    expect(text).not.toContain("Unrelated");
  });

  it("tells who approved it after how long, and the least margin", () => {
    expect(words(stopped, 13)).toContain("1 of 1 checks passed, least margin clearance 0.31 m, needs 0.25 m");
    expect(words(stopped, 13)).toContain("approved by operator 1 after 1.9 s");
  });

  it("tells what came next", () => {
    expect(words(stopped, 13)).toContain("Then: 4.0 s later rules proposed forward 0.5 m");
    expect(words(stopped, 20)).toContain(
      "no further step; the recording ends at 1:00.0; the vehicle was in Hold",
    );
  });

  it("tells a refusal as such", () => {
    const refused = summary([
      record(1, {
        started_at_ms: null,
        ended_at_ms: null,
        status: null,
        verdict: {
          at_ms: 0,
          pass: false,
          checks: [check({ status: "fail", detail: "0.10 m to the shelf" })],
        },
        decision: { kind: "refused", by: "", reason: "clearance", after_ms: 0 },
      }),
    ]);
    expect(words(refused, 30)).toContain("“Forward 0.5 m” was not flown: refused: clearance.");
    expect(words(refused, 30)).toContain("✕ Clearance: 0.10 m to the shelf");
  });

  it("makes no drama of a step that went well", () => {
    const well = summary([record(1)]);
    expect(explain(well, 12, "metric")?.title).toBe("Reasoning at the cursor");
    expect(words(well, 12)).toContain("Result: succeeded in 4.0 s: Arrived and settled");
    expect(words(well, 12)).not.toContain("What happened");
  });

  it("says a cause once, and arguments with their units", () => {
    const call = { skill: "hold", args: { duration_s: 20 } } as const;
    const hold = record(1, { status: "stopped", detail: "banana moved 6.2 cm, limit 5 cm" });
    const held = summary([{ ...hold, proposal: { ...hold.proposal, call } }]);
    expect(words(held, 13).match(/moved 6\.2 cm/g)).toHaveLength(1);
    expect(callText(held.steps[0]?.record ?? hold)).toBe("Hold · time to hover 20 s");
  });

  it("says nothing before the first proposal", () => {
    expect(explain(stopped, 7.9, "metric")).toBeNull();
    expect(stepAt(stopped.steps, 8)?.record.step).toBe(1);
    expect(stepSpan(stopped.steps[1] ?? { at_s: 0, record: record(9) }).to_s).toBeNull();
  });
});

describe("the vehicle's path", () => {
  const track: ReviewTrack = {
    t_s: [0, 1, 2, 10],
    position_enu_m: [
      [0, 0, 0],
      [1, 0, 1],
      [2, 0, 1],
      [9, 0, 1],
    ],
    quat_flu_enu: [quatFromYaw(0), quatFromYaw(0), quatFromYaw(0), quatFromYaw(0)],
  };
  it("is followed between samples, and waits across a gap instead of inventing flight", () => {
    expect(trackPose(track, 0.5)?.position_enu_m).toEqual([0.5, 0, 0.5]);
    expect(trackPose(track, 6)?.position_enu_m).toEqual([2, 0, 1]);
    expect(trackPose(track, 99)?.position_enu_m).toEqual([9, 0, 1]);
    expect(trackPose({ t_s: [], position_enu_m: [], quat_flu_enu: [] }, 1)).toBeNull();
  });
  it("is drawn up to the cursor and bounded", () => {
    expect(flownPath(track, 1.5)).toHaveLength(2);
    const long = {
      ...track,
      t_s: Array.from({ length: 9000 }, (_, i) => i),
      position_enu_m: Array(9000).fill([0, 0, 0]),
    };
    expect(flownPath(long, 9000).length).toBeLessThanOrEqual(1500);
  });
  it("makes a floor large enough for the flight", () => {
    expect(trackSite(track).fence.max_enu_m[0]).toBe(10);
  });
});
