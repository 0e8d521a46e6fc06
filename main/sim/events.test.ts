import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { happenings } from "#contract/happenings";
import { sceneOf, vehicleOf } from "../../tests/support/sim-scene";
import type { Autopilot, AutopilotFault, SensorTruth } from "./autopilot/port";
import { overviewOf, takeStill } from "./camera/still";
import { happen, happenOnDemand, impossible, parseEvent, readEvent, type SceneEvent } from "./events";
import { type Happening, Simulation } from "./simulation";
import { personBody } from "./world/person";

/** Every motor at the same command; writes down what it is told. */
class Recorder implements Autopilot {
  readonly armed = true;
  readonly truths: SensorTruth[] = [];
  readonly faults: AutopilotFault[] = [];
  command = 0;
  step(truth: SensorTruth): readonly number[] {
    this.truths.push(truth);
    return Array.from({ length: 6 }, () => this.command);
  }
  handle(): void {}
  send(): void {}
  outbox(): readonly [] {
    return [];
  }
  inject(fault: AutopilotFault): void {
    this.faults.push(fault);
  }
}

let pilot = new Recorder();
let simulation: Simulation;
beforeAll(async () => {
  simulation = await Simulation.create({
    layout: sceneOf("office", 1),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: () => pilot,
    camera: { width: 64, height: 48, rate_hz: 10 },
  });
}, 60_000);
beforeEach(() => {
  pilot = new Recorder();
  simulation.restart();
});
afterAll(() => simulation.close());

function run(seconds: number, looking = false): void {
  for (let i = 0; i < seconds * 500; i++) simulation.step(looking);
}

const make = (text: string): SceneEvent => {
  const event = readEvent(text);
  if (event === null) throw new Error(`${text} is no event`);
  return event;
};

test("wind and gusts (Ornstein-Uhlenbeck): the air moves with the mean, its spread and its memory", () => {
  happen(make("wind:2,-1,0.8"), simulation);
  run(0.1);
  const speeds: number[] = [];
  const { air } = simulation.world;
  for (let i = 0; i < 2000; i++) {
    air.step(0.1);
    speeds.push(air.velocity_enu_m_s()[0]);
  }
  const mean = speeds.reduce((a, b) => a + b, 0) / speeds.length;
  const spread = Math.sqrt(speeds.reduce((a, b) => a + (b - mean) ** 2, 0) / speeds.length);
  const along = speeds.slice(1).reduce((a, b, i) => a + (b - mean) * ((speeds[i] ?? 0) - mean), 0);
  expect(mean).toBeGreaterThan(1.2);
  expect(mean).toBeLessThan(2.8);
  expect(spread).toBeGreaterThan(0.4);
  expect(spread).toBeLessThan(1.3);
  expect(along / (speeds.length * spread * spread)).toBeGreaterThan(0.8);
}, 60_000);

test("noise on the base (AIR-VLA): what the autopilot is told wanders by its spread, the aircraft does not", () => {
  happen(make("noise:0.05,4"), simulation);
  pilot.truths.length = 0;
  run(20);
  const x = pilot.truths.map((t) => t.position_enu_m[0]);
  const mean = x.reduce((a, b) => a + b, 0) / x.length;
  const spread = Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length);
  expect(spread).toBeGreaterThan(0.03);
  expect(spread).toBeLessThan(0.07);
  const yaws = pilot.truths.map((t) => 2 * Math.atan2(t.quat_flu_enu[3], t.quat_flu_enu[0]));
  expect(Math.max(...yaws) - Math.min(...yaws)).toBeGreaterThan(0.2);
  expect(Math.abs(simulation.world.truth().position_enu_m[0])).toBeLessThan(0.005);
  happen(make("noise:0,0"), simulation);
  run(0.1);
  expect(pilot.truths.at(-1)?.position_enu_m).toEqual(
    expect.arrayContaining([expect.closeTo(simulation.world.truth().position_enu_m[0], 4)]),
  );
}, 60_000);

test("camera freeze sends nothing, depth drop-out sends colour without one measurement, both end", () => {
  const frames = (): number => {
    let n = 0;
    for (let i = 0; i < 250; i++) {
      simulation.step();
      n += simulation.frames().length;
    }
    return n;
  };
  expect(frames()).toBeGreaterThan(3);
  happen(make("camera:frozen"), simulation);
  run(0.1, true);
  simulation.frames();
  expect(frames()).toBe(0);
  happen(make("camera:no_depth"), simulation);
  run(0.2, true);
  const payload = simulation.frames().at(-1)?.payload ?? new Uint8Array();
  const colour = payload.subarray(0, 64 * 48 * 3);
  const depth = payload.subarray(64 * 48 * 3);
  expect(colour.some((v) => v > 0)).toBe(true);
  expect(depth.length).toBe(64 * 48 * 2);
  expect(depth.every((v) => v === 0)).toBe(true);
  happen(make("camera:on"), simulation);
  run(0.2, true);
  expect(
    simulation
      .frames()
      .at(-1)
      ?.payload.subarray(64 * 48 * 3)
      .some((v) => v > 0),
  ).toBe(true);
});

