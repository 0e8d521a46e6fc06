import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";

const setMode = 176;
const injectFailure = 420;

describe("an origin on the globe", { timeout: 60_000 }, () => {
  const zurich = { latitude: 473977420, longitude: 85455940, altitude: 488_000 };

  test("without one, hold is refused under motion capture while the acknowledgement says 0; SET_GPS_GLOBAL_ORIGIN mends it", () => {
    const rig = new FlightRig({ global_origin: "unset" });
    rig.run(3);
    // On the ground: arming in hold is what is refused.
    expect(rig.command(400, [1])).toBe(1);
    rig.run(0.1);
    expect(rig.texts()).toContain("Preflight Fail: No valid global position estimate");
    rig.offboard(0, 0, 1.2, 0);
    rig.run(1);
    expect(rig.command(setMode, [1, 6, 0])).toBe(0);
    expect(rig.command(400, [1])).toBe(0);
    rig.run(8);
    expect(rig.body.position_m[2]).toBeGreaterThan(1);
    expect(rig.command(setMode, [1, 4, 3])).toBe(0);
    rig.run(1.2);
    expect(rig.mode()).toBe("6/0");
    expect(rig.of("GLOBAL_POSITION_INT")).toEqual([]);
    expect(rig.of("HOME_POSITION")).toEqual([]);
    rig.receive("SET_GPS_GLOBAL_ORIGIN", zurich);
    rig.run(0.2);
    expect(rig.last("GPS_GLOBAL_ORIGIN")).toMatchObject({ latitude: 473977420, altitude: 488_000 });
    expect(rig.command(setMode, [1, 4, 3])).toBe(0);
    rig.run(1.2);
    expect(rig.mode()).toBe("4/3");
    expect(Number(rig.last("GLOBAL_POSITION_INT")["lat"])).toBeCloseTo(473977420, -2);
  });

  test("without one, a lost setpoint stream lands instead of returning", () => {
    const rig = new FlightRig({ global_origin: "unset" });
    rig.run(3);
    rig.offboard(0, 0, 1.2, 0);
    rig.run(1);
    rig.command(setMode, [1, 6, 0]);
    rig.command(400, [1]);
    rig.run(8);
    rig.stream = null;
    rig.run(2.5);
    expect(rig.mode()).toBe("4/6");
    expect(Number(rig.last("HEARTBEAT")["system_status"])).toBe(5);
    rig.run(15);
    expect(rig.autopilot.armed).toBe(false);
  });
});

describe("a finished landing", { timeout: 60_000 }, () => {
  test("leaves for the mode flown before it: offboard after offboard (PX4 1.17)", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.offboard(0, 0, 1.5, 0);
    rig.run(1);
    rig.command(setMode, [1, 6, 0]);
    rig.run(1);
    rig.command(21);
    rig.run(15);
    expect(rig.autopilot.armed).toBe(false);
    rig.run(1.1);
    expect(rig.mode()).toBe("6/0");
  });

  test("never leaves for a take-off, which the next arming would start; a return ends in hold", () => {
    const rig = new FlightRig();
    rig.run(3);
    rig.command(400, [1]);
    rig.command(22, [Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, 490]);
    rig.run(3);
    expect(rig.mode()).toBe("4/2");
    rig.command(21);
    rig.run(15);
    expect(rig.autopilot.armed).toBe(false);
    rig.run(1.1);
    expect(rig.mode()).toBe("4/3");
    rig.takeOff();
    rig.command(20);
    rig.run(25);
    expect(rig.autopilot.armed).toBe(false);
    expect(rig.mode()).toBe("4/3");
  });
});

