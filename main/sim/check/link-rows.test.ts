import { afterEach, expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { createAutopilot } from "../autopilot/autopilot";
import { Simulation } from "../simulation";
import { injectedFailure, linkRates, offboardLoss } from "./link-rows";
import { Pilot } from "./pilot";
import { passes } from "./rows";

let simulation: Simulation | null = null;
afterEach(() => {
  simulation?.close();
  simulation = null;
});

test.each([
  ["the ground link carries what a real PX4's carries", linkRates],
  ["lost setpoints lead where a real PX4 goes, when it goes", offboardLoss],
  ["an injected motor failure looks as a real PX4's", injectedFailure],
] as const)(
  "%s",
  async (_, rehearse) => {
    simulation = await Simulation.create({
      layout: sceneOf("office", 1),
      vehicle: vehicleOf("hexa650"),
      instance: 0,
      autopilot: createAutopilot,
      camera: null,
    });
    const pilot = new Pilot(simulation);
    pilot.takeOff(1.6);
    const rows = rehearse(pilot);
    expect(rows.filter((row) => !passes(row))).toEqual([]);
    expect(rows.length).toBeGreaterThan(3);
  },
  60_000,
);
