import { describe, expect, it } from "vitest";
import { px4CustomMode } from "./modes";
import { initialVehicle, reduceVehicle } from "./reduce";

const heartbeat = (change: Record<string, unknown> = {}) => ({
  name: "HEARTBEAT",
  system_id: 1,
  component_id: 1,
  at_ms: 0,
  fields: {
    type: 13,
    autopilot: 12,
    base_mode: 29,
    custom_mode: px4CustomMode(6),
    system_status: 3,
    mavlink_version: 3,
    ...change,
  },
});
const ack = (command: number) => ({
  name: "COMMAND_ACK",
  system_id: 1,
  component_id: 1,
  at_ms: 0,
  fields: { command, result: 0 },
});

describe("an acknowledgement is not a state", () => {
  it("mavlink/qgroundcontrol#10810: the armed flag arrives 1.4 s after the acknowledgement; until then neither armed nor refused", () => {
    const before = reduceVehicle(initialVehicle(), heartbeat(), 0);
    const acknowledged = reduceVehicle(before, ack(400), 100);
    expect(acknowledged).toBe(before);
    expect([acknowledged.armed, acknowledged.arming]).toEqual([false, []]);
    const armed = reduceVehicle(acknowledged, heartbeat({ base_mode: 29 + 128 }), 1500);
    expect(armed.armed).toBe(true);
  });

  it("PX4/PX4-Autopilot#20331, judahpaul16/canarygc#79: an accepted gripper command changes nothing that the station believes", () => {
    const before = reduceVehicle(initialVehicle(), heartbeat(), 0);
    expect(reduceVehicle(before, ack(211), 100)).toBe(before);
  });

  it("PX4/PX4-Autopilot#20519, mavlink/mavros#493: an accepted offboard request shows as offboard only when the heartbeat says so, and its end shows as failsafe", () => {
    const hold = reduceVehicle(initialVehicle(), heartbeat({ custom_mode: px4CustomMode(4, 3) }), 0);
    expect(reduceVehicle(hold, ack(176), 100).mode).toBe("hold");
    const stopped = reduceVehicle(
      hold,
      heartbeat({ custom_mode: px4CustomMode(4, 5), system_status: 5 }),
      1000,
    );
    expect([stopped.mode, stopped.failsafe]).toEqual(["return", true]);
  });
});
