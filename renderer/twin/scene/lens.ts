import { type Flu, flu, type QuatFluEnu, quatMultiply, rotate } from "#contract/frames";
import type { Lens } from "#contract/perception";

/** Until the camera says how it is mounted: the front camera of the 650 vehicle, 0.48 rad (27.5 degrees) down. */
export const defaultLens: Lens = {
  intrinsics: { width: 320, height: 240, fx: 166, fy: 166, cx: 160, cy: 120 },
  mount_position_flu_m: flu(0.373, 0, 0),
  mount_quat: pitchedDown(0.48),
};

/** Optical axes (x right, y down, z ahead) on a mount that looks forward and `pitch_rad` down; [w, x, y, z]. */
export function pitchedDown(pitch_rad: number): readonly [number, number, number, number] {
  const ahead: QuatFluEnu = [0.5, -0.5, 0.5, -0.5];
  const pitch: QuatFluEnu = [Math.cos(pitch_rad / 2), 0, Math.sin(pitch_rad / 2), 0];
  return quatMultiply(pitch, ahead);
}

/** Corners of the picture at `depth_m`, upper left, upper right, lower right, lower left, in the body frame. */
export function pictureCorners(lens: Lens, depth_m: number): readonly [Flu, Flu, Flu, Flu] {
  const { width, height, fx, fy, cx, cy } = lens.intrinsics;
  const at = (u: number, v: number): Flu =>
    toBody(lens, [((u - cx) / fx) * depth_m, ((v - cy) / fy) * depth_m, depth_m]);
  return [at(0, 0), at(width, 0), at(width, height), at(0, height)];
}

/** The optical axis and the picture's up direction in the body frame. */
export function lensAxes(lens: Lens): { readonly forward: Flu; readonly up: Flu } {
  return { forward: turn(lens, [0, 0, 1]), up: turn(lens, [0, -1, 0]) };
}

/** Vertical field of view, degrees. */
export function lensFov(lens: Lens): number {
  const { height, fy } = lens.intrinsics;
  return (2 * Math.atan(height / 2 / fy) * 180) / Math.PI;
}

const turn = (lens: Lens, v: readonly [number, number, number]): Flu => {
  const r = rotate(lens.mount_quat, flu(...v));
  return flu(r[0], r[1], r[2]);
};

function toBody(lens: Lens, optical: readonly [number, number, number]): Flu {
  const r = turn(lens, optical);
  const m = lens.mount_position_flu_m;
  return flu(m[0] + r[0], m[1] + r[1], m[2] + r[2]);
}
