import { navBit } from "./events";
import { paramTypeFloat } from "./parameter-defaults";
import type { Status } from "./status";
import { type UlogField, type UlogValue, UlogWriter } from "./ulog-writer";

const most_logs = 6;
const most_bytes = 64 << 20;

interface Topic {
  readonly name: string;
  readonly period_us: number;
  readonly fields: readonly UlogField[];
  readonly values: (s: Status) => readonly UlogValue[];
}

const f = (...names: string[]): UlogField[] => names.map((name) => ({ type: "float", name }));
const flag = (...names: string[]): UlogField[] => names.map((name) => ({ type: "bool", name }));
const count = (type: UlogField["type"], ...names: string[]): UlogField[] =>
  names.map((name) => ({ type, name }));
const quat = (name: string): UlogField => ({ type: "float", name, count: 4 });
const xyz = (name: string): UlogField => ({ type: "float", name, count: 3 });
const motors = 12;

/** Topics under PX4's names and field names (a part of each topic's fields), at about the rates of its default log. */
const topics: readonly Topic[] = [
  {
    name: "vehicle_attitude",
    period_us: 20_000,
    fields: [...count("uint64_t", "timestamp_sample"), quat("q"), ...count("uint8_t", "quat_reset_counter")],
    values: (s) => [s.time_us, [...s.estimate.attitude], s.estimate.reset_counter],
  },
  {
    name: "vehicle_attitude_setpoint",
    period_us: 40_000,
    fields: [quat("q_d"), xyz("thrust_body")],
    values: (s) => [[...s.flight.targets.attitude], [0, 0, -s.flight.targets.thrust]],
  },
  {
    name: "vehicle_angular_velocity",
    period_us: 20_000,
    fields: [xyz("xyz")],
    values: (s) => [[...s.estimate.rates]],
  },
  {
    name: "vehicle_rates_setpoint",
    period_us: 20_000,
    fields: f("roll", "pitch", "yaw"),
    values: (s) => [...s.flight.targets.rates],
  },
  {
    name: "vehicle_local_position",
    period_us: 40_000,
    fields: [
      ...f("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "heading", "eph", "epv"),
      ...flag("xy_valid", "z_valid", "v_xy_valid", "v_z_valid", "dead_reckoning"),
      ...count("uint8_t", "xy_reset_counter", "z_reset_counter", "heading_reset_counter"),
    ],
    values: (s) => {
      const e = s.estimate;
      const ok = e.xy_valid ? 1 : 0;
      const place = [...e.position, ...e.velocity, ...e.acceleration, e.yaw_rad, e.eph_m, e.epv_m];
      return [
        ...place,
        ok,
        1,
        ok,
        1,
        e.dead_reckoning ? 1 : 0,
        e.reset_counter,
        e.reset_counter,
        e.reset_counter,
      ];
    },
  },
  {
    name: "vehicle_local_position_setpoint",
    period_us: 40_000,
    fields: f("x", "y", "z", "yaw", "vx", "vy", "vz", "acceleration_x", "acceleration_y", "acceleration_z"),
    values: (s) => {
      const t = s.flight.targets;
      return [...t.position.position, t.setpoint.yaw_rad, ...t.position.velocity, ...t.position.acceleration];
    },
  },
  {
    name: "actuator_motors",
    period_us: 20_000,
    fields: [{ type: "float", name: "control", count: motors }],
    values: (s) => [Array.from({ length: motors }, (_, i) => s.motors[i] ?? Number.NaN)],
  },
  {
    name: "battery_status",
    period_us: 200_000,
    fields: [
      ...f("voltage_v", "current_a", "discharged_mah", "remaining"),
      ...count("uint8_t", "cell_count", "warning"),
    ],
    values: (s) => [
      s.battery.voltage_v,
      s.battery.current_a,
      s.consumed_mah,
      s.battery.remaining,
      s.vehicle.battery_cells,
      s.battery.remaining < s.parameters.get("BAT_LOW_THR") ? 1 : 0,
    ],
  },
  {
    name: "vehicle_status",
    period_us: 200_000,
    fields: [
      ...count(
        "uint8_t",
        "arming_state",
        "nav_state",
        "nav_state_user_intention",
        "vehicle_type",
        "system_id",
      ),
      ...flag("failsafe", "gcs_connection_lost"),
    ],
    values: (s) => [
      s.commander.armed ? 2 : 1,
      navBit[s.commander.state],
      navBit[s.commander.intended],
      1,
      s.parameters.get("MAV_SYS_ID"),
      s.commander.failsafe_active ? 1 : 0,
      0,
    ],
  },
  {
    name: "vehicle_land_detected",
    period_us: 100_000,
    fields: flag("ground_contact", "maybe_landed", "landed"),
    values: (s) => {
      const g = s.flight.ground.state;
      return [g.ground_contact ? 1 : 0, g.maybe_landed ? 1 : 0, g.landed ? 1 : 0];
    },
  },
  {
    name: "hover_thrust_estimate",
    period_us: 200_000,
    fields: f("hover_thrust"),
    values: (s) => [s.flight.hover.value],
  },
];

export interface StoredLog {
  readonly id: number;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The onboard logger: one ULog from arming to disarming, the last few kept for download. */
export class FlightLog {
  #logs: StoredLog[] = [];
  #writer: UlogWriter | null = null;
  #next = 0;
  #due: number[] = [];

  get logs(): readonly StoredLog[] {
    return this.#logs;
  }
  get recording(): boolean {
    return this.#writer !== null;
  }

  update(armed: boolean, time_us: number, status: () => Status): void {
    if (armed && !this.#writer) this.#begin(status());
    const writer = this.#writer;
    if (!writer) return;
    if (this.#due.some((due_us) => due_us <= time_us) && writer.size < most_bytes) {
      const now = status();
      topics.forEach((topic, i) => {
        if ((this.#due[i] ?? 0) > time_us) return;
        this.#due[i] = Math.max((this.#due[i] ?? 0) + topic.period_us, time_us);
        writer.data(topic.name, [time_us, ...topic.values(now)]);
      });
    }
    if (!armed) this.#end(writer);
  }

  say(severity: number, text: string, time_us: number): void {
    this.#writer?.log(severity, time_us, text);
  }
  parameterChanged(name: string, float: boolean, value: number): void {
    this.#writer?.parameter(name, float ? "float" : "int32_t", value);
  }
  erase(): void {
    this.#logs = [];
  }

  #begin(s: Status): void {
    const writer = new UlogWriter(s.time_us);
    writer.info("sys_name", "PX4");
    writer.info("ver_hw", "KINGFISHER_EMBEDDED");
    writer.info("ver_sw", "6b696e6766697368");
    writer.info("sys_uuid", `kingfisher-${String(s.parameters.get("MAV_SYS_ID"))}`);
    for (const topic of topics) {
      writer.format(topic.name, [{ type: "uint64_t", name: "timestamp" }, ...topic.fields]);
    }
    for (const p of s.parameters.all()) {
      writer.parameter(p.name, p.type === paramTypeFloat ? "float" : "int32_t", p.value);
    }
    for (const topic of topics) writer.subscribe(topic.name);
    this.#writer = writer;
    this.#due = topics.map(() => s.time_us);
  }

  #end(writer: UlogWriter): void {
    this.#writer = null;
    const number = String(this.#next + 1).padStart(3, "0");
    this.#logs.push({ id: this.#next, name: `log${number}.ulg`, bytes: writer.bytes() });
    this.#next++;
    if (this.#logs.length > most_logs) this.#logs.shift();
  }
}
