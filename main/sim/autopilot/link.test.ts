import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";

const ack = { accepted: 0, rejected: 1, denied: 2, unsupported: 3, failed: 4 };

describe("streams", () => {
  test("PX4's rates on its ground link", () => {
    const rig = new FlightRig();
    rig.run(1);
    const start = rig.sent.length;
    rig.run(20);
    const rates: Record<string, number> = {};
    for (const { message } of rig.sent.slice(start))
      rates[message.name] = (rates[message.name] ?? 0) + 1 / 20;
    const near = (name: string, hz: number): void => {
      expect(rates[name] ?? 0, name).toBeGreaterThan(0.9 * hz);
      expect(rates[name] ?? 0, name).toBeLessThan(1.1 * hz);
    };
    const fast = [
      "ATTITUDE",
      "ATTITUDE_QUATERNION",
      "ATTITUDE_TARGET",
      "LOCAL_POSITION_NED",
      "GLOBAL_POSITION_INT",
    ];
    for (const name of [...fast, "POSITION_TARGET_LOCAL_NED", "SERVO_OUTPUT_RAW"]) near(name, 50);
    near("ODOMETRY", 30);
    near("GPS_RAW_INT", 5);
    near("VFR_HUD", 4);
    for (const name of ["HEARTBEAT", "SYS_STATUS", "EXTENDED_SYS_STATE", "ALTITUDE"]) near(name, 1);
    for (const name of ["BATTERY_STATUS", "ESTIMATOR_STATUS", "CURRENT_MODE", "HOME_POSITION"])
      near(name, 0.5);
  });

  test("SET_MESSAGE_INTERVAL changes, stops and restores a rate; an unknown message is refused", () => {
    const rig = new FlightRig();
    const rate = (name: string): number => {
      const before = rig.of(name).length;
      rig.run(2);
      return (rig.of(name).length - before) / 2;
    };
    rig.run(0.1);
    expect(rig.command(511, [105, 20_000])).toBe(ack.accepted);
    expect(Math.abs(rate("HIGHRES_IMU") - 50)).toBeLessThan(1);
    rig.command(511, [30, -1]);
    expect(rate("ATTITUDE")).toBe(0);
    rig.command(511, [30, 0]);
    expect(Math.abs(rate("ATTITUDE") - 50)).toBeLessThan(1);
    expect(rig.command(511, [9999, 1000])).toBe(ack.failed);
    rig.command(510, [30]);
    rig.run(0.05);
    expect(rig.last("MESSAGE_INTERVAL")).toMatchObject({ message_id: 30, interval_us: 20_000 });
  });

  test("REQUEST_MESSAGE sends the message and acknowledges; one it does not have is denied", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    expect(rig.command(512, [148])).toBe(ack.accepted);
    expect(rig.last("AUTOPILOT_VERSION")).toMatchObject({ flight_sw_version: 0x011100ff });
    expect(rig.command(512, [242])).toBe(ack.accepted);
    expect(rig.command(512, [12345])).toBe(ack.denied);
  });

  test("the heartbeat of a hexarotor at rest is what a real one sends", () => {
    const rig = new FlightRig();
    rig.run(1.1);
    expect(rig.last("HEARTBEAT")["system_status"]).toBe(0);
    rig.run(3);
    expect(rig.last("HEARTBEAT")).toEqual({
      type: 13,
      autopilot: 12,
      base_mode: 29,
      custom_mode: 50593792,
      system_status: 3,
      mavlink_version: 3,
    });
    expect(rig.last("SERVO_OUTPUT_RAW")["servo1_raw"]).toBe(900);
    expect(rig.last("EXTENDED_SYS_STATE")).toEqual({ vtol_state: 0, landed_state: 1 });
  });
});

