import { afterEach, expect, test } from "vitest";
import { Px4Client } from "../../../tests/support/px4-client";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { realClock } from "../../platform/clock";
import { Simulation } from "../simulation";
import { autopilotModel } from "../vehicle/model";
import { Px4Link } from "./link";
import { Px4Pilot, runWithPx4 } from "./run";

const vehicle = vehicleOf("hexa650");
const model = autopilotModel(vehicle);
const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

interface Rig {
  readonly simulation: Simulation;
  readonly link: Px4Link;
  readonly said: string[];
  restarts: number;
  /** Resolves once it has been said. */
  heard(text: string): Promise<void>;
}

/** The world behind PX4's interface on a free port, as fast as PX4 answers. */
async function rig(): Promise<Rig> {
  const said: string[] = [];
  let listeners: (() => void)[] = [];
  const say = (text: string): void => {
    said.push(text);
    const waiting = listeners;
    listeners = [];
    for (const go of waiting) go();
  };
  const link = await Px4Link.listen({ port: 0, system_id: 1, say });
  if (!link.ok) throw new Error(link.error);
  const pilot = new Px4Pilot(link.value);
  const simulation = await Simulation.create({
    layout: sceneOf("office", 1),
    vehicle,
    instance: 0,
    autopilot: pilot.create,
    camera: null,
  });
  const heard = async (text: string): Promise<void> => {
    while (!said.some((s) => s.includes(text)))
      await new Promise<void>((resolve) => {
        listeners.push(resolve);
      });
  };
  const made: Rig = { simulation, link: link.value, said, restarts: 0, heard };
  let stop = false;
  const running = runWithPx4(
    { simulation, pilot, camera: null, grader: null },
    {
      speed: Number.POSITIVE_INFINITY,
      clock: realClock(),
      stopped: () => stop,
      say,
      onRestart: () => {
        made.restarts++;
      },
    },
  );
  cleanup.push(async () => {
    stop = true;
    link.value.interrupt();
    await running;
    await link.value.close();
    simulation.close();
  });
  return made;
}

async function client(r: Rig): Promise<Px4Client> {
  const px4 = await Px4Client.connect(r.link.port, model);
  cleanup.push(() => {
    px4.die();
  });
  return px4;
}

/** Lets everything that could go on go on. */
async function turns(count = 50): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

const seconds = (s: number): number => s * 250;

test("a PX4 takes off, hovers and flies a step of 1 m in lockstep: one answer, one sample of 4 ms", async () => {
  const r = await rig();
  const px4 = await client(r);
  await px4.flown(seconds(1));
  const [north, east] = px4.position_ned_m;
  px4.armed = true;
  px4.target_ned_m = [north, east, -1.3];
  await px4.flown(seconds(13));
  const hover = r.simulation.world.truth();
  expect(hover.position_enu_m[2]).toBeCloseTo(1.3, 0);
  expect(Math.hypot(hover.position_enu_m[0] - east, hover.position_enu_m[1] - north)).toBeLessThan(0.12);
  px4.target_ned_m = [north, east + 1, -1.3];
  await px4.flown(seconds(20));
  expect(Math.abs(r.simulation.world.truth().position_enu_m[0] - (east + 1))).toBeLessThan(0.12);
  // The clock never ran ahead of the answers.
  expect(Math.abs(r.simulation.time_s - px4.samples * 0.004)).toBeLessThan(0.009);
}, 60_000);

