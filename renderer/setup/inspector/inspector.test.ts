import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InspectedMessage } from "#contract/link-ipc";
import { askAfter, extendSeries, noSeries, valueRange } from "./live-series";
import { keyOf, lossOf, messageTree } from "./tree";

const message = (name: string, over: Partial<InspectedMessage> = {}): InspectedMessage => ({
  system_id: 1,
  component_id: 1,
  name,
  id: 30,
  count: 10,
  rate_hz: 10,
  bytes_per_s: 300,
  last_at_ms: 0,
  ...over,
});
const component = { system_id: 1, component_id: 1, frames: 95, lost: 5, duplicates: 0, restarts: 0 };
const list = [
  message("SYS_STATUS", { rate_hz: 1, id: 1 }),
  message("ATTITUDE", { rate_hz: 50 }),
  message("ALTITUDE", { rate_hz: 49, id: 141 }),
  message("HEARTBEAT", { component_id: 100, id: 0, rate_hz: 1 }),
];

describe("the messages", () => {
  it("stand under their component, by name or by what they take", () => {
    const tree = messageTree(list, [component], "", "name");
    expect(
      tree.map(({ component_id, messages }) => [component_id, messages.map(({ name }) => name)]),
    ).toEqual([
      [1, ["ALTITUDE", "ATTITUDE", "SYS_STATUS"]],
      [100, ["HEARTBEAT"]],
    ]);
    expect(lossOf(tree[0]!.stream)).toBeCloseTo(0.05);
    expect(lossOf(tree[1]!.stream)).toBeNull();
    expect(keyOf(list[1]!)).toBe("1/1/ATTITUDE");
  });

  it("do not change places because a rate flickers", () => {
    const names = (rate_hz: number): readonly string[] =>
      messageTree(
        [message("B", { rate_hz }), message("A", { rate_hz: 50 })],
        [],
        "",
        "rate",
      )[0]!.messages.map(({ name }) => name);
    expect([48, 49, 51, 52].map((rate) => names(rate).join())).toEqual(["A,B", "A,B", "A,B", "A,B"]);
    expect(names(200)).toEqual(["B", "A"]);
  });

  it("are found by words and by number", () => {
    const found = (text: string): readonly string[] =>
      messageTree(list, [], text, "name").flatMap(({ messages }) => messages.map(({ name }) => name));
    expect(found("att")).toEqual(["ATTITUDE"]);
    expect(found("141")).toEqual(["ALTITUDE"]);
    expect(found("status sys")).toEqual(["SYS_STATUS"]);
  });
});

describe("a live plot", () => {
  it("keeps the newest window, in order, whatever comes twice", () => {
    const step = fc.record({ at_ms: fc.integer({ min: 0, max: 100_000 }), value: fc.double() });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 20 }), { maxLength: 20 }), (batches) => {
        let series = noSeries;
        for (const batch of batches)
          series = extendSeries(
            series,
            batch.map(({ at_ms }) => at_ms),
            batch.map(({ value }) => value),
            30,
          );
        expect(series.values.length).toBe(series.at_s.length);
        expect(series.at_s.every((s, i) => i === 0 || s > (series.at_s[i - 1] ?? 0))).toBe(true);
        expect((series.at_s.at(-1) ?? 0) - (series.at_s[0] ?? 0)).toBeLessThanOrEqual(30);
        expect(series.values.every(Number.isFinite)).toBe(true);
      }),
    );
    expect(askAfter(extendSeries(noSeries, [100, 250], [1, 2], 30))).toBe(250);
    expect(askAfter(noSeries)).toBeNull();
  });

  it("has a height even when nothing moves", () => {
    const [low, high] = valueRange([3, 3]);
    expect(low < 3 && high > 3).toBe(true);
    expect(valueRange([])).toEqual([0, 1]);
  });
});
