import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Alert } from "#contract/alerts";
import { type AlertEvent, type AlertsState, audible, initialAlerts, stepAlerts } from "./alerts";

const raise = (id: string, severity: Alert["severity"] = "caution"): AlertEvent => ({
  kind: "raise",
  id,
  severity,
  text: id,
  action: "look",
});
const run = (events: readonly AlertEvent[]): AlertsState =>
  events.reduce((state, event, i) => stepAlerts(state, event, 100 * i), initialAlerts);

describe("alerts", () => {
  test("are latched until acknowledged, with who did it", () => {
    const state = run([raise("a"), { kind: "acknowledge", id: "a", by: "operator 2" }]);
    expect(state.alerts).toMatchObject([{ id: "a", acknowledged_by: "operator 2", count: 1 }]);
  });
  test("count repeats instead of stacking them, and ask again after a repeat", () => {
    const state = run([raise("a"), { kind: "acknowledge", id: null, by: "x" }, raise("a"), raise("a")]);
    expect(state.alerts).toMatchObject([
      { count: 3, acknowledged_by: null, first_at_ms: 0, last_at_ms: 300 },
    ]);
  });
  test("stand worst first, open before acknowledged, newest before older", () => {
    const state = run([
      raise("old", "caution"),
      raise("note", "advisory"),
      raise("done", "warning"),
      { kind: "acknowledge", id: "done", by: "x" },
      raise("new", "caution"),
      raise("worst", "warning"),
    ]);
    expect(state.alerts.map((a) => a.id)).toEqual(["worst", "done", "new", "old", "note"]);
  });
  test("qgroundcontrol#12882: muting never mutes warnings, ends by itself, and a wrong number of minutes unmutes", () => {
    const muted = stepAlerts(initialAlerts, { kind: "mute", minutes: 5 }, 1000);
    expect([audible(muted, "warning", 2000), audible(muted, "caution", 2000)]).toEqual([true, false]);
    expect(audible(muted, "caution", 1000 + 5 * 60_000)).toBe(true);
    for (const minutes of [0, -1, 16, Number.NaN, Infinity])
      expect(audible(stepAlerts(muted, { kind: "mute", minutes }, 2000), "caution", 2000)).toBe(true);
  });
  test("qgroundcontrol#5932: 200 texts in 5 s make one line with its newest time, not a backlog", () => {
    const state = Array.from({ length: 200 }).reduce<AlertsState>(
      (s, _, i) => stepAlerts(s, raise("text"), 25 * i),
      initialAlerts,
    );
    expect(state.alerts).toMatchObject([{ count: 200, last_at_ms: 4975 }]);
  });
  test("memory is bounded, and no open warning is ever dropped", () => {
    const event = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant("raise" as const),
          id: fc.integer({ min: 0, max: 2000 }).map(String),
          severity: fc.constantFrom("warning" as const, "caution" as const, "advisory" as const),
          text: fc.constant("t"),
          action: fc.constant("a"),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant("acknowledge" as const),
          id: fc.integer({ min: 0, max: 2000 }).map(String),
          by: fc.constant("x"),
        }),
      },
    );
    fc.assert(
      fc.property(fc.array(event, { minLength: 260, maxLength: 320 }), (events) => {
        let state = initialAlerts;
        events.forEach((e, i) => {
          const open = state.alerts.filter((a) => a.severity === "warning" && a.acknowledged_by === null);
          state = stepAlerts(state, e, i);
          const touched = e.id;
          const kept = new Set(state.alerts);
          if (!open.every((a) => a.id === touched || kept.has(a)))
            throw new Error(`an open warning went: ${i}`);
          if (new Set(state.alerts.map((a) => a.id)).size !== state.alerts.length)
            throw new Error("two lines");
        });
        const open = state.alerts.filter((a) => a.severity === "warning" && a.acknowledged_by === null);
        expect(state.alerts.length).toBeLessThanOrEqual(Math.max(200, open.length + 1));
      }),
      { numRuns: 20 },
    );
  });
});