test("samples come as PX4 wants them: 250 Hz, every bit of a sensor or none, gravity up in FRD, GPS at 10 Hz, the truth as asked", async () => {
  const r = await rig();
  const px4 = await client(r);
  px4.keep = 2000;
  await px4.flown(seconds(2));
  const of = (name: string): Readonly<Record<string, unknown>>[] =>
    px4.received.filter((m) => m.name === name).map((m) => m.fields);
  const sensors = of("HIL_SENSOR");
  const times = sensors.map((s) => Number(s["time_usec"]));
  expect(times.slice(1).every((t, i) => t - (times[i] ?? 0) === 4000)).toBe(true);
  const updated = sensors.map((s) => Number(s["fields_updated"]));
  expect(updated[0]).toBe(0b1_1011_1111_1111);
  expect(new Set(updated)).toEqual(new Set([0b1_1011_1111_1111, 0b11_1111]));
  expect(updated.filter((u) => (u & 448) === 448).length).toBeCloseTo(times.length / 5, -1);
  const mean = (name: string): number =>
    sensors.reduce((sum, s) => sum + Number(s[name]), 0) / sensors.length;
  expect(mean("zacc")).toBeCloseTo(-9.81, 1);
  expect(mean("xacc")).toBeCloseTo(0, 1);
  expect(mean("zgyro")).toBeCloseTo(0, 2);
  expect(Math.hypot(mean("xmag"), mean("ymag"), mean("zmag"))).toBeCloseTo(0.485, 2);
  // The vehicle looks east on its pad: the field's north is on its left, its downward part below.
  expect(mean("ymag")).toBeLessThan(-0.2);
  expect(mean("zmag")).toBeGreaterThan(0.4);
  expect(mean("abs_pressure")).toBeCloseTo(955.9, 0);
  const gps = of("HIL_GPS");
  expect([20, 21]).toContain(gps.length);
  expect(Number(gps[0]?.["lat"]) / 1e7).toBeCloseTo(47.397742, 4);
  expect(Number(gps[0]?.["fix_type"])).toBe(3);
  expect(of("HIL_STATE_QUATERNION").length).toBeGreaterThan(0.9 * sensors.length);
  expect(of("ODOMETRY").length).toBeGreaterThan(60);
}, 60_000);

test("a PX4 that does not answer holds the world; one that answers again goes on from there", async () => {
  const r = await rig();
  const px4 = await client(r);
  await px4.flown(100);
  px4.silent = true;
  await px4.flown(px4.samples + 1);
  await turns();
  const held_s = r.simulation.time_s;
  await turns();
  expect(r.simulation.time_s).toBe(held_s);
  px4.silent = false;
  const before = px4.samples;
  px4.answer();
  await px4.flown(before + 50);
  expect(r.simulation.time_s).toBeGreaterThan(held_s);
});

test("PX4 gone: the world holds and says so; the next one begins on the pad, with what was scheduled", async () => {
  const r = await rig();
  const first = await client(r);
  await first.flown(50);
  const pad_m = r.simulation.world.truth().position_enu_m[2];
  first.armed = true;
  first.target_ned_m = [0, 0, -1.6];
  await first.flown(seconds(5));
  expect(r.simulation.world.truth().position_enu_m[2]).toBeGreaterThan(pad_m + 0.3);
  first.die();
  await r.heard("PX4 has gone; the world holds");
  const held_s = r.simulation.time_s;
  await turns();
  expect(r.simulation.time_s).toBe(held_s);
  const second = await client(r);
  await second.flown(seconds(1));
  expect(r.restarts).toBe(1);
  expect(r.simulation.time_s).toBeLessThan(held_s);
  expect(r.simulation.world.truth().position_enu_m[2]).toBeCloseTo(pad_m, 2);
  expect(Number(second.received[0]?.fields["time_usec"])).toBe(4000);
}, 60_000);

test("an output that is no number counts as a stopped motor, and that is said once", async () => {
  const r = await rig();
  const px4 = await client(r);
  await px4.flown(10);
  px4.armed = true;
  px4.override = [Number.NaN, 0.3, 0.3, 0.3, 0.3, 2];
  await px4.flown(seconds(0.5));
  const speeds = r.simulation.world.truth().rotor_speed_rad_s;
  expect(speeds[0]).toBe(0);
  expect(speeds[1]).toBeGreaterThan(100);
  expect(speeds[5]).toBeGreaterThan(speeds[1] ?? 0);
  expect(r.said.filter((s) => s.includes("motor 1"))).toHaveLength(1);
});

test("disarmed, nothing turns, whatever the outputs say", async () => {
  const r = await rig();
  const px4 = await client(r);
  px4.override = [1, 1, 1, 1, 1, 1];
  await px4.flown(seconds(0.5));
  expect(Math.max(...r.simulation.world.truth().rotor_speed_rad_s)).toBe(0);
});

test("a second PX4 is turned away; the first one flies on", async () => {
  const r = await rig();
  const px4 = await client(r);
  await px4.flown(20);
  const other = await client(r);
  await r.heard("a second PX4");
  await other.closed;
  await px4.flown(px4.samples + 20);
});

test("a port in use is one line", async () => {
  const r = await rig();
  const again = await Px4Link.listen({ port: r.link.port, system_id: 1, say: () => undefined });
  expect(again).toEqual({
    ok: false,
    error: `TCP port ${String(r.link.port)} is in use; choose another with --px4-port or --instance`,
  });
});
