import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";
import { actions, type FailsafeFlags, failsafe, stateForAction } from "./failsafe";
import { customMode, modeFromNumbers, type NavState, navStates } from "./modes";
import { Parameters } from "./parameters";
import { hexarotor650 } from "./port";

const fine: FailsafeFlags = {
  offboard_lost: false,
  position_lost: false,
  global_lost: false,
  ground_station_lost: false,
  manual_control_lost: false,
  battery: "ok",
  fence_breached: false,
  attitude_failed: false,
  mission_missing: false,
};
const p = new Parameters(hexarotor650, 1);

describe("failsafe", () => {
  test("nothing wrong, nothing done, in any mode", () => {
    for (const mode of navStates) expect(failsafe(fine, mode, true, p).action).toBe("none");
  });

  test("more trouble never leads to a milder action", () => {
    const flag = fc.boolean();
    const flags = fc.record({
      offboard_lost: flag,
      position_lost: flag,
      global_lost: flag,
      ground_station_lost: flag,
      manual_control_lost: flag,
      battery: fc.constantFrom("ok" as const, "low" as const, "critical" as const, "emergency" as const),
      fence_breached: flag,
      attitude_failed: flag,
      mission_missing: flag,
    });
    fc.assert(
      fc.property(flags, fc.constantFrom(...navStates), flag, (f, mode, pilot) => {
        const rank = (x: FailsafeFlags): number => actions.indexOf(failsafe(x, mode, pilot, p).action);
        for (const key of Object.keys(f) as (keyof FailsafeFlags)[]) {
          const healed = { ...f, [key]: fine[key] };
          expect(rank(f)).toBeGreaterThanOrEqual(rank(healed));
        }
      }),
    );
  });

  test("lost position descends, whatever else is wrong short of a tumble; a tumble ends the flight", () => {
    const bad: FailsafeFlags = { ...fine, position_lost: true, battery: "emergency", offboard_lost: true };
    expect(failsafe(bad, "offboard", true, p).action).toBe("descend");
    expect(failsafe({ ...bad, attitude_failed: true }, "offboard", true, p).action).toBe("terminate");
    expect(stateForAction("descend")).toBe("descend");
  });
});

describe("modes", () => {
  test("numbers of px4_custom_mode, there and back", () => {
    expect(customMode("loiter")).toBe(0x03040000);
    expect(customMode("offboard")).toBe(0x00060000);
    expect(customMode("land")).toBe(0x06040000);
    for (const mode of navStates.filter((m): m is NavState => m !== "descend")) {
      const custom = customMode(mode);
      expect(modeFromNumbers((custom >> 16) & 255, (custom >> 24) & 255)).toBe(mode);
    }
    expect(modeFromNumbers(99, 0)).toBeNull();
  });
});

