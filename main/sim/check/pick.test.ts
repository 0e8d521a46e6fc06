import { afterEach, expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { createAutopilot } from "../autopilot/autopilot";
import { Simulation } from "../simulation";
import { pickAndCarry } from "./pick";
import { Pilot } from "./pilot";

let simulation: Simulation | null = null;
afterEach(() => {
  simulation?.close();
  simulation = null;
});

test.each([
  ["green_bottle", 2],
  ["red_cup", 2],
] as const)(
  "a %s is grasped by friction and contact alone in flight, lifted and carried 2 m (seed %i)",
  async (name, seed) => {
    simulation = await Simulation.create({
      layout: sceneOf("office", seed),
      vehicle: vehicleOf("hexa650"),
      instance: 0,
      autopilot: createAutopilot,
      camera: null,
    });
    const pilot = new Pilot(simulation);
    pilot.takeOff(1.6);
    const outcome = pickAndCarry(pilot, simulation.world.pushable.indexOf(name), 2);
    expect(outcome.lifted).toBe(true);
    expect(outcome.carried_m).toBeGreaterThan(1.8);
    expect(Math.min(...outcome.forces_n)).toBeGreaterThan(10);
  },
  180_000,
);
