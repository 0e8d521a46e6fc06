import type { VehicleFile } from "#contract/airframe";
import type { Autopilot, AutopilotOptions } from "../autopilot/port";
import { Simulation } from "../simulation";
import type { Layout } from "../world/layout";
import { openMover } from "./open";
import { hungTool, pickAndCarry } from "./pick";
import { Pilot } from "./pilot";
import { pushBox } from "./push";
import type { CheckRow } from "./rows";

export interface ManipulationOptions {
  readonly vehicle: VehicleFile;
  readonly autopilot: (options: AutopilotOptions) => Autopilot;
  /** The scene of this name for the seed that was asked for. */
  readonly layoutOf: (scene: string) => Layout;
  readonly onProgress: (name: string) => void;
}

const contact = "by contact alone: no weld, nothing moved by hand";

/** What is picked in which scene, and where a tool that hangs is taken below its head. */
const picks = [
  { scene: "office", object: "red_cup", below_m: null },
  { scene: "office", object: "coke_can", below_m: null },
  { scene: "office", object: "green_bottle", below_m: null },
  { scene: "office", object: "cracker_box", below_m: null },
  { scene: "laboratory", object: "hammer", below_m: 0.1 },
] as const;

const openings = [
  {
    scene: "laboratory",
    mover: "cabinet-door-left",
    amount: 0.96,
    unit: "rad",
    source: "Fly-by-Code: 55 degrees",
  },
  { scene: "household", mover: "drawers-drawer-top", amount: 0.3, unit: "m", source: "AIR-VLA: 0.3 m" },
] as const;

/** Fly-by-Code's push tests, appendix D: place across the face in half widths, degrees of twist per centimetre of advance. */
export const paperTwists = [
  { lateral: 0, deg_per_cm: -1.0 },
  { lateral: 0.8, deg_per_cm: -0.2 },
  { lateral: -0.8, deg_per_cm: -1.7 },
] as const;

/** How far a twist may be from the paper's: three single pushes of a machine are all there is to compare with. */
export const twistTolerance_deg_per_cm = 0.4;

/** Picks, opens and pushes what the papers' tasks need, each from a fresh take-off. About two minutes. */
export async function runManipulation(options: ManipulationOptions): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  const flight = async (
    scene: string,
    name: string,
    fly: (pilot: Pilot) => readonly CheckRow[],
  ): Promise<void> => {
    options.onProgress(`${scene}: ${name}`);
    const { vehicle, autopilot } = options;
    const layout = options.layoutOf(scene);
    const simulation = await Simulation.create({ layout, vehicle, autopilot, instance: 0, camera: null });
    const pilot = new Pilot(simulation);
    pilot.takeOff(1.5);
    rows.push(...fly(pilot));
    simulation.close();
  };
  for (const pick of picks)
    await flight(pick.scene, `pick ${pick.object}`, (pilot) => picked(pilot, pick.object, pick.below_m));
  for (const { scene, mover, amount, unit, source } of openings)
    await flight(scene, `open ${mover}`, (pilot) => {
      const outcome = openMover(pilot, mover, amount);
      return [
        { name: `${mover} opened`, value: outcome.opened, unit, low: amount, high: 1.6, source },
        {
          name: `${mover}, finger force`,
          value: Math.min(...outcome.forces_n),
          unit: "N",
          low: 3,
          high: 30,
          source: contact,
        },
      ];
    });
  for (const { lateral, deg_per_cm } of paperTwists)
    await flight("warehouse", `push the carton at ${String(lateral)}`, (pilot) => {
      const outcome = pushBox(pilot, pilot.simulation.world.pushable.indexOf("carton_left"), lateral);
      return [
        {
          name: `carton pushed at ${String(lateral)} half widths, twist`,
          value: outcome.twist_deg_per_cm,
          unit: "deg/cm",
          low: deg_per_cm - twistTolerance_deg_per_cm,
          high: deg_per_cm + twistTolerance_deg_per_cm,
          source: `Fly-by-Code, push tests: ${String(deg_per_cm)}`,
        },
      ];
    });
  return rows;
}

function picked(pilot: Pilot, object: string, below_m: number | null): CheckRow[] {
  const { world } = pilot.simulation;
  const index = world.pushable.indexOf(object);
  if (index < 0) return [];
  const grasp = below_m === null ? undefined : hungTool(world, index, below_m);
  const outcome = pickAndCarry(pilot, index, 2, grasp);
  const [empty_a, laden_a] = outcome.shoulder_a;
  return [
    { name: `${object}, carried`, value: outcome.carried_m, unit: "m", low: 1.8, high: 2.2, source: contact },
    {
      name: `${object}, finger force`,
      value: Math.min(...outcome.forces_n),
      unit: "N",
      low: 5,
      high: 26,
      source: "gripper limit 25",
    },
    {
      name: `${object}, shoulder current for the load`,
      value: laden_a - empty_a,
      unit: "A",
      low: 0.1,
      high: 3.6,
      source: "XM540: 0.52 A a newton metre",
    },
  ];
}
