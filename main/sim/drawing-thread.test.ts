import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleEntry, bundlePath } from "../../tests/support/bundle";
import { sceneOf, vehicleOf } from "../../tests/support/sim-scene";
import { createAutopilot } from "./autopilot/autopilot";
import type { FrameOut } from "./camera/camera";
import { Pilot } from "./check/pilot";
import { Simulation } from "./simulation";

const entry = bundlePath(`sim-${String(process.pid)}`);
beforeAll(() => bundleEntry("main/sim/main.ts", entry), 60_000);

const open: Simulation[] = [];
afterAll(() => {
  for (const simulation of open) simulation.close();
});

async function simulationOf(inThread: boolean): Promise<Simulation> {
  const simulation = await Simulation.create({
    layout: sceneOf("office", 3),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera: { width: 128, height: 96, rate_hz: 10 },
    ...(inThread ? { drawing_entry: entry } : {}),
  });
  open.push(simulation);
  return simulation;
}

/** Pictures of a take-off, with the time at which each one left. */
async function film(
  simulation: Simulation,
): Promise<{ readonly frame: FrameOut; readonly left_s: number }[]> {
  const pilot = new Pilot(simulation);
  const frames: { readonly frame: FrameOut; readonly left_s: number }[] = [];
  pilot.run(4);
  for (const picture of simulation.pictures()) await picture;
  pilot.command(400, 1);
  pilot.command(22, Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, 489.5);
  for (let i = 0; i < 100; i++) {
    pilot.run(0.04);
    for (const picture of simulation.pictures())
      frames.push({ frame: await picture, left_s: simulation.time_s });
  }
  return frames;
}

test("pictures drawn in a thread beside the flight are the same bytes at the same times, after a restart too", async () => {
  const here = await film(await simulationOf(false));
  const threaded = await simulationOf(true);
  const beside = await film(threaded);
  expect(beside.length).toBe(40);
  expect(beside.map((f) => f.left_s)).toEqual(here.map((f) => f.left_s));
  expect(beside.map((f) => f.frame.header)).toEqual(here.map((f) => f.frame.header));
  beside.forEach((f, i) => {
    expect(Buffer.compare(f.frame.payload, here[i]?.frame.payload ?? new Uint8Array())).toBe(0);
  });
  threaded.restart();
  const again = await film(threaded);
  expect(again.map((f) => f.frame.header.seq)).toEqual(beside.map((f) => f.frame.header.seq));
}, 120_000);