describe("commands", () => {
  test("unknown ones are unsupported; other systems' ones are not answered", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    expect(rig.command(2500)).toBe(ack.unsupported);
    const before = rig.of("COMMAND_ACK").length;
    rig.receive("COMMAND_LONG", { target_system: 7, command: 400, param1: 1 });
    rig.run(0.05);
    expect(rig.of("COMMAND_ACK").length).toBe(before);
  });

  test("a repeat with its confirmation counted up is acknowledged again and not done twice", () => {
    let pushes = 0;
    const rig = new FlightRig({
      push: (index) => {
        pushes++;
        return index < 3;
      },
    });
    rig.run(0.1);
    expect(rig.command(31010, [1, 2])).toBe(ack.accepted);
    expect(rig.command(31010, [1, 2], 1)).toBe(ack.accepted);
    expect(rig.command(31010, [1, 2], 2)).toBe(ack.accepted);
    expect(pushes).toBe(1);
    expect(rig.command(31010, [1, 2])).toBe(ack.accepted);
    expect(pushes).toBe(2);
    expect(rig.command(31010, [1, 9])).toBe(ack.denied);
    expect(rig.command(31010, [7, 0])).toBe(ack.denied);
  });

  test("a copy made by the link, or the original arriving after its repeat, is not done twice; a new one is", () => {
    let pushes = 0;
    const rig = new FlightRig({ push: () => ++pushes > 0 });
    const push = (confirmation: number, sequence: number): void => {
      rig.receive("COMMAND_LONG", { command: 31010, param1: 1, confirmation }, 255, 190, sequence);
    };
    rig.run(0.1);
    push(0, 250);
    push(0, 250);
    expect(pushes).toBe(1);
    push(1, 254);
    push(0, 250);
    expect(pushes).toBe(1);
    push(0, 3);
    expect(pushes).toBe(2);
    push(1, 9);
    push(0, 3);
    expect(pushes).toBe(2);
    rig.run(0.02);
    expect(rig.of("COMMAND_ACK").length).toBe(7);
  });

  test("without a gripper its command is unsupported; with one it is told what to do", () => {
    const done: string[] = [];
    expect(new FlightRig().command(211, [1, 1])).toBe(ack.unsupported);
    const rig = new FlightRig({ gripper: (action) => done.push(action) > 0 });
    expect(rig.command(211, [1, 1])).toBe(ack.accepted);
    expect(rig.command(211, [1, 0])).toBe(ack.accepted);
    expect(done).toEqual(["grab", "release"]);
  });

  test("COMMAND_INT sets home in degrees times 1e7", () => {
    const rig = new FlightRig();
    rig.run(1);
    rig.receive("COMMAND_INT", { frame: 0, command: 179, x: 473977500, y: 85455950, z: 490 });
    rig.run(2.5);
    expect(rig.last("COMMAND_ACK")).toMatchObject({ command: 179, result: 0, target_system: 255 });
    expect(rig.last("HOME_POSITION")).toMatchObject({
      latitude: 473977500,
      longitude: 85455950,
      altitude: 490000,
    });
  });

  test("TUNNEL payloads reach the arm without their padding, and the arm can answer", () => {
    const got: [number, number[]][] = [];
    const rig = new FlightRig({ tunnel: (type, payload) => void got.push([type, [...payload]]) });
    rig.run(0.1);
    rig.receive("TUNNEL", { payload_type: 40000, payload_length: 3, payload: [1, 2, 3, 0, 0] });
    expect(got).toEqual([[40000, [1, 2, 3]]]);
    rig.autopilot.send({ name: "TUNNEL", fields: { payload_type: 40001, payload: [9] }, component_id: 154 });
    rig.run(0.02);
    expect(rig.sent.find((s) => s.message.name === "TUNNEL")?.message.component_id).toBe(154);
  });
});

