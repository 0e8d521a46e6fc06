import { describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { startHeartbeat } from "./heartbeat";

describe("bluerobotics/companion#403: the heartbeat stands for a main loop that runs and an operator who can command", () => {
  const start = () => {
    const clock = new FakeClock();
    let sent = 0;
    const beat = startHeartbeat({ send: () => sent++ }, clock);
    return { clock, beat, count: () => sent };
  };

  it("is sent at 1 Hz while both are alive", () => {
    const { clock, beat, count } = start();
    for (let i = 0; i < 100; i++) {
      beat.alive(true);
      clock.advance(100);
    }
    expect(count()).toBeGreaterThanOrEqual(10);
    expect(count()).toBeLessThanOrEqual(11);
    expect(beat.sending).toBe(true);
  });

  it("stops when the main loop hangs, so the vehicle's failsafe can act, and starts again at once", () => {
    const { clock, beat, count } = start();
    beat.alive(true);
    clock.advance(60_000);
    expect(count()).toBeLessThanOrEqual(2);
    expect(beat.sending).toBe(false);
    const before = count();
    beat.alive(true);
    expect(count()).toBe(before + 1);
  });

  it("stops when the operator's session ends although the process lives on", () => {
    const { clock, beat, count } = start();
    for (let i = 0; i < 100; i++) {
      beat.alive(false);
      clock.advance(100);
    }
    expect(count()).toBe(0);
  });
});
