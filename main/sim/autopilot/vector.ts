/** Three numbers in whatever frame the caller names; inside the autopilot NED or FRD, as in PX4. */
export type Vec3 = readonly [number, number, number];
/** [w, x, y, z], rotating body vectors into the world. */
export type Quat = readonly [number, number, number, number];

export const zero3: Vec3 = [0, 0, 0];
export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
export const lengthXy = (a: Vec3): number => Math.sqrt(a[0] * a[0] + a[1] * a[1]);
export const unit = (a: Vec3): Vec3 => {
  const n = length(a);
  return n > 1e-9 ? scale(a, 1 / n) : [0, 0, 1];
};
export const clamp = (x: number, low: number, high: number): number => Math.max(low, Math.min(high, x));
export const isFinite3 = (a: Vec3): boolean =>
  Number.isFinite(a[0]) && Number.isFinite(a[1]) && Number.isFinite(a[2]);

export const multiply = (a: Quat, b: Quat): Quat => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
];
export const conjugate = (q: Quat): Quat => [q[0], -q[1], -q[2], -q[3]];
export const normalized = (q: Quat): Quat => {
  const n = Math.hypot(q[0], q[1], q[2], q[3]) * (q[0] < 0 ? -1 : 1);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
};

export function turn(q: Quat, v: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}
export const turnBack = (q: Quat, v: Vec3): Vec3 => turn(conjugate(q), v);

/** Roll, pitch, yaw (3-2-1) of a body-to-world quaternion. */
export function euler(q: Quat): Vec3 {
  const [w, x, y, z] = q;
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(clamp(2 * (w * y - z * x), -1, 1)),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}
export const yawOf = (q: Quat): number =>
  Math.atan2(2 * (q[0] * q[3] + q[1] * q[2]), 1 - 2 * (q[2] * q[2] + q[3] * q[3]));
export const aboutZ = (angle_rad: number): Quat => [Math.cos(angle_rad / 2), 0, 0, Math.sin(angle_rad / 2)];

/** The quaternion whose body axes, seen from the world, are these three (orthonormal, right-handed). */
export function fromAxes(bx: Vec3, by: Vec3, bz: Vec3): Quat {
  const trace = bx[0] + by[1] + bz[2];
  let q: Quat;
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    q = [s / 4, (by[2] - bz[1]) / s, (bz[0] - bx[2]) / s, (bx[1] - by[0]) / s];
  } else if (bx[0] > by[1] && bx[0] > bz[2]) {
    const s = Math.sqrt(1 + bx[0] - by[1] - bz[2]) * 2;
    q = [(by[2] - bz[1]) / s, s / 4, (by[0] + bx[1]) / s, (bz[0] + bx[2]) / s];
  } else if (by[1] > bz[2]) {
    const s = Math.sqrt(1 + by[1] - bx[0] - bz[2]) * 2;
    q = [(bz[0] - bx[2]) / s, (by[0] + bx[1]) / s, s / 4, (bz[1] + by[2]) / s];
  } else {
    const s = Math.sqrt(1 + bz[2] - bx[0] - by[1]) * 2;
    q = [(bx[1] - by[0]) / s, (bz[0] + bx[2]) / s, (bz[1] + by[2]) / s, s / 4];
  }
  return normalized(q);
}

/** The shortest rotation that takes one unit vector to another. */
export function between(from: Vec3, to: Vec3): Quat {
  const c = dot(from, to);
  if (c < -0.999999) {
    const side = Math.abs(from[0]) < 0.9 ? cross(from, [1, 0, 0]) : cross(from, [0, 1, 0]);
    const axis = unit(side);
    return [0, axis[0], axis[1], axis[2]];
  }
  const axis = cross(from, to);
  return normalized([1 + c, axis[0], axis[1], axis[2]]);
}

/** First-order low pass with a cut-off frequency; a cut-off of 0 passes everything. */
export class LowPass {
  #value: Vec3 | null = null;

  update(input: Vec3, cutoff_hz: number, dt_s: number): Vec3 {
    if (this.#value === null || cutoff_hz <= 0) this.#value = input;
    else {
      const share = dt_s / (dt_s + 1 / (2 * Math.PI * cutoff_hz));
      this.#value = add(this.#value, scale(sub(input, this.#value), share));
    }
    return this.#value;
  }
  reset(): void {
    this.#value = null;
  }
}
