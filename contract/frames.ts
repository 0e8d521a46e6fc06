import { z } from "zod";

/**
 * Frames and the only conversions between them.
 *
 * World, planning, perception, twin data and sim use ENU (x east, y north, z up) with FLU bodies
 * (x forward, y left, z up). MAVLink and PX4 use NED with FRD bodies. Yaw in ENU is counter-clockwise
 * from east; in NED clockwise from north. Indoors "north" is only the local frame's x axis.
 * Quaternions are [w, x, y, z] and rotate body vectors into the world.
 */
declare const frame: unique symbol;
type Framed<F extends string> = readonly [number, number, number] & { readonly [frame]?: F };

export type Enu = Framed<"enu">;
export type Ned = Framed<"ned">;
export type Flu = Framed<"flu">;
export type Frd = Framed<"frd">;

type Quat = readonly [number, number, number, number];
/** Rotates FLU body vectors into ENU world vectors; [w, x, y, z]. */
export type QuatFluEnu = Quat & { readonly [frame]?: "flu-enu" };
/** Rotates FRD body vectors into NED vectors, as MAVLink sends it; [w, x, y, z]. */
export type QuatFrdNed = Quat & { readonly [frame]?: "frd-ned" };

const triple = z.tuple([z.number(), z.number(), z.number()]).readonly();
export const EnuSchema = triple as unknown as z.ZodType<Enu>;
export const FluSchema = triple as unknown as z.ZodType<Flu>;
export const QuatFluEnuSchema = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .readonly() as unknown as z.ZodType<QuatFluEnu>;

export const enu = (x: number, y: number, z: number): Enu => [x, y, z];
export const ned = (x: number, y: number, z: number): Ned => [x, y, z];
export const flu = (x: number, y: number, z: number): Flu => [x, y, z];
export const frd = (x: number, y: number, z: number): Frd => [x, y, z];

export const nedToEnu = (v: Ned): Enu => [v[1], v[0], -v[2]];
export const enuToNed = (v: Enu): Ned => [v[1], v[0], -v[2]];
export const frdToFlu = (v: Frd): Flu => [v[0], -v[1], -v[2]];
export const fluToFrd = (v: Flu): Frd => [v[0], -v[1], -v[2]];

/** Wraps to (-pi, pi]. */
export function wrapPi(angle_rad: number): number {
  const turned = angle_rad - 2 * Math.PI * Math.floor((angle_rad + Math.PI) / (2 * Math.PI));
  return turned <= -Math.PI ? turned + 2 * Math.PI : turned;
}

export const yawNedToEnu = (yaw_ned_rad: number): number => wrapPi(Math.PI / 2 - yaw_ned_rad);
export const yawEnuToNed = (yaw_enu_rad: number): number => wrapPi(Math.PI / 2 - yaw_enu_rad);

export function quatMultiply(a: Quat, b: Quat): [number, number, number, number] {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

const H = Math.SQRT1_2;
/** Same rotation for both directions: x and y swapped, z flipped (half turn about x = y). */
const SWAP: Quat = [0, H, H, 0];
/** Half turn about the forward axis: FRD and FLU. */
const FLIP: Quat = [0, 1, 0, 0];

export const quatFrdNedToFluEnu = (q: QuatFrdNed): QuatFluEnu =>
  canonical(quatMultiply(quatMultiply(SWAP, q), FLIP));
export const quatFluEnuToFrdNed = (q: QuatFluEnu): QuatFrdNed =>
  canonical(quatMultiply(quatMultiply(SWAP, q), FLIP));

/** Unit length with w >= 0, so that equal rotations compare equal. */
function canonical(q: Quat): [number, number, number, number] {
  const n = Math.hypot(...q) * (q[0] < 0 ? -1 : 1);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

export function rotate(q: QuatFluEnu, v: Flu): Enu {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export function rotateInverse(q: QuatFluEnu, v: Enu): Flu {
  return rotate([q[0], -q[1], -q[2], -q[3]], v as unknown as Flu) as unknown as Flu;
}

export const quatFromYaw = (yaw_enu_rad: number): QuatFluEnu => [
  Math.cos(yaw_enu_rad / 2),
  0,
  0,
  Math.sin(yaw_enu_rad / 2),
];

/** Yaw, pitch, roll in radians of an FLU body in ENU: yaw counter-clockwise, pitch nose-down positive. */
export function eulerFluEnu(q: QuatFluEnu): { yaw_rad: number; pitch_rad: number; roll_rad: number } {
  const [w, x, y, z] = q;
  return {
    yaw_rad: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    pitch_rad: Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    roll_rad: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
  };
}
