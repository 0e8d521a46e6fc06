import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReviewLane, ReviewTopic } from "#contract/review";
import { markBoxes, spanBoxes, statesAt } from "./lanes";
import { evidencePlot, firstLook, withField, withoutLine, withPlot } from "./plots";
import { rateText, searchTopics } from "./topics";

const range = { from_s: 10, to_s: 20 };
const span = (from_s: number, to_s: number, label = "Hold") => ({
  from_s,
  to_s,
  label,
  tone: "neutral" as const,
});

describe("lanes", () => {
  it("cut spans to the range and give the shortest one room to be seen", () => {
    const boxes = spanBoxes([span(0, 5), span(5, 12), span(15, 15.0001), span(19, 40)], range, 1000);
    expect(boxes.map((b) => [Math.round(b.left), Math.round(b.width)])).toEqual([
      [0, 200],
      [500, 2],
      [900, 100],
    ]);
    expect(boxes.map((b) => b.labelled)).toEqual([true, false, true]);
  });

  it("never draw outside their width", () => {
    const t = fc.double({ min: -5, max: 40, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(t, t), { maxLength: 20 }), (pairs) => {
        const spans = pairs.map(([a, b]) => span(Math.min(a, b), Math.max(a, b)));
        for (const b of spanBoxes(spans, range, 300)) {
          expect(b.left >= 0).toBe(true);
          expect(b.left + b.width <= 300 + 1e-6).toBe(true);
        }
      }),
    );
  });

  it("merge marks that would touch and keep the most urgent", () => {
    const mark = (at_s: number, tone: "go" | "warning") => ({ at_s, label: tone, tone });
    const boxes = markBoxes(
      [mark(12.03, "warning"), mark(12, "go"), mark(15, "go"), mark(30, "go")],
      range,
      100,
    );
    expect(boxes.map((b) => [b.mark.tone, b.count])).toEqual([
      ["warning", 2],
      ["go", 1],
    ]);
  });

  it("tell the state of everything at the cursor", () => {
    const lane: ReviewLane = {
      id: "mode",
      label: "Mode",
      spans: [span(0, 5, "Hold"), span(5, 9, "Land")],
      marks: [],
    };
    expect(statesAt([lane], 5).map((s) => s.span.label)).toEqual(["Land"]);
    expect(statesAt([lane], 9)).toEqual([]);
  });
});

const topic = (name: string, fields: readonly string[], count = 10): ReviewTopic => ({
  name,
  type: "",
  count,
  fields: fields.map((path) => ({ path, numeric: true, unit: "" })),
});

describe("plots", () => {
  it("show something of a recording nobody made a layout for", () => {
    const plots = firstLook([topic("slow", ["a"], 1), topic("fast", ["timestamp", "x", "y"], 900)]);
    expect(plots[0]?.title).toBe("fast");
    expect(plots[0]?.lines.map((l) => l.field)).toEqual(["x", "y"]);
  });

  it("add fields to the chosen plot or to a new one, and know what was commanded", () => {
    const one = withField([], "vehicle_local_position", "z", null);
    const joined = withField(one, "vehicle_local_position_setpoint", "z", 0);
    expect(joined[0]?.lines.map((l) => l.role)).toEqual(["measured", "commanded"]);
    expect(withField(joined, "vehicle_local_position", "z", 0)).toEqual(joined);
    expect(withoutLine(joined, 0, 1)[0]?.lines).toHaveLength(1);
    expect(withoutLine(one, 0, 0)).toEqual([]);
  });

  it("put a finding's evidence on top, once, with the limit that was broken", () => {
    const finding = {
      at_s: 3,
      severity: "warning" as const,
      title: "Battery sagged",
      detail: "",
      rule: "battery_sag",
      evidence: { topic: "battery_status", field: "voltage_v", from_s: 2, to_s: 4, limit: 21 },
    };
    const plot = evidencePlot(finding);
    expect(plot?.limits).toEqual([{ at: 21, tone: "warning" }]);
    const plots = plot === null ? [] : withPlot(withPlot(withField([], "a", "b", null), plot), plot);
    expect(plots.map((p) => p.title)).toEqual(["Battery sagged", "a.b"]);
    expect(evidencePlot({ ...finding, evidence: { ...finding.evidence, field: "" } })).toBeNull();
    expect(evidencePlot({ ...finding, evidence: null })).toBeNull();
  });
});

describe("topics", () => {
  const topics = [topic("ATTITUDE", ["roll", "pitch"]), topic("BATTERY_STATUS", ["voltage"])];
  it("are found by any word of their name or fields", () => {
    expect(searchTopics(topics, "att pit").map((m) => [m.topic.name, m.fields.length, m.by_field])).toEqual([
      ["ATTITUDE", 1, true],
    ]);
    expect(searchTopics(topics, "batt")[0]?.fields).toHaveLength(1);
    expect(searchTopics(topics, "zzz")).toEqual([]);
    expect(searchTopics(topics, "  ")).toHaveLength(2);
  });
  it("tell their rate, or their count where they are rare", () => {
    expect([rateText(2886, 58.8), rateText(100, 58.8), rateText(5, 58.8), rateText(3, 0)]).toEqual([
      "49 Hz",
      "1.7 Hz",
      "5 ×",
      "3 ×",
    ]);
  });
});
