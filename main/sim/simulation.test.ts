import { afterEach, expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../tests/support/sim-scene";
import { createAutopilot } from "./autopilot/autopilot";
import { Pilot } from "./check/pilot";
import { happen } from "./events";
import { Simulation } from "./simulation";

let open: Simulation[] = [];
afterEach(() => {
  for (const simulation of open) simulation.close();
  open = [];
});

async function simulationOf(seed: number): Promise<Simulation> {
  const simulation = await Simulation.create({
    layout: sceneOf("office", seed),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera: { width: 64, height: 48, rate_hz: 10 },
  });
  open.push(simulation);
  return simulation;
}

function flight(simulation: Simulation): string {
  const pilot = new Pilot(simulation);
  pilot.takeOff(1.5);
  happen({ kind: "push", object: simulation.world.pushable[0] ?? "" }, simulation);
  pilot.target_enu_m = [0.5, 0.2, 1.5];
  pilot.run(2);
  return simulation.hash();
}

test("a restart is the flight from the beginning: the same commands give the same bits, faults are gone", async () => {
  const simulation = await simulationOf(5);
  const first = flight(simulation);
  happen({ kind: "motor", motor: 2, works: false }, simulation);
  happen({ kind: "wind", east_m_s: 3, north_m_s: 0, gust_m_s: 1 }, simulation);
  happen({ kind: "camera", state: "frozen" }, simulation);
  new Pilot(simulation).run(1);
  simulation.restart();
  expect(flight(simulation)).toBe(first);
  expect(flight(await simulationOf(5))).toBe(first);
}, 120_000);

test("a picture is exposed every tenth of a second, leaves after the camera's latency, and only while somebody looks", async () => {
  const simulation = await simulationOf(1);
  const seen: { readonly captured_s: number; readonly left_s: number }[] = [];
  for (let i = 0; i < 300; i++) {
    simulation.step(i < 200);
    for (const frame of simulation.frames())
      seen.push({ captured_s: frame.header.captured_us / 1e6, left_s: simulation.time_s });
  }
  expect(seen.map((f) => f.captured_s)).toEqual([0.1, 0.2, 0.3, 0.4]);
  for (const f of seen) expect(f.left_s - f.captured_s).toBeCloseTo(0.04, 3);
});

test("a camera without depth still sends colour; a frozen one sends nothing", async () => {
  const simulation = await simulationOf(1);
  const colour = 64 * 48 * 3;
  const next = (): Uint8Array | undefined => {
    for (let i = 0; i < 80; i++) {
      simulation.step();
      const frame = simulation.frames()[0];
      if (frame !== undefined) return frame.payload;
    }
    return undefined;
  };
  const whole = next();
  expect(whole?.subarray(colour).some((b) => b > 0)).toBe(true);
  happen({ kind: "camera", state: "no_depth" }, simulation);
  const flat = next();
  expect(flat?.subarray(0, colour).some((b) => b > 0)).toBe(true);
  expect(flat?.subarray(colour).some((b) => b > 0)).toBe(false);
  happen({ kind: "camera", state: "frozen" }, simulation);
  next();
  expect(next()).toBeUndefined();
});

test("wind pushes the vehicle downwind and the autopilot leans against it", async () => {
  const simulation = await simulationOf(2);
  const pilot = new Pilot(simulation);
  pilot.takeOff(1.5);
  happen({ kind: "wind", east_m_s: 5, north_m_s: 0, gust_m_s: 0 }, simulation);
  let most = 0;
  pilot.run(1.5, () => {
    most = Math.max(most, pilot.position_enu_m[0]);
  });
  expect(most).toBeGreaterThan(0.02);
  pilot.run(12);
  expect(Math.abs(pilot.position_enu_m[0])).toBeLessThan(0.1);
}, 60_000);
