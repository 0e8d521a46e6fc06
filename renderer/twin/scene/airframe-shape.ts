import type { Flu } from "#contract/frames";

/**
 * Measures of the 650-class hexarotor with its four-joint arm (design seeds, section 3), in metres and the FLU body frame.
 * The hexarotor's own drawing is made to these, and a test holds them to its vehicle file; every other aircraft is drawn
 * from its file (airframe-file.ts).
 */
export interface Rotor {
  readonly centre_flu_m: Flu;
  /** Seen from above: +1 counter-clockwise. */
  readonly spin: 1 | -1;
  /** The two arms left and right of the nose are painted light, so that heading is seen at a glance. */
  readonly front: boolean;
}

export const rotor_circle_m = 0.325;
export const propeller_radius_m = 0.1524;
export const rotor_height_m = 0.03;
export const battery_centre_flu_m: Flu = [-0.14, 0, -0.045];
export const arm_mount_flu_m: Flu = [0.1, 0, -0.08];
/** Shoulder to elbow, elbow to wrist, wrist to roll, roll to grasp centre. */
export const arm_links_m = [0.28, 0.26, 0.06, 0.14] as const;
/** Shoulder, elbow, wrist pitch (about y, positive is down), wrist roll (about x). */
export type ArmJoints = readonly [number, number, number, number];
/** Stowed under the hub, where the embedded vehicle holds it. */
export const folded_arm_rad: ArmJoints = [1.105, -1.105, -2.1, 0];
export const legs: readonly { readonly from: Flu; readonly foot: Flu }[] = [1, -1].flatMap((side) => [
  { from: [0.09, 0.09 * side, -0.02], foot: [0.2, 0.25 * side, -0.385] },
  { from: [-0.09, 0.09 * side, -0.02], foot: [-0.24, 0.25 * side, -0.385] },
]);
/** Boom that carries the front camera ahead of the propellers. */
export const camera_boom_m = { from: 0.1, to: 0.352 } as const;

/** PX4 hexa-x order M1 to M6 (airframe 6001_hexa_x), FRD there, FLU here. */
export const rotors: readonly Rotor[] = (
  [
    [0, 0.5, -1],
    [0, -0.5, 1],
    [0.433, -0.25, -1],
    [-0.433, 0.25, 1],
    [0.433, 0.25, 1],
    [-0.433, -0.25, -1],
  ] as const
).map(([x, y, spin]) => ({
  centre_flu_m: [x * 2 * rotor_circle_m, -y * 2 * rotor_circle_m, rotor_height_m],
  spin,
  front: x > 0,
}));

/** Joint positions of the arm from shoulder to grasp centre, five points in the FLU body frame. */
export function armPoints(joints_rad: ArmJoints): readonly Flu[] {
  const points: Flu[] = [arm_mount_flu_m];
  const y = arm_mount_flu_m[1];
  let x = arm_mount_flu_m[0];
  let z = arm_mount_flu_m[2];
  let pitch_rad = 0;
  arm_links_m.forEach((length_m, i) => {
    // The roll joint turns about the link itself and moves no point on its axis.
    if (i < 3) pitch_rad += joints_rad[i] ?? 0;
    x += length_m * Math.cos(pitch_rad);
    z -= length_m * Math.sin(pitch_rad);
    points.push([x, y, z]);
  });
  return points;
}

/** Rotor speed for drawing, radians a second: slow enough to be seen turning, never a strobe. */
export function drawnRotorSpeed(armed: boolean, in_air: boolean): number {
  if (!armed) return 0;
  return in_air ? 34 : 12;
}
