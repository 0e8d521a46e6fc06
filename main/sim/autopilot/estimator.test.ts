import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";

/** Relays the true pose at 20 Hz as ODOMETRY, with an offset, as a motion-capture relay does. */
function relay(rig: FlightRig, offset_ned_m: readonly [number, number, number], reset_counter = 0): void {
  rig.stream = () => {
    const [x, y, z] = rig.body.position_m;
    rig.receive("ODOMETRY", {
      frame_id: 20,
      child_frame_id: 12,
      x: y + offset_ned_m[0],
      y: x + offset_ned_m[1],
      z: -z + offset_ned_m[2],
      q: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      reset_counter,
    });
  };
}

describe("external position", { timeout: 60_000 }, () => {
  test("without it arming is refused; with it the vehicle flies in its frame", () => {
    const rig = new FlightRig({ position_aid: "external" });
    rig.run(3);
    expect(rig.command(400, [1])).toBe(1);
    rig.run(0.1);
    expect(rig.texts()).toContain("Preflight Fail: No valid local position estimate");
    relay(rig, [0.3, 0, 0]);
    rig.takeOff();
    expect(rig.mode()).toBe("4/3");
    expect(rig.body.position_m[2]).toBeGreaterThan(1.4);
    expect(Math.abs(Number(rig.last("LOCAL_POSITION_NED")["x"]) - rig.body.position_m[1] - 0.3)).toBeLessThan(
      0.03,
    );
  });

  test("a counted reset of the source is a counted reset here, and moves nothing", () => {
    const rig = new FlightRig({ position_aid: "external" });
    relay(rig, [0, 0, 0]);
    rig.takeOff();
    const before = Number(rig.last("ODOMETRY")["reset_counter"]);
    const [x, y] = rig.body.position_m;
    relay(rig, [2, 0, 0], 1);
    rig.run(5);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(before + 1);
    expect(Math.hypot(rig.body.position_m[0] - x, rig.body.position_m[1] - y)).toBeLessThan(0.12);
  });

  test("a source that falls silent for good ends in a descent", () => {
    const rig = new FlightRig({ position_aid: "external" });
    relay(rig, [0, 0, 0]);
    rig.takeOff();
    rig.stream = null;
    rig.run(20);
    expect(rig.autopilot.armed).toBe(false);
    expect(rig.texts()).toContain("Failsafe activated: no valid position estimate");
  });

  test("ATT_POS_MOCAP and foreign frames are ignored, as PX4 ignores them", () => {
    const rig = new FlightRig({ position_aid: "external" });
    rig.stream = () => {
      rig.receive("ATT_POS_MOCAP", { x: 0, y: 0, z: 0, q: [1, 0, 0, 0] });
      rig.receive("ODOMETRY", { frame_id: 12, child_frame_id: 12, q: [1, 0, 0, 0] });
    };
    rig.run(3);
    expect(Number(rig.last("ESTIMATOR_STATUS")["flags"]) & 16).toBe(0);
  });
});
