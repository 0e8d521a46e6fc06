import fc from "fast-check";
import { expect, it } from "vitest";
import { VehicleState } from "#contract/vehicle";
import { initialVehicle, reduceVehicle } from "./reduce";

const message = (name: string, fields: Record<string, unknown>) => ({
  name,
  system_id: 1,
  component_id: 1,
  at_ms: 0,
  fields,
});
const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: 0,
  system_status: 3,
  mavlink_version: 3,
};
const started = reduceVehicle(initialVehicle(), message("HEARTBEAT", heartbeat), 0);

it("whatever arrives, the state stays what the contract says", () => {
  const names = [
    "HEARTBEAT",
    "SYS_STATUS",
    "BATTERY_STATUS",
    "ATTITUDE",
    "ATTITUDE_QUATERNION",
    "LOCAL_POSITION_NED",
    "ODOMETRY",
    "EXTENDED_SYS_STATE",
    "AUTOPILOT_VERSION",
    "ESTIMATOR_STATUS",
    "STATUSTEXT",
    "HOME_POSITION",
    "__proto__",
  ];
  const value = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.array(fc.integer({ min: 0, max: 255 })),
    fc.bigInt(),
  );
  const keys = [
    "type",
    "autopilot",
    "base_mode",
    "custom_mode",
    "system_status",
    "time_boot_ms",
    "x",
    "y",
    "z",
    "vx",
    "vy",
    "vz",
    "q",
    "q1",
    "q2",
    "q3",
    "q4",
    "roll",
    "pitch",
    "yaw",
    "quality",
    "reset_counter",
    "frame_id",
    "landed_state",
    "flags",
    "flight_sw_version",
    "flight_custom_version",
    "text",
    "id",
    "chunk_seq",
    "voltages",
    "battery_remaining",
    "time_remaining",
    "onboard_control_sensors_present",
    "onboard_control_sensors_enabled",
    "onboard_control_sensors_health",
    "voltage_battery",
    "current_battery",
    "pos_horiz_accuracy",
  ];
  const fields = fc.dictionary(fc.constantFrom(...keys), value);
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.constantFrom(...names), fields }), { maxLength: 30 }),
      (messages) => {
        const state = messages.reduce((s, m) => reduceVehicle(s, message(m.name, m.fields), 1), started);
        expect(VehicleState.safeParse(state).success).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
