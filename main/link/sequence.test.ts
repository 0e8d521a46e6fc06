import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LossTracker } from "./sequence";

function feed(seqs: readonly number[]): LossTracker {
  const tracker = new LossTracker();
  for (const seq of seqs) tracker.note(1, 1, seq & 0xff, 500);
  return tracker;
}
const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe("loss", () => {
  it("is none when PX4 sends 23, 25, 24, 26", () => {
    const seqs = upTo(2000);
    for (let i = 10; i < 1990; i += 7) [seqs[i], seqs[i + 1]] = [seqs[i + 1] ?? 0, seqs[i] ?? 0];
    expect(feed(seqs).loss(500)).toBe(0);
  });

  it("is the share that never came, around the wrap of the counter", () => {
    const tracker = feed(upTo(3000).filter((i) => i % 5 !== 0));
    expect(tracker.loss(500)).toBeGreaterThan(0.19);
    expect(tracker.loss(500)).toBeLessThan(0.21);
  });

  it("does not count repeats, restarts or other senders", () => {
    const tracker = new LossTracker();
    for (const seq of upTo(500)) {
      expect(tracker.note(1, 1, seq & 0xff, 0)).toBe(true);
      expect(tracker.note(1, 1, seq & 0xff, 0)).toBe(false);
      tracker.note(2, 1, (seq * 1) & 0xff, 0);
    }
    expect(tracker.duplicates).toBe(500);
    tracker.note(1, 1, 120, 0);
    expect(tracker.restarts).toBe(1);
    expect(tracker.loss(0)).toBe(0);
  });

  it("is forgotten after ten seconds", () => {
    const tracker = feed(upTo(300).filter((i) => i % 2 === 0));
    expect(tracker.loss(500)).toBeGreaterThan(0.4);
    expect(tracker.loss(11_000)).toBe(0);
  });

  it("is zero for any shuffling within a distance that a network makes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 12, noNaN: true }), { minLength: 300, maxLength: 300 }),
        (delays) => {
          const order = delays
            .map((delay, i) => ({ i, at: i + delay }))
            .sort((a, b) => a.at - b.at)
            .map(({ i }) => i);
          expect(feed(order).loss(500)).toBe(0);
        },
      ),
    );
  });
});
