import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { px4CustomMode } from "./modes";
import { ageVehicle, initialVehicle, reduceVehicle } from "./reduce";
import { identitySite, pointToLocal, pointToSite, reanchored, yawToLocalNed } from "./site-transform";

const message = (
  name: string,
  fields: Record<string, unknown>,
  from: readonly [number, number] = [1, 1],
  at_ms = 0,
) => ({
  name,
  system_id: from[0],
  component_id: from[1],
  at_ms,
  fields,
});
const px4 = (change: Record<string, unknown> = {}) => ({
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: px4CustomMode(4, 3),
  system_status: 3,
  mavlink_version: 3,
  ...change,
});
const run = (...messages: ReturnType<typeof message>[]) =>
  messages.reduce((state, m) => reduceVehicle(state, m, m.at_ms), initialVehicle());
const started = run(message("HEARTBEAT", px4()));

describe("who speaks for the vehicle", () => {
  it("ArduPilot/ardupilot#7088: heartbeats of components 154, 191 and of a ground station do not make mode or armed state flicker", () => {
    let state = run(message("HEARTBEAT", px4({ base_mode: 29 + 128, custom_mode: px4CustomMode(6) })));
    for (let i = 0; i < 50; i++) {
      state = reduceVehicle(
        state,
        message("HEARTBEAT", px4({ type: 26, autopilot: 8, base_mode: 0, custom_mode: 0 }), [1, 154]),
        i,
      );
      state = reduceVehicle(
        state,
        message("HEARTBEAT", px4({ type: 18, autopilot: 8, base_mode: 0, custom_mode: 0 }), [1, 191]),
        i,
      );
      state = reduceVehicle(
        state,
        message("HEARTBEAT", px4({ type: 6, autopilot: 8, base_mode: 192, custom_mode: 7 }), [255, 190]),
        i,
      );
      expect([state.armed, state.mode, state.system_id, state.component_id]).toEqual([
        true,
        "offboard",
        1,
        1,
      ]);
    }
  });

  it("keeps to the first vehicle until it is gone, then takes the one that is there", () => {
    const other = message("HEARTBEAT", px4({ base_mode: 29 + 128 }), [2, 1], 2000);
    expect(reduceVehicle(started, other, 2000).system_id).toBe(1);
    expect(reduceVehicle(started, other, 5000).system_id).toBe(2);
  });

  it("ignores what other components of the vehicle measure", () => {
    const fields = { time_boot_ms: 5, roll: 0, pitch: 0, yaw: 1, rollspeed: 0, pitchspeed: 0, yawspeed: 0 };
    expect(reduceVehicle(started, message("ATTITUDE", fields, [1, 154]), 0)).toBe(started);
    expect(reduceVehicle(started, message("ATTITUDE", fields), 0).yaw_enu_rad).toBeCloseTo(Math.PI / 2 - 1);
  });
});

describe("what is said of the vehicle", () => {
  it("names the modes of PX4 and ArduPilot", () => {
    const mode = (fields: Record<string, unknown>) => {
      const state = run(message("HEARTBEAT", px4(fields)));
      return [state.mode, state.mode_label];
    };
    expect(mode({ custom_mode: px4CustomMode(4, 5) })).toEqual(["return", "Return"]);
    expect(mode({ custom_mode: px4CustomMode(3) })).toEqual(["position", "Position"]);
    expect(mode({ custom_mode: px4CustomMode(4, 12) })).toEqual(["other", "External 2"]);
    expect(mode({ autopilot: 3, type: 13, custom_mode: 4 })).toEqual(["guided", "Guided"]);
    expect(mode({ autopilot: 3, type: 13, custom_mode: 99 })).toEqual(["other", "Copter mode 99"]);
    expect(mode({ autopilot: 3, type: 10, custom_mode: 4 })).toEqual(["other", "mode 4"]);
  });

  it("reads the firmware and its commit", () => {
    const version = { flight_sw_version: 0x011100ff, flight_custom_version: [8, 7, 6, 5, 4, 3, 2, 1] };
    const state = run(message("HEARTBEAT", px4()), message("AUTOPILOT_VERSION", version));
    expect([state.firmware, state.git_hash]).toEqual(["1.17.0 release", "0102030405060708"]);
    const pre = run(
      message("HEARTBEAT", px4()),
      message("AUTOPILOT_VERSION", { ...version, flight_sw_version: 0x01120081 }),
    );
    expect(pre.firmware).toBe("1.18.0 beta1");
    const ardu = run(
      message("HEARTBEAT", px4({ autopilot: 3 })),
      message("AUTOPILOT_VERSION", { ...version, flight_custom_version: [...Buffer.from("1a2b3c4d")] }),
    );
    expect(ardu.git_hash).toBe("1a2b3c4d");
  });

  it("is no longer connected 3 s after the last heartbeat", () => {
    expect(ageVehicle(started, 3000)).toBe(started);
    expect(ageVehicle(started, 3001).connected).toBe(false);
  });

  it("keeps unknown battery values unknown", () => {
    const status = (change: Record<string, unknown>) =>
      run(message("HEARTBEAT", px4()), message("SYS_STATUS", { ...sysStatus, ...change })).battery;
    expect(status({})).toEqual({ remaining: 0.87, voltage_v: 16.2, current_a: 12.5, minutes_left: null });
    expect(status({ battery_remaining: -1, voltage_battery: 65535, current_battery: -1 })).toEqual({
      remaining: null,
      voltage_v: null,
      current_a: null,
      minutes_left: null,
    });
  });

  it("PX4/PX4-Autopilot#22885, ArduPilot/ardupilot#10662: every reason not to arm at once", () => {
    const unhealthy = {
      onboard_control_sensors_health:
        sysStatus.onboard_control_sensors_health & ~(0x4 | 0x10000000 | 0x2000000),
    };
    const state = run(
      message("HEARTBEAT", px4()),
      message("STATUSTEXT", { severity: 2, text: "Preflight Fail: ekf2 missing data", id: 0, chunk_seq: 0 }),
      message("STATUSTEXT", { severity: 2, text: `PreArm: ${"x".repeat(42)}`, id: 7, chunk_seq: 0 }),
      message("STATUSTEXT", { severity: 2, text: "and more", id: 7, chunk_seq: 1 }),
      message("SYS_STATUS", { ...sysStatus, ...unhealthy }),
    );
    expect(state.arming.map((issue) => issue.text)).toEqual([
      "compass is not healthy",
      "battery is not healthy",
      "the vehicle's own pre-flight checks fail",
      "ekf2 missing data",
      `${"x".repeat(42)}and more`,
    ]);
    expect(state.arming.every((issue) => issue.severity === "blocks" && issue.advice !== "")).toBe(true);
    const ready = reduceVehicle(state, message("SYS_STATUS", sysStatus), 0);
    expect(ready.arming).toEqual([]);
  });

  it("counts flight time from take-off to landing", () => {
    const at = (landed_state: number, at_ms: number) =>
      message("EXTENDED_SYS_STATE", { vtol_state: 0, landed_state }, [1, 1], at_ms);
    const flying = run(message("HEARTBEAT", px4()), at(1, 0), at(3, 1000), at(2, 2000));
    expect([flying.landed, flying.in_air_since_ms]).toEqual(["in_air", 1000]);
    expect(reduceVehicle(flying, at(1, 9000), 9000).in_air_since_ms).toBeNull();
  });
});

