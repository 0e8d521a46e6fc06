import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";

const degree = Math.PI / 180;
const ack = { accepted: 0, rejected: 1, denied: 2, unsupported: 3 };

describe("flying", { timeout: 60_000 }, () => {
  test("arms, takes off to the height asked for, holds, lands and disarms by itself", () => {
    const rig = new FlightRig();
    rig.run(3);
    expect(rig.mode()).toBe("4/3");
    expect(rig.command(400, [1])).toBe(ack.accepted);
    expect(rig.command(22, [Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, 489.2])).toBe(ack.accepted);
    rig.run(1.5);
    expect(rig.mode()).toBe("4/2");
    rig.run(9);
    expect(rig.mode()).toBe("4/3");
    expect(rig.body.position_m[2]).toBeGreaterThan(1.15);
    expect(rig.body.position_m[2]).toBeLessThan(1.25);
    expect(rig.command(21)).toBe(ack.accepted);
    rig.run(9);
    expect(rig.body.position_m[2]).toBeLessThan(0.01);
    expect(rig.autopilot.armed).toBe(false);
    expect(rig.texts()).toEqual([
      "Armed by external command",
      "Takeoff detected",
      "Landing at current position",
      "Landing detected",
      "Disarmed by landing",
    ]);
  });

  test("hover stays within 4 cm for a minute, and the estimate within 2 cm of the truth", () => {
    const rig = new FlightRig();
    rig.takeOff(1.5);
    rig.run(5);
    const start_s = rig.time_s;
    let worst = 0;
    rig.stream = () => {
      const e = rig.last("LOCAL_POSITION_NED");
      const [x, y, z] = rig.body.position_m;
      worst = Math.max(worst, Math.hypot(Number(e["y"]) - x, Number(e["x"]) - y, -Number(e["z"]) - z));
    };
    rig.run(60);
    const track = rig.since(start_s).map((s) => s.position_enu_m);
    for (const axis of [0, 1, 2] as const) {
      const values = track.map((p) => p[axis]);
      expect(Math.max(...values) - Math.min(...values)).toBeLessThan(0.08);
    }
    expect(worst).toBeLessThan(0.03);
  });

  test("a 1 m offboard step: under 12 % overshoot, settled within 5 cm after 6 s, tilt below the limit", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.offboard(0, 0, 1.5, 0);
    rig.run(1);
    expect(rig.command(176, [1, 6, 0])).toBe(ack.accepted);
    rig.run(5);
    const start_s = rig.time_s;
    rig.offboard(1, 0, 1.5, 0);
    rig.run(10);
    expect(rig.mode()).toBe("6/0");
    const track = rig.since(start_s);
    const x = track.map((s) => s.position_enu_m[0]);
    expect(Math.max(...x)).toBeLessThan(1.12);
    for (const s of rig.since(start_s + 6)) expect(Math.abs(s.position_enu_m[0] - 1)).toBeLessThan(0.05);
    for (const s of track) {
      expect(Math.abs(s.position_enu_m[1])).toBeLessThan(0.05);
      expect(Math.abs(s.position_enu_m[2] - 1.5)).toBeLessThan(0.06);
      expect(s.tilt_rad).toBeLessThan(20 * degree);
    }
  });

  test("a 30 degree turn: under 10 % overshoot, within 1 degree after 3 s, height kept", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.offboard(0, 0, 1.5, 0);
    rig.run(1);
    rig.command(176, [1, 6, 0]);
    rig.run(4);
    const start_s = rig.time_s;
    rig.offboard(0, 0, 1.5, -30 * degree);
    rig.run(6);
    const yaw = rig.since(start_s).map((s) => s.yaw_enu_rad / degree);
    expect(Math.min(...yaw)).toBeGreaterThan(-33);
    for (const s of rig.since(start_s + 3)) expect(Math.abs(s.yaw_enu_rad / degree + 30)).toBeLessThan(1);
    for (const s of rig.since(start_s)) expect(Math.abs(s.position_enu_m[2] - 1.5)).toBeLessThan(0.06);
  });

  test("a steady 2 N wind and 0.4 kg more than known are integrated away", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.body.wind_n = [2, -1, 0];
    rig.body.extra_kg = 0.4;
    rig.run(25);
    const start_s = rig.time_s;
    rig.run(5);
    const [first] = rig.since(start_s);
    for (const s of rig.since(start_s)) {
      expect(Math.abs(s.position_enu_m[2] - 1.5)).toBeLessThan(0.08);
      expect(Math.abs(s.position_enu_m[0] - (first?.position_enu_m[0] ?? 0))).toBeLessThan(0.06);
    }
    expect(Math.abs(rig.body.position_m[0])).toBeLessThan(0.12);
  });

  test("one seed, one flight; another seed, another", () => {
    const fly = (seed: number): string => {
      const rig = new FlightRig({ seed });
      rig.takeOff();
      return rig.body.position_m.join(",") + JSON.stringify(rig.sent.slice(-40));
    };
    expect(fly(3)).toBe(fly(3));
    expect(fly(3)).not.toBe(fly(4));
  });
});

