import { quatMultiply } from "#contract/frames";

/** Plain vectors and unit quaternions [w, x, y, z] of the physics: no frame is attached, the caller's names say it. */
export type V3 = readonly [number, number, number];
export type Q4 = readonly [number, number, number, number];

export const identity: Q4 = [1, 0, 0, 0];

export function aboutAxis(axis: 0 | 1 | 2, angle_rad: number): Q4 {
  const s = Math.sin(angle_rad / 2);
  const q: [number, number, number, number] = [Math.cos(angle_rad / 2), 0, 0, 0];
  q[axis + 1] = s;
  return q;
}

/** Roll about x, then pitch about y, then yaw about z, all in the fixed frame. */
export function fromRpy(roll_rad: number, pitch_rad: number, yaw_rad: number): Q4 {
  return quatMultiply(quatMultiply(aboutAxis(2, yaw_rad), aboutAxis(1, pitch_rad)), aboutAxis(0, roll_rad));
}

export const multiply = (a: Q4, b: Q4): Q4 => quatMultiply(a, b);
export const conjugate = (q: Q4): Q4 => [q[0], -q[1], -q[2], -q[3]];

export function turn(q: Q4, v: V3): V3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

export const add = (a: V3, b: V3): V3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: V3, b: V3): V3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: V3, s: number): V3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: V3, b: V3): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const norm = (a: V3): number => Math.sqrt(dot(a, a));
export const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Turns z onto the direction of `v` (shortest way). */
export function zOnto(v: V3): Q4 {
  const n = norm(v);
  const [x, y, z] = [v[0] / n, v[1] / n, v[2] / n];
  if (z < -0.999999) return [0, 1, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [w, -y / (2 * w), x / (2 * w), 0];
}

/** Row-major 3x3 of a unit quaternion. */
export function toMatrix(q: Q4): readonly number[] {
  const [w, x, y, z] = q;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}
