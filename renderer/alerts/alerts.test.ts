import { describe, expect, it } from "vitest";
import type { Alert } from "#contract/alerts";
import { audible, countOf, forList, open, worstNew } from "./order";
import { current_ms, ended, nextSentence, pause_ms, type Speech, sentence, silent } from "./speech";

const alert = (
  id: string,
  severity: Alert["severity"],
  last_at_ms: number,
  over: Partial<Alert> = {},
): Alert => ({
  id,
  severity,
  text: `text ${id}`,
  action: "do",
  count: 1,
  first_at_ms: last_at_ms,
  last_at_ms,
  acknowledged_by: null,
  ...over,
});

describe("order of alerts", () => {
  const list = [
    alert("old warning", "warning", 100),
    alert("advisory", "advisory", 900),
    alert("new warning", "warning", 500),
    alert("done", "warning", 800, { acknowledged_by: "operator 1" }),
    alert("caution", "caution", 700),
  ];

  it("is the newest of the worst first, the acknowledged last", () => {
    expect(open(list).map(({ id }) => id)).toEqual(["new warning", "old warning", "caution", "advisory"]);
    expect(forList(list).at(-1)?.id).toBe("done");
    expect(countOf(list)).toEqual({ warning: 2, caution: 1, advisory: 1 });
  });

  it("sounds for what is new or has repeated, once", () => {
    const seen = new Map(list.map(({ id, count }) => [id, count]));
    expect(worstNew(list, seen)).toBeNull();
    expect(worstNew([...list, alert("x", "caution", 950)], seen)).toBe("caution");
    expect(
      worstNew(
        list.map((one) => (one.id === "advisory" ? { ...one, count: 2 } : one)),
        seen,
      ),
    ).toBe("advisory");
  });

  it("never mutes a warning (mavlink/qgroundcontrol#12882)", () => {
    expect(audible("warning", true)).toBe(true);
    expect(audible("caution", true)).toBe(false);
  });
});

describe("speech", () => {
  it("says only what is current: 200 texts in 5 s (mavlink/qgroundcontrol#5932)", () => {
    const sentence_ms = 1800;
    const alerts: Alert[] = [];
    const said: { at_ms: number; alert: Alert }[] = [];
    let speech: Speech = silent;
    let ends_ms = Number.POSITIVE_INFINITY;
    for (let now_ms = 0; now_ms < 30_000; now_ms += 25) {
      if (now_ms < 5000) alerts.push(alert(`a${now_ms}`, now_ms % 500 === 0 ? "warning" : "caution", now_ms));
      if (now_ms >= ends_ms) {
        speech = ended(speech, now_ms);
        ends_ms = Number.POSITIVE_INFINITY;
      }
      const step = nextSentence(speech, alerts, false, now_ms);
      speech = step.speech;
      if (step.say !== null) {
        said.push({ at_ms: now_ms, alert: step.say });
        ends_ms = now_ms + sentence_ms;
      }
    }
    expect(alerts).toHaveLength(200);
    expect(said.length).toBeGreaterThan(1);
    for (const { at_ms, alert: one } of said) expect(at_ms - one.last_at_ms).toBeLessThanOrEqual(current_ms);
    expect(said.at(-1)?.at_ms).toBeLessThanOrEqual(5000 + current_ms);
    expect(new Set(said.map(({ alert: { id } }) => id)).size).toBe(said.length);
  });

  it("says the worst first, one at a time, with a pause", () => {
    const alerts = [alert("c", "caution", 90), alert("w", "warning", 10)];
    const first = nextSentence(silent, alerts, false, 100);
    expect(first.say?.id).toBe("w");
    expect(nextSentence(first.speech, alerts, false, 200).say).toBeNull();
    const over = ended(first.speech, 1000);
    expect(nextSentence(over, alerts, false, 1000 + pause_ms - 1).say).toBeNull();
    expect(nextSentence(over, alerts, false, 1000 + pause_ms).say?.id).toBe("c");
  });

  it("is silent about muted cautions and about advisories, never about warnings", () => {
    const alerts = [alert("c", "caution", 0), alert("a", "advisory", 0)];
    expect(nextSentence(silent, alerts, true, 10).say).toBeNull();
    expect(nextSentence(silent, [...alerts, alert("w", "warning", 0)], true, 10).say?.id).toBe("w");
    expect(sentence(alert("w", "warning", 0))).toBe("Warning. text w");
  });
});
