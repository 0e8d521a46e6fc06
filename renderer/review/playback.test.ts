import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlaying, type PlaybackEvent, startPlayback, step } from "./playback";

const start = startPlayback({ from_s: 0, to_s: 60 });
const after = (events: readonly (readonly [PlaybackEvent, number])[]) =>
  events.reduce((p, [event, now_ms]) => step(p, event, now_ms), start);

describe("playback", () => {
  it("plays at its speed, from wherever it was", () => {
    const p = after([
      [{ kind: "seek", to_s: 10 }, 0],
      [{ kind: "speed", speed: 4 }, 0],
      [{ kind: "play" }, 1000],
      [{ kind: "tick" }, 1500],
    ]);
    expect(p.cursor_s).toBeCloseTo(12);
    expect(step(p, { kind: "pause" }, 2000).cursor_s).toBeCloseTo(14);
  });

  it("stops at the end and starts over from there", () => {
    const ended = after([
      [{ kind: "seek", to_s: 59 }, 0],
      [{ kind: "play" }, 0],
      [{ kind: "tick" }, 5000],
    ]);
    expect(ended).toMatchObject({ cursor_s: 60, running_since_ms: null });
    expect(step(ended, { kind: "toggle" }, 6000)).toMatchObject({ cursor_s: 0, running_since_ms: 6000 });
  });

  it("goes round in its loop", () => {
    const p = after([
      [{ kind: "loop", loop: { from_s: 20, to_s: 22 } }, 0],
      [{ kind: "play" }, 0],
      [{ kind: "tick" }, 5000],
    ]);
    expect(p.cursor_s).toBeCloseTo(21);
    expect(isPlaying(p)).toBe(true);
  });

  it("ignores a loop too short to be meant", () => {
    expect(step(start, { kind: "loop", loop: { from_s: 1, to_s: 1.01 } }, 0).loop).toBeNull();
  });

  it("stands still after a single step", () => {
    const p = after([
      [{ kind: "play" }, 0],
      [{ kind: "nudge", by_s: -0.1 }, 1000],
    ]);
    expect(p).toMatchObject({ cursor_s: 0.9, running_since_ms: null });
  });

  it("walks through the offered speeds and stays at the ends", () => {
    let p = start;
    for (let i = 0; i < 9; i += 1) p = step(p, { kind: "faster" }, 0);
    expect(p.speed).toBe(8);
    for (let i = 0; i < 9; i += 1) p = step(p, { kind: "slower" }, 0);
    expect(p.speed).toBe(0.25);
  });

  it("plays nothing of an empty recording", () => {
    expect(isPlaying(step(startPlayback({ from_s: 0, to_s: 0 }), { kind: "play" }, 0))).toBe(false);
    expect(startPlayback({ from_s: 0, to_s: Number.NaN }).span).toEqual({ from_s: 0, to_s: 0 });
  });

  it("reaches a joined log's beginning before zero", () => {
    const joined = step(startPlayback({ from_s: -8, to_s: 60 }), { kind: "start" }, 0);
    expect(joined.cursor_s).toBe(-8);
    expect(step(joined, { kind: "seek", to_s: -20 }, 0).cursor_s).toBe(-8);
  });

  it("never leaves the recording, whatever happens", () => {
    const event: fc.Arbitrary<PlaybackEvent> = fc.oneof(
      fc.record({
        kind: fc.constantFrom("play", "pause", "toggle", "tick", "start", "end", "faster", "slower"),
      }),
      fc.record({ kind: fc.constant("seek" as const), to_s: fc.double() }),
      fc.record({
        kind: fc.constant("nudge" as const),
        by_s: fc.double({ min: -100, max: 100, noNaN: true }),
      }),
      fc.record({
        kind: fc.constant("loop" as const),
        loop: fc.option(
          fc.record({ from_s: fc.integer({ min: -10, max: 90 }), to_s: fc.integer({ min: -10, max: 90 }) }),
        ),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.integer({ min: 0, max: 20_000 })), { maxLength: 30 }),
        (events) => {
          let now_ms = 0;
          let p = start;
          for (const [e, wait_ms] of events) {
            now_ms += wait_ms;
            p = step(p, e, now_ms);
            expect(p.cursor_s >= 0 && p.cursor_s <= 60).toBe(true);
          }
        },
      ),
    );
  });
});
