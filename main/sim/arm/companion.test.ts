import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type ArmCommand,
  type ArmReport,
  armPayloadType,
  decodeArmCommand,
  decodeArmReport,
  encodeArmCommand,
  pointsPerMessage,
} from "#contract/arm-tunnel";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { World, type WorldState } from "../world/world";
import { ArmCompanion } from "./companion";

let world: World;
let start: WorldState;
let companion: ArmCompanion;
let reports: ArmReport[] = [];
let seq = 0;

beforeAll(async () => {
  world = await World.create({ layout: sceneOf("office", 1), vehicle: vehicleOf("hexa650") });
  for (let i = 0; i < 250; i++) world.step([]);
  start = world.save();
});
afterAll(() => {
  world.close();
});
beforeEach(() => {
  world.restore(start);
  reports = [];
  if (world.arm === null || world.vehicle.arm === null) throw new Error("no arm");
  companion = new ArmCompanion(world.arm, world.vehicle.arm, (type, payload) => {
    expect(type).toBe(armPayloadType);
    const report = decodeArmReport(payload);
    if (report.ok) reports.push(report.value);
  });
  companion.step(world.time_s * 1000);
});

const run = (seconds: number, alive = false): void => {
  for (let i = 0; i < seconds * 500; i++) {
    if (alive && i % 100 === 0) order({ kind: "alive", exit: "freeze" });
    companion.step(world.time_s * 1000);
    world.step([]);
  }
};
function order(command: ArmCommand): string {
  companion.handle(armPayloadType, encodeArmCommand(++seq, command));
  const ack = reports.filter((r) => r.kind === "ack").at(-1);
  return ack?.kind === "ack" && ack.seq === seq ? ack.result : "no answer";
}
const joints = (): readonly number[] => world.arm?.read().joints_rad ?? [];

test("joint targets are reached at the joints' own speed and reported at 25 Hz with currents", () => {
  expect(order({ kind: "joints", joints_rad: [1.2, -0.6, -0.4, 0.3], speed_share: 1 })).toBe("accepted");
  run(0.2, true);
  // 40 degrees a second at most: after 0.2 s no joint can be further than 8 degrees on its way.
  expect(Math.abs((joints()[3] ?? 0) - 0)).toBeLessThan(0.16);
  run(4, true);
  joints().forEach((q, i) => {
    expect(q).toBeCloseTo([1.2, -0.6, -0.4, 0.3][i] ?? 0, 1);
  });
  const states = reports.filter((r) => r.kind === "state");
  expect(states.length).toBeGreaterThan(95);
  expect(states.length).toBeLessThan(112);
  const last = states.at(-1);
  expect(last?.kind === "state" && last.moving).toBe(false);
  expect(last?.kind === "state" ? last.currents_a[0] : 0).toBeGreaterThan(0.2);
});

test("what is out of range, of the wrong count or malformed is refused, and nothing moves", () => {
  const before = joints();
  expect(order({ kind: "joints", joints_rad: [3, 0, 0, 0], speed_share: 1 })).toBe("out_of_range");
  expect(order({ kind: "joints", joints_rad: [0, 0, 0], speed_share: 1 })).toBe("wrong_count");
  expect(order({ kind: "joints", joints_rad: [0, 0, 0, Number.NaN], speed_share: 1 })).toBe("malformed");
  expect(order({ kind: "joints", joints_rad: [0, 0, 0, 0], speed_share: 0 })).toBe("out_of_range");
  expect(order({ kind: "gripper", width_m: 0.2, force_n: 5 })).toBe("out_of_range");
  run(0.3);
  joints().forEach((q, i) => {
    expect(Math.abs(q - (before[i] ?? 0))).toBeLessThan(0.01);
  });
});

test("half a second of silence runs the exit: freeze stops the arm where it is", () => {
  order({ kind: "alive", exit: "freeze" });
  order({ kind: "joints", joints_rad: [-0.5, 0.5, 0, 0], speed_share: 1 });
  run(0.7);
  const stopped = joints();
  run(1.5);
  expect(Math.abs((joints()[0] ?? 0) - (stopped[0] ?? 0))).toBeLessThan(0.03);
  expect(joints()[0]).toBeGreaterThan(0.4);
  const last = reports.filter((r) => r.kind === "state").at(-1);
  expect(last?.kind === "state" && last.exited).toBe(true);
});

test("a trajectory over several messages starts when its last point is there, and passes its points in time", () => {
  const per = pointsPerMessage(4);
  const from = joints();
  const points = Array.from({ length: per + 3 }, (_, i) => ({
    t_ms: 300 * (i + 1),
    joints_rad: [(from[0] ?? 0) - 0.03 * (i + 1), from[1] ?? 0, from[2] ?? 0, 0],
  }));
  const total = points.length;
  expect(order({ kind: "trajectory", first: 0, total, points: points.slice(0, per) })).toBe("incomplete");
  run(0.2, true);
  expect(joints()[0]).toBeCloseTo(from[0] ?? 0, 1);
  expect(order({ kind: "trajectory", first: per, total, points: points.slice(per) })).toBe("accepted");
  run((300 * total) / 2000, true);
  expect(Math.abs((joints()[0] ?? 0) - ((from[0] ?? 0) - (0.03 * total) / 2))).toBeLessThan(0.04);
  run((300 * total) / 2000 + 1, true);
  expect(joints()[0]).toBeCloseTo((from[0] ?? 0) - 0.03 * total, 1);
});

test("the gripper opens and closes to a width; with torque off it takes no order", () => {
  expect(order({ kind: "gripper", width_m: 0.06, force_n: 10 })).toBe("accepted");
  run(1, true);
  expect(world.arm?.read().width_m).toBeCloseTo(0.06, 2);
  expect(companion.gripper("grab")).toBe(true);
  run(1, true);
  expect(world.arm?.read().width_m).toBeLessThan(0.003);
  expect(order({ kind: "torque", on: false })).toBe("accepted");
  expect(order({ kind: "gripper", width_m: 0.06, force_n: 10 })).toBe("torque_off");
});

test("actuator outputs: joints over their range, then the gripper; beyond that there is nothing", () => {
  expect(companion.actuators([null, null, null, 0.5, 1, null])).toBe(true);
  run(3, true);
  expect(joints()[3]).toBeCloseTo(1.55, 1);
  expect(world.arm?.read().width_m).toBeCloseTo(0.08, 2);
  expect(companion.actuators([null, null, null, null, null, 1])).toBe(false);
});

test("silent until spoken to; other payload types are not ours", () => {
  run(0.3);
  companion.handle(200, new Uint8Array([1, 4, 0, 0]));
  expect(reports).toEqual([]);
});

test("any bytes are a command or malformed, and a command survives packing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 128 }), (bytes) => {
      const decoded = decodeArmCommand(bytes);
      if (!decoded.ok) return;
      const again = decodeArmCommand(encodeArmCommand(decoded.value.seq, decoded.value.command));
      expect(again).toEqual(decoded);
    }),
  );
});