describe("offboard", { timeout: 60_000 }, () => {
  test("is refused without a setpoint stream in flight: acknowledged, but the heartbeat stays (PX4/PX4-Autopilot#20519)", () => {
    const rig = new FlightRig();
    rig.takeOff();
    expect(rig.command(176, [1, 6, 0])).toBe(ack.accepted);
    rig.run(1.5);
    expect(rig.mode()).toBe("4/3");
    expect(rig.texts()).toContain("Switching to mode 'Offboard' is currently not possible");
  });

  test("on the ground it is taken without a stream, and arming is what is refused (mavlink/mavros#493)", () => {
    const rig = new FlightRig();
    rig.run(3);
    expect(rig.command(176, [1, 6, 0])).toBe(ack.accepted);
    rig.run(1);
    expect(rig.mode()).toBe("6/0");
    expect(rig.command(400, [1])).toBe(ack.rejected);
    rig.run(0.1);
    expect(rig.texts()).toContain("Preflight Fail: No offboard signal");
    expect(rig.texts()).toContain("Arming denied: Resolve system health failures first");
    expect(rig.autopilot.armed).toBe(false);
  });

  test("when setpoints stop, the failsafe acts after about one second: return, system status critical, landed at home", () => {
    const rig = new FlightRig();
    rig.takeOff();
    rig.offboard(0.8, 0.4, 1.5, 0);
    rig.run(1);
    rig.command(176, [1, 6, 0]);
    rig.run(6);
    rig.stream = null;
    const stopped_s = rig.time_s;
    rig.run(0.9);
    expect(rig.texts().join("")).not.toContain("Failsafe");
    rig.run(1.3);
    const at =
      rig.sent.find((s) => String(s.message.fields["text"]).startsWith("Failsafe activated"))?.time_s ?? 99;
    expect(at - stopped_s).toBeGreaterThan(0.94);
    expect(at - stopped_s).toBeLessThan(1.1);
    rig.run(1);
    expect(rig.mode()).toBe("4/5");
    expect(rig.last("HEARTBEAT")["system_status"]).toBe(5);
    rig.run(20);
    expect(rig.autopilot.armed).toBe(false);
    expect(Math.hypot(rig.body.position_m[0], rig.body.position_m[1])).toBeLessThan(0.15);
  });

  test.each([
    [4, "4/6"],
    [5, "4/3"],
    [0, "3/0"],
  ])("COM_OBL_RC_ACT %i leads to mode %s", (action, mode) => {
    const rig = new FlightRig({ parameters: { COM_OBL_RC_ACT: action } });
    rig.takeOff();
    rig.offboard(0, 0, 1.5, 0);
    rig.run(1);
    rig.command(176, [1, 6, 0]);
    rig.run(2);
    rig.stream = null;
    rig.run(2.5);
    expect(rig.mode()).toBe(mode);
  });
});
