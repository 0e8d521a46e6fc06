import { describe, expect, it } from "vitest";
import { initialAnchor, stepAnchor } from "./anchor";
import { pointToSite } from "./site-transform";

const odometry = (x: number, time_s: number, reset_counter: number) => ({
  name: "ODOMETRY",
  system_id: 1,
  component_id: 1,
  at_ms: time_s * 1000,
  fields: { time_usec: time_s * 1e6, x, y: 0, z: -1.5, reset_counter },
});

describe("PX4/PX4-Autopilot#7491, #11970: a 2 m step of the estimate with its reset counter", () => {
  it("leaves the vehicle where it is in the site, while it goes on moving", () => {
    let anchor = initialAnchor();
    const places: number[] = [];
    for (let i = 0; i < 60; i++) {
      const time_s = i / 30;
      const reset = i >= 30;
      const local_x = time_s * 0.5 + (reset ? 2 : 0);
      anchor = stepAnchor(anchor, odometry(local_x, time_s, reset ? 8 : 7));
      places.push(pointToSite(anchor.site, [local_x, 0, -1.5])[1]);
    }
    places.forEach((place, i) => expect(place).toBeCloseTo((i / 30) * 0.5, 6));
    expect([anchor.resets, anchor.last_jump_m]).toEqual([1, expect.closeTo(2, 6)]);
  });

  it("without the counter it is motion, however fast", () => {
    const anchor = [odometry(0, 0, 1), odometry(2, 0.03, 1)].reduce(
      (a, m) => stepAnchor(a, m),
      initialAnchor(),
    );
    expect([anchor.resets, anchor.site.offset_enu_m]).toEqual([0, [0, 0, 0]]);
  });

  it("after a long silence the jump is unknown, and that is said instead of guessed", () => {
    const anchor = [odometry(0, 0, 1), odometry(9, 5, 2)].reduce((a, m) => stepAnchor(a, m), initialAnchor());
    expect(anchor.resets).toBe(1);
    expect(anchor.last_jump_m).toBeNaN();
    expect(anchor.site.offset_enu_m).toEqual([0, 0, 0]);
  });
});
