import { expect, test } from "vitest";
import type { ReviewFinding } from "#contract/review";
import { u64, ulog } from "../../../tests/support/log-builders";
import { memorySource } from "../source";
import { Ulog } from "../ulog/open";
import { px4Health } from "./px4-health";

interface Topic {
  readonly name: string;
  readonly fields: readonly string[];
  /** Time in seconds, then the fields. */
  readonly rows: readonly (readonly number[])[];
}

const f64 = (value: number): Buffer => {
  const out = Buffer.alloc(8);
  out.writeDoubleLE(value);
  return out;
};

/** An ULog of any topics, all numbers as doubles. */
function log(topics: readonly Topic[]): Ulog {
  const bytes = Buffer.concat([
    ulog.header(0),
    ulog.flags(),
    ...topics.map(({ name, fields }) =>
      ulog.format(`${name}:uint64_t timestamp;${fields.map((f) => `double${f};`).join("")}`),
    ),
    ...topics.map(({ name }, id) => ulog.subscribe(id, name)),
    ...topics
      .flatMap(({ rows }, id) => rows.map((row) => ({ id, row })))
      .sort((a, b) => (a.row[0] ?? 0) - (b.row[0] ?? 0))
      .map(({ id, row: [t = 0, ...values] }) => ulog.data(id, u64(1e6 + t * 1e6), ...values.map(f64))),
  ]);
  return new Ulog(memorySource(bytes));
}

const every = (step_s: number, to_s: number, row: (t: number) => readonly number[]): number[][] =>
  Array.from({ length: Math.round(to_s / step_s) }, (_, i) => [i * step_s, ...row(i * step_s)]);
/** Armed and in Offboard from 2 s to 28 s of half a minute. */
const status: Topic = {
  name: "vehicle_status",
  fields: [" arming_state", " nav_state", " gcs_connection_lost"],
  rows: every(0.5, 30, (t) => [t >= 2 && t < 28 ? 2 : 1, t >= 2 && t < 28 ? 14 : 4, 0]),
};
const rules = (topics: readonly Topic[]): ReviewFinding[] => px4Health(log(topics));
const fired = (topics: readonly Topic[]): string[] => [...new Set(rules(topics).map(({ rule }) => rule))];

/** Each rule: data where it must fire, at which time and on which field, and data like it where it must not. */
const cases: readonly {
  readonly rule: string;
  readonly bad: readonly Topic[];
  readonly good: readonly Topic[];
  readonly topic: string;
  readonly field: string;
  readonly between: readonly [number, number];
}[] = [
  {
    rule: "vibration",
    topic: "vehicle_imu_status",
    field: "accel_vibration_metric",
    between: [10, 13],
    bad: [imu((t) => (t > 10 && t < 13 ? 9 : 1))],
    // One loud sample is a touchdown.
    good: [imu((t) => (Math.abs(t - 10) < 0.05 ? 9 : 4))],
  },
  {
    rule: "clipping",
    topic: "vehicle_imu_status",
    field: "accel_clipping[0]",
    between: [11.9, 16],
    bad: [
      imu(
        () => 1,
        (t) => (t < 12 ? 3 : t < 15 ? 3 + Math.floor((t - 11.8) * 5) : 19),
      ),
    ],
    good: [
      imu(
        () => 1,
        () => 3,
      ),
    ],
  },
  {
    rule: "estimator_innovation",
    topic: "estimator_status",
    field: "pos_test_ratio",
    between: [8, 10],
    bad: [estimator((t) => (t > 8 && t < 10 ? 1.6 : 0.2))],
    good: [estimator((t) => (t > 8 && t < 8.2 ? 1.6 : 0.9))],
  },
  {
    rule: "motor_saturation",
    topic: "actuator_motors",
    field: "control[1]",
    between: [20, 21],
    bad: [status, motors((t) => (t > 20 && t < 21 ? 1 : 0.5))],
    // The same on the ground is a motor test.
    good: [status, motors((t) => (t < 1.5 ? 1 : 0.98))],
  },
  {
    rule: "battery_sag",
    topic: "battery_status",
    field: "voltage_v",
    between: [12, 13],
    bad: [battery((t) => (t < 12 ? 16.4 : 14.2))],
    // Slow discharge over the flight, further down than the sag above.
    good: [battery((t) => 16.8 - t * 0.1)],
  },
  {
    rule: "battery_low",
    topic: "battery_status",
    field: "remaining",
    between: [20, 22],
    bad: [
      battery(
        () => 16,
        (t) => (t < 21 ? 0.5 : 0.2),
      ),
    ],
    good: [
      battery(
        () => 16,
        () => 0.35,
      ),
    ],
  },
  {
    rule: "vision_reset",
    topic: "vehicle_visual_odometry",
    field: "reset_counter",
    between: [9, 11],
    bad: [vision((t) => (t > 10 ? 4 : 3))],
    good: [vision(() => 3)],
  },
  {
    rule: "estimate_reset",
    topic: "vehicle_local_position",
    field: "xy_reset_counter",
    between: [14, 16],
    bad: [status, resets((t) => (t > 15 ? 2 : 1))],
    // While the estimator starts up on the ground.
    good: [status, resets((t) => (t > 1 ? 2 : 1))],
  },
  {
    rule: "link_gap",
    topic: "vehicle_status",
    field: "gcs_connection_lost",
    between: [17, 19],
    bad: [
      { ...status, rows: status.rows.map(([t = 0, a = 0, n = 0]) => [t, a, n, t > 17 && t < 22 ? 1 : 0]) },
    ],
    // A station that never was is not lost.
    good: [{ ...status, rows: status.rows.map(([t = 0, a = 0, n = 0]) => [t, a, n, 1]) }],
  },
  {
    rule: "setpoint_jitter",
    topic: "trajectory_setpoint",
    field: "position[0]",
    between: [2, 26],
    bad: [status, setpoints((i) => i * 0.02 + Math.floor(i / 10) * 0.09)],
    good: [status, setpoints((i) => i * 0.02)],
  },
];