describe("commander", { timeout: 60_000 }, () => {
  test("an idle vehicle disarms itself after COM_DISARM_PRFLT", () => {
    const rig = new FlightRig();
    rig.run(3);
    rig.command(400, [1]);
    rig.run(9);
    expect(rig.autopilot.armed).toBe(true);
    rig.run(1.5);
    expect(rig.autopilot.armed).toBe(false);
    expect(rig.texts().at(-1)).toContain("auto preflight disarming");
    expect(rig.body.position_m[2]).toBeLessThan(0.01);
  });

  test("disarming in flight is refused, the kill command is not", () => {
    const rig = new FlightRig();
    rig.takeOff();
    expect(rig.command(400, [0])).toBe(1);
    expect(rig.autopilot.armed).toBe(true);
    expect(rig.command(400, [0, 21196])).toBe(0);
    rig.run(0.1);
    expect(rig.motors).toEqual([0, 0, 0, 0, 0, 0]);
    expect(rig.texts().at(-1)).toBe("Disarmed by kill command");
  });

  test("arming checks list every reason; forcing overrides them", () => {
    const rig = new FlightRig();
    rig.body.remaining = 0.04;
    rig.run(3);
    rig.command(176, [1, 4, 5]);
    expect(rig.command(400, [1])).toBe(1);
    rig.run(0.1);
    const said = rig.texts().join("\n");
    expect(said).toContain("Battery level emergency");
    expect(said).toContain("Return mode is not suitable for arming");
    expect(rig.command(400, [1, 21196])).toBe(0);
  });

  test("an estimate lost in flight: dead reckoning for five seconds, then a descent; never a fly-away", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.body.position_lost = true;
    rig.run(4);
    expect(rig.mode()).toBe("4/3");
    rig.run(3);
    expect(rig.last("HEARTBEAT")["system_status"]).toBe(5);
    expect(Number(rig.last("ESTIMATOR_STATUS")["flags"]) & 16).toBe(0);
    rig.run(12);
    expect(rig.autopilot.armed).toBe(false);
    expect(Math.hypot(rig.body.position_m[0], rig.body.position_m[1])).toBeLessThan(1.5);
  });

  test("an estimate that comes back counts a reset, and the vehicle stays where it is (PX4/PX4-Autopilot#7491)", () => {
    const rig = new FlightRig();
    rig.takeOff();
    const before = [...rig.body.position_m];
    rig.autopilot.inject({ kind: "position_reset", jump_enu_m: [2, 0, 0] });
    rig.run(6);
    expect(rig.last("ODOMETRY")["reset_counter"]).toBe(1);
    expect(Math.abs(Number(rig.last("LOCAL_POSITION_NED")["y"]) - 2)).toBeLessThan(0.1);
    expect(Math.abs(rig.body.position_m[0] - (before[0] ?? 0))).toBeLessThan(0.1);
  });

  test("critical battery returns, an emergency lands (COM_LOW_BAT_ACT 3)", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.body.remaining = 0.12;
    rig.run(1.2);
    expect(rig.mode()).toBe("4/3");
    expect(rig.texts().at(-1)).toContain("battery level low");
    rig.body.remaining = 0.06;
    rig.run(1.2);
    expect(rig.mode()).toBe("4/5");
    rig.body.remaining = 0.04;
    rig.run(1.2);
    expect(rig.mode()).toBe("4/6");
  });

  test("any station may change the mode: the pilot with another system id takes offboard away", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.offboard(0, 0, 1.5, 0);
    rig.run(1);
    rig.command(176, [1, 6, 0]);
    rig.run(1);
    expect(rig.mode()).toBe("6/0");
    rig.receive("COMMAND_LONG", { command: 176, param1: 1, param2: 3 }, 250, 190);
    rig.run(1.1);
    expect(rig.mode()).toBe("3/0");
    expect(rig.of("COMMAND_ACK").at(-1)).toMatchObject({ target_system: 250, result: 0 });
  });

  test("sticks: small ones do nothing, large ones take over automatic modes and fly", () => {
    const rig = new FlightRig();
    rig.takeOff();
    const sticks = (x: number): void => rig.receive("MANUAL_CONTROL", { target: 1, x, y: 0, z: 500, r: 0 });
    rig.stream = () => {
      sticks(100);
    };
    rig.run(1.1);
    expect(rig.mode()).toBe("4/3");
    const north = rig.body.position_m[1];
    const east = rig.body.position_m[0];
    rig.stream = () => {
      sticks(800);
    };
    rig.run(3);
    expect(rig.mode()).toBe("3/0");
    expect(rig.texts()).toContain("Pilot took over using sticks");
    rig.stream = null;
    rig.run(4);
    const flown = Math.hypot(rig.body.position_m[0] - east, rig.body.position_m[1] - north);
    expect(flown).toBeGreaterThan(0.6);
    expect(flown).toBeLessThan(2);
  });

  test("a silent ground station is reported; by default nothing else happens", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.heartbeat = false;
    rig.run(12);
    expect(rig.mode()).toBe("4/3");
    rig.heartbeat = true;
    rig.run(1.5);
    expect(rig.texts().join("\n")).toContain("Ground station connection regained");
  });

  test.each([1, 2, 3, 4, 5, 6])(
    "motor %i fails: its output falls to 900, the opposite to 1000, attitude is held",
    (motor) => {
      const rig = new FlightRig();
      rig.takeOff();
      expect(rig.command(420, [101, 1, motor])).toBe(0);
      const start_s = rig.time_s;
      rig.run(5);
      const servo = rig.last("SERVO_OUTPUT_RAW");
      expect(servo[`servo${String(motor)}_raw`]).toBe(900);
      expect(servo[`servo${String(((motor - 1) ^ 1) + 1)}_raw`]).toBe(1000);
      for (const s of rig.since(start_s)) {
        expect(s.tilt_rad).toBeLessThan(0.15);
        expect(Math.abs(s.position_enu_m[2] - 1.5)).toBeLessThan(0.12);
      }
    },
  );

  test("a tumble is noticed and ends the flight: motors stop, the heartbeat says so, arming is refused", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.stream = () => {
      rig.body.quat = [Math.cos(0.7), Math.sin(0.7), 0, 0];
    };
    rig.run(1.2);
    expect(rig.autopilot.armed).toBe(false);
    expect(rig.motors).toEqual([0, 0, 0, 0, 0, 0]);
    rig.run(1);
    expect(rig.last("HEARTBEAT")["system_status"]).toBe(8);
    expect(rig.texts()).toContain("Failsafe activated: attitude failure");
    expect(rig.texts()).toContain("Flight termination: motors stopped");
    expect(rig.command(400, [1])).toBe(1);
  });
});
