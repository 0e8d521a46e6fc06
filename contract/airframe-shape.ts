import type { VehicleFile } from "./airframe";
import { type Flu, quatMultiply, rotate } from "./frames";

type ArmFile = NonNullable<VehicleFile["arm"]>;
type Quat = readonly [number, number, number, number];

/** A place on the arm in the body frame: origin, and the rotation of its axes into the body's. */
interface ArmFrame {
  readonly at_flu_m: Flu;
  readonly quat: Quat;
}

const about = (axis: "pitch" | "roll", angle_rad: number): Quat => {
  const [c, s] = [Math.cos(angle_rad / 2), Math.sin(angle_rad / 2)];
  return axis === "pitch" ? [c, 0, s, 0] : [c, s, 0, 0];
};

const beyond = (frame: ArmFrame, offset_m: Flu): Flu => {
  const [x, y, z] = rotate(frame.quat, offset_m);
  return [frame.at_flu_m[0] + x, frame.at_flu_m[1] + y, frame.at_flu_m[2] + z];
};

/**
 * Every link's frame with the joints at these angles, then the grasp centre's: one more than there are links. Sim, planning,
 * safety and twin compute the arm from the vehicle file by this alone.
 */
export function armFrames(arm: ArmFile, joints_rad: readonly number[]): readonly ArmFrame[] {
  const frames: ArmFrame[] = [];
  let from: ArmFrame = { at_flu_m: arm.mount_flu_m, quat: about("pitch", arm.mount_pitch_down_rad) };
  arm.links.forEach((link, i) => {
    const frame = { ...from, quat: quatMultiply(from.quat, about(link.axis, joints_rad[i] ?? 0)) };
    frames.push(frame);
    from = { ...frame, at_flu_m: beyond(frame, link.next_m ?? [link.length_m, 0, 0]) };
  });
  const last = frames.at(-1) ?? from;
  return [...frames, { ...last, at_flu_m: beyond(last, [arm.gripper.reach_m, 0, 0]) }];
}

/** The upright cylinder about the body centre that holds airframe and rotor discs, without legs and arm. */
export function hullOf(vehicle: VehicleFile): { readonly radius_m: number; readonly height_m: number } {
  const { rotors, legs } = vehicle;
  const radius_m = Math.max(
    ...rotors.list.map((r) => Math.hypot(r.position_flu_m[0], r.position_flu_m[1]) + rotors.radius_m),
  );
  const top = Math.max(...rotors.list.map((r) => r.position_flu_m[2]));
  const foot = Math.min(...legs.list.map((leg) => leg.foot_flu_m[2])) - legs.foot_radius_m;
  return { radius_m, height_m: top - foot };
}
