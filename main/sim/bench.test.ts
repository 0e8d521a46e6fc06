import { expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../tests/support/sim-scene";
import { createAutopilot } from "./autopilot/autopilot";
import { memoryOverResets } from "./bench";
import { Simulation } from "./simulation";

test("a thousand resets leave nothing behind: the heap after collection has grown by less than two autopilots", async () => {
  const simulation = await Simulation.create({
    layout: sceneOf("office", 1),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera: { width: 64, height: 48, rate_hz: 10 },
  });
  const { heap_bytes } = memoryOverResets(simulation, 1000);
  simulation.close();
  // One forgotten autopilot would be 200 kB a reset; what remains is the engine's own noise.
  expect(heap_bytes).toBeLessThan(300_000);
}, 120_000);
