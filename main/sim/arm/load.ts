import type { VehicleFile } from "#contract/airframe";
import { armFrames } from "#contract/airframe-shape";
import { add, cross, dot, scale, subtract, turn, type V3 } from "../world/rigid";

type ArmFile = NonNullable<VehicleFile["arm"]>;

const gravity_m_s2 = 9.81;
/** Reserves that motion, gusts and a wrong estimate may use: of the joints' torque, and of the rotors' pitch moment. */
const jointShare = 0.8;
const pitchShare = 0.65;

/** Torque that each joint has to hold, N m, for a level vehicle with so much in the gripper. */
function holdingTorques(arm: ArmFile, joints_rad: readonly number[], load_kg: number): number[] {
  const frames = armFrames(arm, joints_rad);
  const weights = arm.links.map((link, i) => {
    const frame = frames[i];
    const at: V3 = frame === undefined ? [0, 0, 0] : add(frame.at_flu_m, turn(frame.quat, link.com_m));
    return { at, kg: link.mass_kg };
  });
  const grasp = frames.at(-1)?.at_flu_m ?? [0, 0, 0];
  return arm.links.map((link, i) => {
    const frame = frames[i];
    if (frame === undefined) return 0;
    const axis = turn(frame.quat, link.axis === "pitch" ? [0, 1, 0] : [1, 0, 0]);
    const beyond = [...weights.slice(i), { at: grasp, kg: load_kg }];
    // The servo holds against gravity: the opposite of gravity's own moment.
    return beyond.reduce((sum, { at, kg }) => {
      const moment = cross(subtract(at, frame.at_flu_m), scale([0, 0, 1], kg * gravity_m_s2));
      return sum + dot(moment, axis);
    }, 0);
  });
}

/** What the joints' measured torques say of the load in the gripper: least squares over the joints, never below nothing. */
export function estimateLoad_kg(
  arm: ArmFile,
  joints_rad: readonly number[],
  torques_nm: readonly number[],
): number {
  const empty = holdingTorques(arm, joints_rad, 0);
  const laden = holdingTorques(arm, joints_rad, 1);
  let [up, down] = [0, 1e-6];
  empty.forEach((own, i) => {
    const each = (laden[i] ?? 0) - own;
    up += each * ((torques_nm[i] ?? 0) - own);
    down += each * each;
  });
  return Math.max(0, up / down);
}

/** Why this posture would be too much with this load; null when it is not. */
export function overload(
  vehicle: VehicleFile,
  joints_rad: readonly number[],
  load_kg: number,
): string | null {
  const { arm, base, rotors } = vehicle;
  if (arm === null) return null;
  const torques = holdingTorques(arm, joints_rad, load_kg);
  for (const [i, link] of arm.links.entries())
    if (!(Math.abs(torques[i] ?? Number.NaN) <= jointShare * link.torque_max_nm))
      return `${load_kg.toFixed(2)} kg need ${Math.abs(torques[i] ?? 0).toFixed(1)} of ${String(link.torque_max_nm)} N m at the ${link.name}`;
  const frames = armFrames(arm, joints_rad);
  const lever = (at: V3, kg: number): number => at[0] * kg * gravity_m_s2;
  const moment = arm.links.reduce(
    (sum, link, i) => {
      const frame = frames[i];
      return frame === undefined
        ? sum
        : sum + lever(add(frame.at_flu_m, turn(frame.quat, link.com_m)), link.mass_kg);
    },
    lever(base.com_flu_m, base.mass_kg) + lever(frames.at(-1)?.at_flu_m ?? [0, 0, 0], load_kg),
  );
  const mass_kg = base.mass_kg + arm.links.reduce((sum, link) => sum + link.mass_kg, load_kg);
  const hover_n = (mass_kg * gravity_m_s2) / rotors.list.length;
  const room_n = Math.max(0, Math.min(hover_n, rotors.thrust_max_n - hover_n));
  const most = rotors.list.reduce((sum, rotor) => sum + Math.abs(rotor.position_flu_m[0]) * room_n, 0);
  if (Math.abs(moment) <= pitchShare * most) return null;
  return `${load_kg.toFixed(2)} kg there take ${Math.abs(moment).toFixed(1)} of the rotors' ${most.toFixed(1)} N m in pitch`;
}