test.each(cases)("$rule fires where it must, with its evidence", ({ rule, bad, topic, field, between }) => {
  const found = rules(bad).filter((f) => f.rule === rule);
  expect(found.length).toBeGreaterThan(0);
  const [first] = found;
  expect(first?.evidence).toMatchObject({ topic, field });
  expect(first?.at_s).toBeGreaterThanOrEqual(between[0] - 0.6);
  expect(first?.at_s).toBeLessThanOrEqual(between[1] + 0.6);
  expect(first?.evidence?.from_s).toBeLessThanOrEqual(first?.at_s ?? -1);
});

test.each(cases)("$rule does not fire where it must not", ({ rule, good }) => {
  expect(fired(good)).not.toContain(rule);
});

test("a stream of setpoints that stops while Offboard is a warning; after Offboard it may stop", () => {
  const gap = setpoints((i) => i * 0.02 + (i > 500 ? 1.4 : 0));
  const [found] = rules([status, gap]).filter((f) => f.rule === "setpoint_jitter");
  expect(found).toMatchObject({ severity: "warning", title: "Setpoints stopped" });
  const landed: Topic = { ...gap, rows: gap.rows.filter(([t = 0]) => t < 27.5) };
  expect(
    fired([
      { ...status },
      { ...landed, rows: setpoints((i) => i * 0.02).rows.filter(([t = 0]) => t < 27.5) },
    ]),
  ).toEqual([]);
});

test("setpoints that jump to and fro are told apart from one new goal", () => {
  const at = (x: (i: number) => number): Topic => ({
    ...setpoints((i) => i * 0.02),
    rows: Array.from({ length: 1400 }, (_, i) => [i * 0.02, x(i), 0, -2]),
  });
  expect(rules([status, at((i) => (i % 100 < 2 ? 3 : 0))]).map((f) => f.title)).toContain("Setpoint jumps");
  expect(fired([status, at((i) => (i < 700 ? 0 : 5))])).toEqual([]);
});

test("a battery that is unplugged does not sag", () => {
  expect(fired([battery((t) => (t < 29 ? 16.2 : 0))])).toEqual([]);
});

test("a healthy flight has no finding", () => {
  expect(
    fired([
      status,
      imu(() => 1),
      estimator(() => 0.3),
      motors(() => 0.6),
      battery((t) => 16.5 - t * 0.01),
      vision(() => 0),
      resets(() => 1),
      setpoints((i) => i * 0.02),
    ]),
  ).toEqual([]);
});

function imu(metric: (t: number) => number, clip: (t: number) => number = () => 0): Topic {
  return {
    name: "vehicle_imu_status",
    fields: [" accel_vibration_metric", "[3] accel_clipping"],
    rows: every(0.1, 30, (t) => [metric(t), clip(t), 0, 0]),
  };
}
function estimator(ratio: (t: number) => number): Topic {
  return {
    name: "estimator_status",
    fields: [" pos_test_ratio", " vel_test_ratio", " hgt_test_ratio", " mag_test_ratio"],
    rows: every(0.1, 30, (t) => [ratio(t), 0, 0, 0]),
  };
}
function motors(second: (t: number) => number): Topic {
  return {
    name: "actuator_motors",
    fields: ["[4] control"],
    rows: every(0.05, 30, (t) => [0.5, second(t), 0.5, 0.5]),
  };
}
function battery(voltage: (t: number) => number, remaining: (t: number) => number = () => 0.8): Topic {
  return {
    name: "battery_status",
    fields: [" voltage_v", " remaining"],
    rows: every(0.1, 30, (t) => [voltage(t), remaining(t)]),
  };
}
function vision(counter: (t: number) => number): Topic {
  return {
    name: "vehicle_visual_odometry",
    fields: [" reset_counter"],
    rows: every(0.1, 30, (t) => [counter(t)]),
  };
}
function resets(counter: (t: number) => number): Topic {
  return {
    name: "vehicle_local_position",
    fields: [" x", " y", " z", " xy_reset_counter"],
    rows: every(0.1, 30, (t) => [t, 0, -2, counter(t)]),
  };
}
function setpoints(time: (i: number) => number): Topic {
  return {
    name: "trajectory_setpoint",
    fields: ["[3] position"],
    rows: Array.from({ length: 1400 }, (_, i) => [time(i), i * 0.001, 0, -2]),
  };
}
