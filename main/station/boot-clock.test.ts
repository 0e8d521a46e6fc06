import fc from "fast-check";
import { expect, test } from "vitest";
import { BootClock } from "./boot-clock";

test("takes the fastest arrival of the window", () => {
  const clock = new BootClock(1000);
  expect(clock.offset_ms).toBeNull();
  clock.add(0, 120);
  clock.add(100, 205);
  clock.add(200, 330);
  expect(clock.offset_ms).toBe(105);
  clock.add(1300, 1420);
  expect(clock.offset_ms).toBe(120);
});

test("a reboot starts afresh, and numbers that are none are ignored", () => {
  const clock = new BootClock();
  clock.add(60_000, 60_010);
  clock.add(Number.NaN, 60_020);
  clock.add(20, 61_000);
  expect(clock.offset_ms).toBe(60_980);
});

test("equals the brute-force minimum over the window", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 200 })), {
        minLength: 1,
      }),
      (steps) => {
        const clock = new BootClock(1000);
        const seen: { at: number; offset: number }[] = [];
        let boot = 0;
        let at = 0;
        for (const [dt, delay] of steps) {
          boot += dt;
          at = Math.max(at, boot + delay);
          clock.add(boot, at);
          seen.push({ at, offset: at - boot });
          const inWindow = seen.filter((s) => s.at >= at - 1000);
          expect(clock.offset_ms).toBe(Math.min(...inWindow.map((s) => s.offset)));
        }
      },
    ),
  );
});
