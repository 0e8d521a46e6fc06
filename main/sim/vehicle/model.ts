import type { VehicleFile } from "#contract/airframe";
import { armFrames } from "#contract/airframe-shape";
import type { VehicleModel } from "../autopilot/port";
import { add, identity, type Q4, subtract, toMatrix, turn, type V3 } from "../world/rigid";
import { thrustCurve } from "./rotors";

export interface MassPoint {
  readonly mass_kg: number;
  readonly at_flu_m: V3;
  readonly quat: Q4;
  readonly inertia_kg_m2: V3;
}

/** Every rigid part of the vehicle with the arm at these joint angles, in the body frame. */
export function massPoints(vehicle: VehicleFile, joints_rad: readonly number[]): MassPoint[] {
  const { base, arm } = vehicle;
  const points: MassPoint[] = [
    {
      mass_kg: base.mass_kg,
      at_flu_m: base.com_flu_m,
      quat: identity,
      inertia_kg_m2: base.inertia_kg_m2,
    },
  ];
  if (arm === null) return points;
  const frames = armFrames(arm, joints_rad);
  arm.links.forEach((link, i) => {
    const frame = frames[i];
    if (frame === undefined) return;
    points.push({
      mass_kg: link.mass_kg,
      at_flu_m: add(frame.at_flu_m, turn(frame.quat, link.com_m)),
      quat: frame.quat,
      inertia_kg_m2: link.inertia_kg_m2,
    });
  });
  return points;
}

/** Total mass, centre of mass, and moments about the body axes through it. */
export function massProperties(points: readonly MassPoint[]): {
  readonly mass_kg: number;
  readonly com_flu_m: V3;
  readonly inertia_kg_m2: V3;
} {
  const mass_kg = points.reduce((sum, p) => sum + p.mass_kg, 0);
  const mean = (k: 0 | 1 | 2): number =>
    points.reduce((sum, p) => sum + p.mass_kg * p.at_flu_m[k], 0) / mass_kg;
  const com: V3 = [mean(0), mean(1), mean(2)];
  const moment = (k: 0 | 1 | 2): number =>
    points.reduce((sum, p) => {
      const r = subtract(p.at_flu_m, com);
      const m = toMatrix(p.quat);
      const own = p.inertia_kg_m2.reduce((s, inertia, j) => s + inertia * (m[k * 3 + j] ?? 0) ** 2, 0);
      const across = r.reduce((s, x, j) => (j === k ? s : s + x * x), 0);
      return sum + own + p.mass_kg * across;
    }, 0);
  return { mass_kg, com_flu_m: com, inertia_kg_m2: [moment(0), moment(1), moment(2)] };
}

/** What the autopilot's airframe parameters hold of a vehicle file. */
export function autopilotModel(vehicle: VehicleFile): VehicleModel {
  const { rotors, battery, arm } = vehicle;
  const { mass_kg, inertia_kg_m2 } = massProperties(massPoints(vehicle, arm?.stowed_rad ?? []));
  return {
    rotors: rotors.list.map((rotor) => ({
      position_flu_m: rotor.position_flu_m,
      spin: rotor.spin === "ccw" ? 1 : -1,
    })),
    max_thrust_n: rotors.thrust_max_n,
    torque_ratio_m: rotors.torque_ratio_m,
    mass_kg,
    inertia_kg_m2: [inertia_kg_m2[0], inertia_kg_m2[1], inertia_kg_m2[2]],
    rotor_lag_s: rotors.lag_s,
    thrust_curve: thrustCurve,
    battery_cells: battery.cells,
    battery_capacity_ah: battery.capacity_ah,
  };
}