describe("parameters", () => {
  test("the list is complete, indexed without gaps, and read again one by one", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    rig.receive("PARAM_REQUEST_LIST", {});
    rig.run(1.2);
    const values = rig.of("PARAM_VALUE").filter((f) => f["param_index"] !== 65535);
    const count = Number(values[0]?.["param_count"]);
    expect(count).toBeGreaterThan(800);
    expect(values.map((f) => f["param_index"])).toEqual(Array.from({ length: count }, (_, i) => i));
    rig.receive("PARAM_REQUEST_READ", { param_index: -1, param_id: "MPC_XY_P" });
    rig.run(0.02);
    expect(rig.last("PARAM_VALUE")).toMatchObject({ param_id: "MPC_XY_P", param_type: 9 });
    expect(rig.last("PARAM_VALUE")["param_value"]).toBeCloseTo(0.95, 6);
    rig.receive("PARAM_REQUEST_READ", { param_index: 5 });
    rig.run(0.02);
    expect(rig.last("PARAM_VALUE")["param_index"]).toBe(5);
  });

  test("a write is answered with the value that holds and acts at once; the hash changes", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const hash = (): unknown => {
      rig.receive("PARAM_REQUEST_READ", { param_index: -1, param_id: "_HASH_CHECK" });
      rig.run(0.02);
      return rig.last("PARAM_VALUE")["param_value"];
    };
    const before = hash();
    rig.receive("PARAM_SET", { param_id: "MAV_TYPE", param_value: 2, param_type: 6 });
    rig.run(1.1);
    expect(rig.last("HEARTBEAT")["type"]).toBe(2);
    expect(hash()).not.toBe(before);
    rig.receive("PARAM_SET", { param_id: "MAV_TYPE", param_value: 13, param_type: 9 });
    rig.run(0.02);
    expect(rig.last("PARAM_VALUE")).toMatchObject({ param_id: "MAV_TYPE", param_value: 2, param_type: 6 });
    const count = rig.of("PARAM_VALUE").length;
    rig.receive("PARAM_SET", { param_id: "NO_SUCH", param_value: 2, param_type: 6 });
    rig.run(0.02);
    expect(rig.of("PARAM_VALUE").length).toBe(count);
  });
});

describe("texts", () => {
  test("wait for a ground station's heartbeat, and are dropped when they are older than five seconds", () => {
    const rig = new FlightRig();
    rig.heartbeat = false;
    rig.run(3);
    rig.command(400, [1]);
    rig.run(1);
    expect(rig.texts()).toEqual([]);
    rig.heartbeat = true;
    rig.run(1.1);
    expect(rig.texts()).toEqual(["Armed by external command"]);
    const late = new FlightRig();
    late.heartbeat = false;
    late.run(3);
    late.command(400, [1]);
    late.run(6);
    late.heartbeat = true;
    late.run(1.1);
    expect(late.texts()).toEqual([]);
  });

  test("long ones come in chunks of fifty under an id that is not zero", () => {
    const rig = new FlightRig();
    rig.run(3);
    rig.command(176, [1, 6, 0]);
    rig.command(400, [1]);
    rig.run(0.1);
    const chunks = rig.of("STATUSTEXT").filter((f) => f["id"] !== 0);
    expect(chunks.map((f) => f["chunk_seq"])).toEqual([0, 1]);
    expect(String(chunks[0]?.["text"]).length).toBe(50);
  });
});

test("TIMESYNC and PING are answered to whoever asked, in boot time", () => {
  const rig = new FlightRig();
  rig.run(1);
  rig.receive("TIMESYNC", { target_system: 0, target_component: 0, tc1: 0, ts1: 123456789 });
  rig.receive("PING", { target_system: 0, target_component: 0, time_usec: 5, seq: 42 });
  rig.run(0.02);
  const sync = rig.last("TIMESYNC");
  expect(sync["ts1"]).toBe(123456789);
  expect(Math.abs(Number(sync["tc1"]) / 1e9 - rig.time_s)).toBeLessThan(0.03);
  expect(rig.last("PING")).toMatchObject({ seq: 42, target_system: 255, target_component: 190 });
});