describe("where the vehicle is", () => {
  const position = (x: number, time_boot_ms = 100) =>
    message("LOCAL_POSITION_NED", { time_boot_ms, x, y: 2, z: -3, vx: 1, vy: 0, vz: 0 });
  const odometry = (x: number, change: Record<string, unknown> = {}) =>
    message("ODOMETRY", {
      time_usec: 0,
      frame_id: 1,
      child_frame_id: 12,
      x,
      y: 0,
      z: 0,
      q: [1, 0, 0, 0],
      vx: 1,
      vy: 0,
      vz: 0,
      reset_counter: 4,
      quality: 80,
      ...change,
    });

  it("turns NED into the world's ENU", () => {
    const state = run(message("HEARTBEAT", px4()), position(1));
    expect(state.position_enu_m).toEqual([2, 1, 3]);
    expect(state.velocity_enu_m_s?.map((v) => v + 0)).toEqual([0, 1, 0]);
  });

  it("mavlink/qgroundcontrol#5397, ArduPilot/MissionPlanner#3743: never jumps between two position sources, never to zero", () => {
    let state = run(message("HEARTBEAT", px4()), position(1));
    state = reduceVehicle(state, odometry(50), 0);
    expect(state.position_enu_m).toEqual([2, 1, 3]);
    state = reduceVehicle(state, position(Number.NaN), 0);
    expect(state.position_enu_m).toEqual([2, 1, 3]);
    expect(run(message("HEARTBEAT", px4()), odometry(Number.NaN)).position_enu_m).toBeNull();
    expect(run(message("HEARTBEAT", px4()), odometry(5)).estimate.source).toBe("odometry");
  });

  it("PX4/PX4-Autopilot#7491, #11970: a reset is told by its counter, and re-anchoring keeps the vehicle in place in the site", () => {
    const before = run(message("HEARTBEAT", px4()), odometry(0), odometry(2, { reset_counter: 5 }));
    expect(before.reset_counter).toBe(5);
    const site = reanchored(identitySite, [0, 2, 0]);
    expect(pointToSite(site, [2, 0, 0])).toEqual([0, 0, 0]);
  });

  it("drops an attitude that was overtaken and starts afresh after a reboot", () => {
    const attitude = (time_boot_ms: number, yaw: number) =>
      message("ATTITUDE", { time_boot_ms, roll: 0, pitch: 0, yaw, rollspeed: 0, pitchspeed: 0, yawspeed: 0 });
    const state = run(message("HEARTBEAT", px4()), attitude(60_000, 1), position(1, 60_000));
    expect(reduceVehicle(state, attitude(59_990, 2), 0)).toBe(state);
    expect(reduceVehicle(state, attitude(59_000, 2), 0)).toBe(state);
    const again = reduceVehicle(state, attitude(500, 2), 0);
    expect([again.boot_time_ms, again.position_enu_m]).toEqual([500, null]);
  });

  it("gives setpoints in the frame from which positions come", () => {
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, angle, (x, y, z, offset, yaw_rad) => {
        const site = { yaw_rad, offset_enu_m: [offset, -offset, offset / 2] } as const;
        const back = pointToLocal(site, pointToSite(site, [x, y, z]));
        expect(back[0]).toBeCloseTo(x, 6);
        expect(back[1]).toBeCloseTo(y, 6);
        expect(back[2]).toBeCloseTo(z, 6);
      }),
    );
    expect(yawToLocalNed({ yaw_rad: 0.3, offset_enu_m: [0, 0, 0] }, Math.PI / 2 + 0.3)).toBeCloseTo(0);
  });
});

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
const angle = fc.double({ min: -3.2, max: 3.2, noNaN: true });
const sysStatus = {
  onboard_control_sensors_present: 0x7fffffff,
  onboard_control_sensors_enabled: 0x7fffffff,
  onboard_control_sensors_health: 0x7fffffff,
  load: 100,
  voltage_battery: 16_200,
  current_battery: 1250,
  battery_remaining: 87,
};