test("a frozen link lets nothing through for its time, then goes on", () => {
  expect(simulation.linkFrozen).toBe(false);
  happen(make("link:1.5"), simulation);
  run(1.4);
  expect(simulation.linkFrozen).toBe(true);
  run(0.2);
  expect(simulation.linkFrozen).toBe(false);
});

test("motion-capture yaw flip, jump and loss reach the estimator", () => {
  happen(make("yaw_jump:180"), simulation);
  happen(make("jump:2,0.5"), simulation);
  expect(pilot.faults).toEqual([
    { kind: "yaw_reset", jump_rad: Math.PI },
    { kind: "position_reset", jump_enu_m: [2, 0.5, 0] },
  ]);
  happen(make("position:lost"), simulation);
  run(0.01);
  expect(pilot.truths.at(-1)?.position_lost).toBe(true);
  happen(make("position:ok"), simulation);
  run(0.01);
  expect(pilot.truths.at(-1)?.position_lost ?? false).toBe(false);
});

test("a motor that has failed stops turning and turns again; the battery is as low as it was made", () => {
  pilot.command = 0.2;
  happen(make("motor:2"), simulation);
  run(0.6);
  const speeds = simulation.world.truth().rotor_speed_rad_s;
  expect(speeds[1]).toBeLessThan(5);
  expect(speeds.filter((s) => s > 50).length).toBe(5);
  happen(make("motor_ok:2"), simulation);
  run(0.6);
  expect(simulation.world.truth().rotor_speed_rad_s[1]).toBeGreaterThan(50);
  happen(make("battery:0.12"), simulation);
  run(0.01);
  expect(simulation.world.truth().battery.remaining).toBeCloseTo(0.12, 3);
});

test("an object pushed slides; a gripper that slips lets go and takes hold again", () => {
  const { world } = simulation;
  const index = world.pushable.indexOf("red_cup");
  const before = world.objectPose(index).at;
  happen(make("push:red_cup"), simulation);
  run(1.5);
  const after = world.objectPose(index).at;
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(0.05);
  world.arm?.grip(0.02, 12);
  happen(make("slip:0.5"), simulation);
  run(0.1);
  expect(world.arm?.save().force_n).toBeCloseTo(0.3);
  run(0.6);
  expect(world.arm?.save().force_n).toBeCloseTo(12);
});

test("a person enters on schedule and is seen by the camera: the picture changes where the person walks", () => {
  const scheduled = parseEvent("person@0.5");
  if (!scheduled.ok) throw new Error(scheduled.error);
  simulation.at(scheduled.value.at_s, () => happen(scheduled.value.event, simulation));
  const trunk = simulation.world.bodyId(personBody("trunk"));
  run(0.4);
  expect(simulation.world.pose(trunk).at[2]).toBeLessThan(-1);
  run(0.3);
  expect(simulation.world.pose(trunk).at[2]).toBeCloseTo(0.9);
  const { world } = simulation;
  const look = (): Uint8Array => takeStill(world, overviewOf(world.layout), 160, 100).rgb;
  run(3);
  const with_person = look();
  for (let i = 0; i < 60 && world.pose(trunk).at[2] > 0; i++) run(0.5);
  const without = look();
  const differ = with_person.filter((v, i) => Math.abs(v - (without[i] ?? 0)) > 40).length;
  expect(differ).toBeGreaterThan(60);
}, 60_000);

test("each happening of the contract can be asked for while it flies, and the grader is told of it", () => {
  const told: Happening[] = [];
  simulation.onHappening = (happening) => told.push(happening);
  happenings.forEach(({ id, event }, i) => {
    expect(impossible(make(event), simulation), id).toBeNull();
    expect(happenOnDemand(i, simulation), id).toBe(true);
  });
  expect(told.length).toBe(happenings.length);
  expect(told.map((h) => h.what)).toContain("person");
  for (const index of [-1, happenings.length, 0.5, Number.NaN])
    expect(happenOnDemand(index, simulation)).toBe(false);
});

test("what is no event is refused with all that are", () => {
  for (const text of [
    "person",
    "person:@5",
    "person@",
    "noise:1@2",
    "noise:0.02,2@x",
    "link:0@1",
    "link:90@1",
    "flood:1@2",
  ]) {
    const parsed = parseEvent(text);
    expect(parsed.ok ? "accepted" : parsed.error, text).toMatch(
      /must look like push:OBJECT.*person, link:SECONDS, cut:SECONDS, noise:METRES,DEGREES.*@SECONDS/,
    );
  }
});