describe("motor failure on a hexarotor", { timeout: 60_000 }, () => {
  test("injected in hover: acknowledged with 0, that output falls to 900, the opposite one to 1000, attitude is held", () => {
    const rig = new FlightRig();
    rig.takeOff();
    const at_s = rig.time_s;
    const before_m = rig.body.position_m[2];
    expect(rig.command(injectFailure, [101, 1, 3])).toBe(0);
    rig.run(4);
    const servo = rig.last("SERVO_OUTPUT_RAW");
    expect(servo["servo3_raw"]).toBe(900);
    expect(servo["servo4_raw"]).toBe(1000);
    expect(Number(servo["servo1_raw"])).toBeGreaterThan(1300);
    expect(Math.max(...rig.since(at_s).map((s) => s.tilt_rad))).toBeLessThan(0.5);
    expect(Math.abs(rig.body.position_m[2] - before_m)).toBeLessThan(0.6);
    expect(rig.autopilot.armed).toBe(true);
    expect(rig.mode()).toBe("4/3");
  });

  test("is denied where SYS_FAILURE_EN is 0; of a GPS there is no acknowledgement at all", () => {
    const rig = new FlightRig({ parameters: { SYS_FAILURE_EN: 0 } });
    rig.run(3);
    expect(rig.command(injectFailure, [101, 1, 3])).toBe(2);
    const other = new FlightRig();
    other.run(3);
    expect(other.command(injectFailure, [4, 1, 0])).toBe(-1);
  });
});

describe("battery", { timeout: 60_000 }, () => {
  test.each([
    [0, "4/3"],
    [2, "4/6"],
    [3, "4/5"],
  ])("at the critical level COM_LOW_BAT_ACT %i leads to mode %s", (action, mode) => {
    const rig = new FlightRig({ parameters: { COM_LOW_BAT_ACT: action } });
    rig.takeOff();
    rig.body.remaining = 0.06;
    rig.run(1.2);
    expect(rig.mode()).toBe(mode);
    expect(rig.texts().some((t) => t.includes("battery level critical"))).toBe(true);
    expect(Number(rig.last("BATTERY_STATUS")["charge_state"] ?? 0)).toBeGreaterThanOrEqual(0);
  });

  test("low only warns, and an armed start below critical is refused", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.body.remaining = 0.14;
    rig.run(1.2);
    expect(rig.mode()).toBe("4/3");
    expect(rig.texts()).toContain("Warning: battery level low");
    const empty = new FlightRig();
    empty.body.remaining = 0.06;
    empty.run(3);
    expect(empty.command(400, [1])).toBe(1);
  });
});

describe("a heading turned by half a turn", { timeout: 60_000 }, () => {
  test("is refused for seven seconds, then taken with a counted reset, and the vehicle no longer flies where it should", () => {
    const rig = new FlightRig();
    rig.takeOff();
    const resets = Number(rig.last("ODOMETRY")["reset_counter"]);
    rig.autopilot.inject({ kind: "yaw_flip", flipped: true });
    const at_s = rig.time_s;
    rig.run(6.5);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(resets);
    const held = rig.since(at_s).map((s) => Math.hypot(s.position_enu_m[0], s.position_enu_m[1]));
    expect(Math.max(...held)).toBeLessThan(0.1);
    rig.run(1);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(resets + 1);
    rig.run(6);
    expect(Math.hypot(rig.body.position_m[0], rig.body.position_m[1])).toBeGreaterThan(0.5);
  });

  test("a source that flips only for a moment turns nothing", () => {
    const rig = new FlightRig();
    rig.takeOff();
    const resets = Number(rig.last("ODOMETRY")["reset_counter"]);
    const yaw_rad = rig.track.at(-1)?.yaw_enu_rad ?? 0;
    rig.autopilot.inject({ kind: "yaw_flip", flipped: true });
    rig.run(4);
    rig.autopilot.inject({ kind: "yaw_flip", flipped: false });
    rig.run(8);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(resets);
    expect(rig.track.at(-1)?.yaw_enu_rad).toBeCloseTo(yaw_rad, 1);
  });

  test("relayed as ODOMETRY it is refused alike", () => {
    const rig = new FlightRig({ position_aid: "external" });
    let turned = false;
    rig.stream = () => {
      const [x, y, z] = rig.body.position_m;
      const yaw = Math.PI / 2 - (rig.track.at(-1)?.yaw_enu_rad ?? 0) + (turned ? Math.PI : 0);
      const q = [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)];
      rig.receive("ODOMETRY", { frame_id: 20, child_frame_id: 12, x: y, y: x, z: -z, q, reset_counter: 0 });
    };
    rig.takeOff();
    const resets = Number(rig.last("ODOMETRY")["reset_counter"]);
    turned = true;
    rig.run(6.5);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(resets);
    rig.run(1);
    expect(Number(rig.last("ODOMETRY")["reset_counter"])).toBe(resets + 1);
  });
});
