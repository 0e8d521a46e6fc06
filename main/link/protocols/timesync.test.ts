import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { lossyLink } from "../../../tests/support/lossy-link";
import { type BootClock, bootToStation, initialBootClock, stepBootClock } from "./boot-clock";
import { startTimesync } from "./timesync";

const target = { system_id: 1, component_id: 1 };

describe("the vehicle's clock", () => {
  it("is found by the fastest arrival, whatever the others were delayed by", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 5, maxLength: 100 }),
        (delays) => {
          let clock: BootClock = initialBootClock;
          delays.forEach((delay, i) => {
            clock = stepBootClock(clock, 5000 + i * 20, 90_000 + i * 20 + 3 + delay);
          });
          const error_ms = (bootToStation(clock, 5000) ?? 0) - 90_000 - 3;
          expect(error_ms).toBeCloseTo(Math.min(...delays), 6);
        },
      ),
    );
  });

  it("is found anew after a restart, and follows a drift within half a minute", () => {
    let clock = [0, 1, 2].reduce((c, i) => stepBootClock(c, 100_000 + i, 200_000 + i), initialBootClock);
    clock = stepBootClock(clock, 500, 201_000);
    expect(bootToStation(clock, 500)).toBe(201_000);
    for (let s = 0; s < 60; s++) clock = stepBootClock(clock, 500 + s * 1000, 201_000 + s * 1001);
    expect(bootToStation(clock, 59_500)).toBeGreaterThan(201_000 + 59_000 + 25);
    expect(bootToStation(initialBootClock, 1)).toBeNull();
  });

  it("is measured by TIMESYNC with half the round trip taken off, and ours is told when it asks", async () => {
    const clock = new FakeClock(50_000);
    const { station, vehicle } = await lossyLink(clock, { delay_ms: 40 });
    const boot_ms = () => clock.now_ms() - 30_000;
    const asked: unknown[] = [];
    vehicle.onMessage(({ name, fields }) => {
      if (name !== "TIMESYNC") return;
      if (fields["tc1"] === 0) {
        vehicle.send("TIMESYNC", {
          tc1: Math.round(boot_ms() * 1e6),
          ts1: fields["ts1"],
          target_system: 255,
          target_component: 190,
        });
      } else asked.push(fields["ts1"]);
    });
    const sync = startTimesync(station, clock, target);
    await clock.advanceAsync(3000, 10);
    expect(sync.round_trip_ms).toBeCloseTo(80);
    expect(sync.toStation(1000)).toBeCloseTo(31_000);
    vehicle.send("TIMESYNC", { tc1: 0, ts1: 77 });
    await clock.advanceAsync(200, 10);
    expect(asked).toEqual([77]);
    sync.stop();
  });
});
