import { createAutopilot } from "../../main/sim/autopilot/autopilot";
import { Pilot } from "../../main/sim/check/pilot";
import { Simulation } from "../../main/sim/simulation";
import type { Layout } from "../../main/sim/world/layout";
import { sceneOf, vehicleOf } from "./sim-scene";

/** Runs something with a vehicle that has taken off and follows setpoints; closes the world afterwards. */
export async function rehearse<T>(
  scene: string | Layout,
  seed: number,
  fly: (pilot: Pilot) => T,
  vehicle = "hexa650",
  height_m = 1.5,
): Promise<T> {
  const simulation = await Simulation.create({
    layout: typeof scene === "string" ? sceneOf(scene, seed) : scene,
    vehicle: vehicleOf(vehicle),
    instance: 0,
    autopilot: createAutopilot,
    camera: null,
  });
  try {
    const pilot = new Pilot(simulation);
    pilot.takeOff(height_m);
    return fly(pilot);
  } finally {
    simulation.close();
  }
}
