import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hold, type HoldEvent, heldShare, idle, stepHold } from "./hold";

const rule = { duration_ms: 800, allowed_from_ms: 1000 };
const run = (events: readonly (readonly [HoldEvent, number])[]): readonly Hold[] => {
  let hold = idle;
  return events.map(([event, now_ms]) => {
    hold = stepHold(hold, event, rule, now_ms);
    return hold;
  });
};

describe("press and hold", () => {
  it("fires after the full time and not a moment before", () => {
    const states = run([
      ["press", 1000],
      ["tick", 1799],
      ["tick", 1800],
    ]).map((hold) => hold.state);
    expect(states).toEqual(["holding", "holding", "fired"]);
  });

  it("does not fire when let go early, and starts from nothing again", () => {
    const states = run([
      ["press", 1000],
      ["release", 1700],
      ["press", 1750],
      ["tick", 1900],
    ]).map((hold) => hold.state);
    expect(states).toEqual(["holding", "idle", "holding", "holding"]);
  });

  it("ignores a press that began while it was dead, however long it is held", () => {
    expect(
      run([
        ["press", 999],
        ["tick", 5000],
      ]).at(-1),
    ).toEqual(idle);
  });

  it("fires once for each press", () => {
    const states = run([
      ["press", 1000],
      ["tick", 1900],
      ["press", 1950],
      ["tick", 9000],
    ]).map((hold) => hold.state);
    expect(states).toEqual(["holding", "fired", "fired", "fired"]);
  });

  it("fires at once where no hold is asked for, but still not while dead", () => {
    const quick = { duration_ms: 0, allowed_from_ms: 1000 };
    expect(stepHold(idle, "press", quick, 1000).state).toBe("fired");
    expect(stepHold(idle, "press", quick, 999).state).toBe("idle");
  });

  it("never fires without an uninterrupted press of the full time (any sequence)", () => {
    const event = fc.constantFrom<HoldEvent>("press", "release", "tick");
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(500))), (steps) => {
        let now_ms = 0;
        let pressed_at: number | null = null;
        let hold = idle;
        for (const [kind, wait_ms] of steps) {
          now_ms += wait_ms;
          if (kind === "release") pressed_at = null;
          if (kind === "press") pressed_at ??= now_ms;
          hold = stepHold(hold, kind, rule, now_ms);
          const share = heldShare(hold, rule, now_ms);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
          if (hold.state === "fired") {
            expect(pressed_at).not.toBeNull();
            expect(now_ms - (pressed_at ?? now_ms)).toBeGreaterThanOrEqual(800);
          }
        }
      }),
    );
  });

  it("is dead when the time it is allowed from is not a number", () => {
    expect(stepHold(idle, "press", { duration_ms: 0, allowed_from_ms: Number.NaN }, 5).state).toBe("idle");
  });
});
