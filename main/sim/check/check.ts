import type { VehicleFile } from "#contract/airframe";
import { eulerFluEnu, wrapPi } from "#contract/frames";
import type { Autopilot, AutopilotOptions } from "../autopilot/port";
import { Simulation } from "../simulation";
import type { Layout } from "../world/layout";
import { injectedFailure, linkRates, offboardLoss } from "./link-rows";
import { pickAndCarry } from "./pick";
import { Pilot } from "./pilot";
import { reachDown_rad } from "./reach";
import type { CheckRow } from "./rows";

export interface CheckOptions {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  readonly autopilot: (options: AutopilotOptions) => Autopilot;
  readonly onProgress: (name: string) => void;
}

const real = "650-class aircraft with 4-DoF arm, measured";
const design = "controller design in MuJoCo, 2 to 9 % overshoot";
const px4 = "PX4 1.17 defaults";

/** Flies the rehearsals one after the other, each from a fresh take-off, and measures them. */
export async function runCheck(options: CheckOptions): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  const flight = async (name: string, fly: (pilot: Pilot) => readonly CheckRow[]): Promise<void> => {
    options.onProgress(name);
    const { layout, vehicle, autopilot } = options;
    const simulation = await Simulation.create({ layout, vehicle, autopilot, instance: 0, camera: null });
    const pilot = new Pilot(simulation);
    pilot.takeOff(1.6);
    rows.push(...fly(pilot));
    simulation.close();
  };
  await flight("hover", hover);
  await flight("1 m step", step);
  await flight("30 degree yaw", yaw);
  await flight("arm swing", armSwing);
  await flight("payload pick-up", pickUp);
  await flight("offboard loss", offboardLoss);
  await flight("motor failure", motorFailure);
  await flight("failure injected", injectedFailure);
  await flight("ground link", linkRates);
  return rows;
}

function hover(pilot: Pilot): CheckRow[] {
  pilot.run(6);
  const at: (readonly [number, number, number])[] = [];
  pilot.run(30, () => void at.push(pilot.position_enu_m));
  const rms = (axes: readonly (0 | 1 | 2)[]): number => {
    const squares = at.map((p) =>
      axes.reduce((sum: number, k) => sum + (p[k] - pilot.target_enu_m[k]) ** 2, 0),
    );
    return Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length);
  };
  return [
    { name: "hover, horizontal rms", value: rms([0, 1]), unit: "m", low: 0.003, high: 0.04, source: real },
    { name: "hover, vertical rms", value: rms([2]), unit: "m", low: 0.001, high: 0.03, source: real },
  ];
}

function step(pilot: Pilot): CheckRow[] {
  pilot.run(4);
  const start = pilot.position_enu_m[0];
  pilot.target_enu_m = [pilot.target_enu_m[0] + 1, pilot.target_enu_m[1], pilot.target_enu_m[2]];
  let most = 0;
  let reached_s = Number.POSITIVE_INFINITY;
  const began_s = pilot.simulation.time_s;
  pilot.run(10, () => {
    const moved = pilot.position_enu_m[0] - start;
    most = Math.max(most, moved);
    if (moved > 0.9) reached_s = Math.min(reached_s, pilot.simulation.time_s - began_s);
  });
  return [
    { name: "1 m step, time to 0.9 m", value: reached_s, unit: "s", low: 1, high: 4, source: px4 },
    { name: "1 m step, overshoot", value: most - 1, unit: "m", low: -0.02, high: 0.12, source: design },
  ];
}

function yaw(pilot: Pilot): CheckRow[] {
  pilot.run(4);
  const goal = Math.PI / 6;
  pilot.yaw_enu_rad = goal;
  let outside_s = pilot.simulation.time_s;
  const began_s = outside_s;
  let drift = 0;
  const from = pilot.position_enu_m;
  pilot.run(8, () => {
    const { yaw_rad } = eulerFluEnu(pilot.simulation.world.truth().quat_flu_enu);
    if (!(Math.abs(wrapPi(yaw_rad - goal)) < 0.035)) outside_s = pilot.simulation.time_s;
    const now = pilot.position_enu_m;
    drift = Math.max(drift, Math.hypot(now[0] - from[0], now[1] - from[1]));
  });
  return [
    {
      name: "30 degree yaw, settled to 2 degrees",
      value: outside_s - began_s,
      unit: "s",
      low: 0.4,
      high: 4,
      source: px4,
    },
    {
      name: "30 degree yaw, horizontal excursion",
      value: drift,
      unit: "m",
      low: 0,
      high: 0.08,
      source: real,
    },
  ];
}

function armSwing(pilot: Pilot): CheckRow[] {
  const { arm, vehicle } = pilot.simulation.world;
  if (arm === null || vehicle.arm === null) return [];
  pilot.run(4);
  const from = pilot.position_enu_m;
  let most = 0;
  let tilt = 0;
  const watch = (): void => {
    const now = pilot.position_enu_m;
    const { pitch_rad, roll_rad } = eulerFluEnu(pilot.simulation.world.truth().quat_flu_enu);
    most = Math.max(most, Math.hypot(now[0] - from[0], now[1] - from[1], now[2] - from[2]));
    tilt = Math.max(tilt, Math.hypot(pitch_rad, roll_rad));
  };
  arm.aim(reachDown_rad);
  pilot.run(6, watch);
  arm.aim(vehicle.arm.stowed_rad);
  pilot.run(6, watch);
  return [
    {
      name: "arm swing, excursion",
      value: most,
      unit: "m",
      low: 0.005,
      high: 0.12,
      source: `${real}: 0.02 trimmed, 0.98 untrimmed`,
    },
    { name: "arm swing, tilt", value: (tilt * 180) / Math.PI, unit: "deg", low: 0.3, high: 7, source: real },
  ];
}

function pickUp(pilot: Pilot): CheckRow[] {
  const names = pilot.simulation.world.pushable;
  const object = names.findIndex((name) => /can$/.test(name));
  if (object < 0 || pilot.simulation.world.arm === null) return [];
  const outcome = pickAndCarry(pilot, object, 2);
  const held = Math.min(...outcome.forces_n);
  return [
    {
      name: "can picked by contact, carried",
      value: outcome.carried_m,
      unit: "m",
      low: 1.8,
      high: 2.2,
      source: "grasp by friction only",
    },
    {
      name: "pick-up, lift kick",
      value: outcome.kick_m,
      unit: "m",
      low: 0.01,
      high: 0.3,
      source: `${real}: 0.25`,
    },
    { name: "pick-up, finger force", value: held, unit: "N", low: 10, high: 25, source: "gripper limit 25" },
  ];
}

function motorFailure(pilot: Pilot): CheckRow[] {
  pilot.run(4);
  const { world } = pilot.simulation;
  // The autopilot is not told, as without telemetry from the motor controllers.
  world.setMotor(0, false);
  let tilt = 0;
  const from = pilot.position_enu_m;
  let lowest = from[2];
  pilot.run(4, () => {
    const { pitch_rad, roll_rad } = eulerFluEnu(world.truth().quat_flu_enu);
    tilt = Math.max(tilt, Math.hypot(pitch_rad, roll_rad));
    lowest = Math.min(lowest, pilot.position_enu_m[2]);
  });
  return [
    {
      name: "motor failure, largest tilt",
      value: (tilt * 180) / Math.PI,
      unit: "deg",
      low: 0,
      high: 60,
      source: "a hexarotor stays upright on five",
    },
    {
      name: "motor failure, height lost in 4 s",
      value: from[2] - lowest,
      unit: "m",
      low: -0.2,
      high: 1,
      source: "a hexarotor stays up on five",
    },
  ];
}
