import { clamp, length, scale, sub, type Vec3, zero3 } from "./vector";

export interface TrajectoryLimits {
  readonly horizontal_m_s: number;
  readonly up_m_s: number;
  readonly down_m_s: number;
  readonly horizontal_m_s2: number;
  readonly vertical_m_s2: number;
  readonly jerk_m_s3: number;
}

/** The speed from which `distance_m` still suffices to stop, with acceleration and jerk bounded (PX4's TrajectoryConstraints). */
export function stoppingSpeed(distance_m: number, acceleration_m_s2: number, jerk_m_s3: number): number {
  const a = acceleration_m_s2;
  const b = (4 * a * a) / jerk_m_s3;
  return 0.5 * (-b + Math.sqrt(b * b + 8 * a * Math.max(0, distance_m)));
}

/**
 * The moving setpoint of PX4's automatic modes: goes straight to a target with bounded speed, acceleration and jerk, and
 * gives position, velocity and acceleration together. Retargeting at any moment keeps all three continuous.
 */
export class Trajectory {
  position: Vec3 = zero3;
  velocity: Vec3 = zero3;
  acceleration: Vec3 = zero3;

  reset(position: Vec3, velocity: Vec3 = zero3): void {
    this.position = position;
    this.velocity = velocity;
    this.acceleration = zero3;
  }

  /** Where the trajectory would come to rest if it braked now: the place to hold when a pilot lets go. */
  stoppingPoint(limits: TrajectoryLimits): Vec3 {
    const ahead = (v: number, a_max: number): number => {
      const speed = Math.abs(v);
      return v * (speed / (2 * a_max) + a_max / (2 * limits.jerk_m_s3));
    };
    const [x, y, z] = this.position;
    return [
      x + ahead(this.velocity[0], limits.horizontal_m_s2),
      y + ahead(this.velocity[1], limits.horizontal_m_s2),
      z + ahead(this.velocity[2], limits.vertical_m_s2),
    ];
  }

  /** Towards a target; at the end of `dt_s` the fields hold the new setpoint. */
  towards(target: Vec3, limits: TrajectoryLimits, dt_s: number): void {
    const gap = sub(target, this.position);
    const flat: Vec3 = [gap[0], gap[1], 0];
    const distance = length(flat);
    const speed = Math.min(
      limits.horizontal_m_s,
      stoppingSpeed(distance, limits.horizontal_m_s2, limits.jerk_m_s3),
    );
    const along = distance > 1e-6 ? scale(flat, speed / distance) : zero3;
    const vertical = Math.min(
      gap[2] < 0 ? limits.up_m_s : limits.down_m_s,
      stoppingSpeed(Math.abs(gap[2]), limits.vertical_m_s2, limits.jerk_m_s3),
    );
    this.withVelocity([along[0], along[1], Math.sign(gap[2]) * vertical], limits, dt_s);
    if (distance < 0.002 && lengthFlat(this.velocity) < 0.01) this.#rest(target, [true, true, false]);
    if (Math.abs(gap[2]) < 0.002 && Math.abs(this.velocity[2]) < 0.01)
      this.#rest(target, [false, false, true]);
  }

  /** Towards a velocity. */
  withVelocity(wanted: Vec3, limits: TrajectoryLimits, dt_s: number): void {
    const axis = (i: 0 | 1 | 2, a_max: number): { x: number; v: number; a: number } => {
      const v = this.velocity[i];
      const a = this.acceleration[i];
      // The velocity that remains to be gained once the present acceleration has been brought to zero.
      const missing = wanted[i] - v - (a * Math.abs(a)) / (2 * limits.jerk_m_s3);
      const wish = Math.sign(missing) * Math.min(a_max, Math.sqrt(2 * limits.jerk_m_s3 * Math.abs(missing)));
      const step = clamp(wish - a, -limits.jerk_m_s3 * dt_s, limits.jerk_m_s3 * dt_s);
      const next = a + step;
      const moved = v * dt_s + (next * dt_s * dt_s) / 2;
      return { x: this.position[i] + moved, v: v + next * dt_s, a: next };
    };
    const x = axis(0, limits.horizontal_m_s2);
    const y = axis(1, limits.horizontal_m_s2);
    const z = axis(2, limits.vertical_m_s2);
    this.position = [x.x, y.x, z.x];
    this.velocity = [x.v, y.v, z.v];
    this.acceleration = [x.a, y.a, z.a];
  }

  #rest(target: Vec3, axes: readonly [boolean, boolean, boolean]): void {
    const pick = (now: Vec3, then: Vec3): Vec3 => [
      axes[0] ? then[0] : now[0],
      axes[1] ? then[1] : now[1],
      axes[2] ? then[2] : now[2],
    ];
    this.position = pick(this.position, target);
    this.velocity = pick(this.velocity, zero3);
    this.acceleration = pick(this.acceleration, zero3);
  }
}

const lengthFlat = (v: Vec3): number => Math.hypot(v[0], v[1]);
