import { eulerFluEnu } from "#contract/frames";
import type { Message } from "../autopilot/port";
import { Codec } from "../mavlink";
import type { Pilot } from "./pilot";
import type { CheckRow } from "./rows";

/** Measured on a PX4 1.17.0 in software (a hexarotor) with an independent client. */
const flown = "PX4 1.17.0 flown";
const rates = [
  ["HEARTBEAT", 1],
  ["ATTITUDE", 49],
  ["ATTITUDE_QUATERNION", 49],
  ["ATTITUDE_TARGET", 49],
  ["LOCAL_POSITION_NED", 49],
  ["POSITION_TARGET_LOCAL_NED", 49],
  ["GLOBAL_POSITION_INT", 49],
  ["SERVO_OUTPUT_RAW", 49],
  ["GPS_RAW_INT", 5],
  ["VFR_HUD", 4],
] as const;

/** What the ground link carries in a hover, message by message and in all. */
export function linkRates(pilot: Pilot): CheckRow[] {
  const codec = new Codec(1);
  const counts = new Map<string, number>();
  let bytes = 0;
  pilot.onMessage = (message) => {
    counts.set(message.name, (counts.get(message.name) ?? 0) + 1);
    if (message.name !== "ODOMETRY") bytes += codec.encode(message).length;
  };
  const seconds = 10;
  pilot.run(seconds);
  pilot.onMessage = null;
  const hz = (name: string): number => (counts.get(name) ?? 0) / seconds;
  const all = [...counts.values()].reduce((a, b) => a + b, 0) / seconds;
  const rows: CheckRow[] = rates.map(([name, real]) => ({
    name: `link, ${name}`,
    value: hz(name),
    unit: "Hz",
    low: 0.95 * real,
    high: 1.05 * real,
    source: `${flown}: ${String(real)}`,
  }));
  rows.push(
    {
      name: "link, messages without ODOMETRY",
      value: all - hz("ODOMETRY"),
      unit: "1/s",
      low: 345,
      high: 385,
      source: `${flown}: 367; ODOMETRY at 30 is on its onboard link`,
    },
    {
      name: "link, bytes without ODOMETRY",
      value: bytes / seconds / 1000,
      unit: "kB/s",
      low: 15,
      high: 18.5,
      source: `${flown}: 16.8`,
    },
  );
  return rows;
}

/** Setpoints stop: when the failsafe says so, which mode the heartbeat shows, and how far the vehicle goes meanwhile. */
export function offboardLoss(pilot: Pilot): CheckRow[] {
  pilot.run(4);
  // The setpoint that was the last one has just been sent.
  const stopped_s = pilot.lastSetpoint_s;
  const from = pilot.position_enu_m;
  let most = 0;
  pilot.streaming = false;
  pilot.run(3, () => {
    const now = pilot.position_enu_m;
    most = Math.max(most, Math.hypot(now[0] - from[0], now[1] - from[1]));
  });
  const said = pilot.texts.find((t) => t.at_s > stopped_s && t.text.startsWith("Failsafe activated"));
  const mode = pilot.modes.at(-1)?.custom_mode ?? 0;
  return [
    {
      name: "offboard loss, failsafe after",
      value: (said?.at_s ?? Number.NaN) - stopped_s,
      unit: "s",
      low: 1,
      high: 1.15,
      source: `${flown}: 1.06`,
    },
    {
      name: "offboard loss, main mode",
      value: (mode >> 16) & 255,
      unit: "",
      low: 4,
      high: 4,
      source: `${flown}: 4 (auto)`,
    },
    {
      name: "offboard loss, sub mode",
      value: (mode >> 24) & 255,
      unit: "",
      low: 5,
      high: 5,
      source: `${flown}: 5 (return)`,
    },
    {
      name: "offboard loss, distance drifted",
      value: most,
      unit: "m",
      low: 0,
      high: 0.15,
      source: "PX4 1.17 defaults, above home",
    },
  ];
}

/** MAV_CMD_INJECT_FAILURE, motor 3 off: the autopilot knows, and does without. */
export function injectedFailure(pilot: Pilot): CheckRow[] {
  pilot.run(4);
  let ack = Number.NaN;
  let servo: Message["fields"] = {};
  pilot.onMessage = ({ name, fields }) => {
    if (name === "COMMAND_ACK" && fields["command"] === 420) ack = Number(fields["result"]);
    if (name === "SERVO_OUTPUT_RAW") servo = fields;
  };
  pilot.command(420, 101, 1, 3);
  let tilt_rad = 0;
  const from = pilot.position_enu_m;
  let lowest = from[2];
  pilot.run(4, () => {
    const { pitch_rad, roll_rad } = eulerFluEnu(pilot.simulation.world.truth().quat_flu_enu);
    tilt_rad = Math.max(tilt_rad, Math.hypot(pitch_rad, roll_rad));
    lowest = Math.min(lowest, pilot.position_enu_m[2]);
  });
  pilot.onMessage = null;
  const exactly = (name: string, value: number, unit: string, real: number): CheckRow => ({
    name: `failure injected, ${name}`,
    value,
    unit,
    low: real,
    high: real,
    source: `${flown}: ${String(real)}`,
  });
  return [
    exactly("acknowledgement", ack, "", 0),
    exactly("output of the motor", Number(servo["servo3_raw"]), "us", 900),
    exactly("output of the opposite one", Number(servo["servo4_raw"]), "us", 1000),
    {
      name: "failure injected, largest tilt",
      value: (tilt_rad * 180) / Math.PI,
      unit: "deg",
      low: 0,
      high: 20,
      source: `${flown}: attitude is held`,
    },
    {
      name: "failure injected, height lost in 4 s",
      value: from[2] - lowest,
      unit: "m",
      low: -0.2,
      high: 1,
      source: "a hexarotor stays up on four",
    },
  ];
}
