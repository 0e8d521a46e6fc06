import { type Parameters, tuned } from "./parameters";
import {
  add,
  clamp,
  dot,
  isFinite3,
  LowPass,
  length,
  lengthXy,
  scale,
  sub,
  unit,
  type Vec3,
  zero3,
} from "./vector";

export const gravity_m_s2 = 9.80665;

/**
 * What a flight mode asks of the position controller, NED. NaN in an element means "not controlled": position, else
 * velocity, else acceleration; given together they add up as feed-forward (PX4's trajectory_setpoint).
 */
export interface TrajectorySetpoint {
  readonly position: Vec3;
  readonly velocity: Vec3;
  readonly acceleration: Vec3;
  readonly yaw_rad: number;
  readonly yaw_rate_rad_s: number;
}

const nan3: Vec3 = [Number.NaN, Number.NaN, Number.NaN];
export const emptySetpoint: TrajectorySetpoint = {
  position: nan3,
  velocity: nan3,
  acceleration: nan3,
  yaw_rad: Number.NaN,
  yaw_rate_rad_s: 0,
};
/** On the ground: all thrust away, nothing to correct. PX4 shows this as an acceleration of 100 m/s2 down. */
export const groundSetpoint: TrajectorySetpoint = { ...emptySetpoint, acceleration: [0, 0, 100] };

export interface Limits {
  readonly horizontal_m_s: number;
  readonly up_m_s: number;
  readonly down_m_s: number;
  readonly tilt_rad: number;
  readonly thrust_min: number;
  readonly thrust_max: number;
}

export interface PositionOutput {
  /** Body z axis asked for and thrust along it, as one vector in NED; length is the normalised collective thrust. */
  readonly thrust_ned: Vec3;
  /** What the cascade made of the setpoint; sent as POSITION_TARGET_LOCAL_NED. */
  readonly position: Vec3;
  readonly velocity: Vec3;
  readonly acceleration: Vec3;
}

/**
 * Position and velocity control after PX4's mc_pos_control: P on position, PID on velocity with the derivative on the
 * measured acceleration, thrust vector from acceleration with vertical priority, tilt limit, tracking anti-windup.
 */
export class PositionControl {
  #integral: Vec3 = zero3;
  #hover_thrust: number;
  readonly #derivative = new LowPass();
  readonly #figures: () => PositionFigures;

  constructor(parameters: Parameters) {
    this.#figures = positionFigures(parameters);
    this.#hover_thrust = parameters.get("MPC_THR_HOVER");
  }

  reset(): void {
    this.#integral = zero3;
    this.#derivative.reset();
  }

  get hover_thrust(): number {
    return this.#hover_thrust;
  }
  /** A new hover thrust without a bump: the vertical integral takes the difference. */
  setHoverThrust(hover_thrust: number, acceleration_z: number): void {
    const before = this.#hover_thrust;
    this.#hover_thrust = hover_thrust;
    const [x, y, z] = this.#integral;
    const bump = (acceleration_z - gravity_m_s2) * (before / hover_thrust) + gravity_m_s2 - acceleration_z;
    this.#integral = [x, y, clamp(z + bump, -gravity_m_s2, gravity_m_s2)];
  }

  update(
    setpoint: TrajectorySetpoint,
    position: Vec3,
    velocity: Vec3,
    acceleration: Vec3,
    limits: Limits,
    dt_s: number,
  ): PositionOutput {
    const { gain, vP, vI, vD, slope_cutoff_hz, margin } = this.#figures();
    const wanted = velocityFromPosition(setpoint, position, gain, limits);
    const slope = this.#derivative.update(acceleration, slope_cutoff_hz, dt_s);

    const error: [number, number, number] = [0, 0, 0];
    const acc: [number, number, number] = [0, 0, 0];
    for (const i of [0, 1, 2] as const) {
      const e = wanted[i] - velocity[i];
      error[i] = Number.isFinite(e) ? e : 0;
      const control = error[i] * vP[i] + this.#integral[i] - slope[i] * vD[i];
      const feed = setpoint.acceleration[i];
      acc[i] = (Number.isFinite(e) ? control : 0) + (Number.isFinite(feed) ? feed : 0);
    }

    const { thrust, saturated_z } = this.#thrust(acc, error[2], limits, margin);
    if (saturated_z) error[2] = 0;
    // Tracking anti-windup: what the tilt and thrust limits took away is taken from the integral too.
    const made = scale(thrust, gravity_m_s2 / this.#hover_thrust);
    if (lengthXy(acc) > lengthXy(made)) {
      const back = 2 / Math.max(vP[0], 0.1);
      error[0] -= back * (acc[0] - made[0]);
      error[1] -= back * (acc[1] - made[1]);
    }
    const grown: Vec3 = [
      this.#integral[0] + error[0] * vI[0] * dt_s,
      this.#integral[1] + error[1] * vI[1] * dt_s,
      clamp(this.#integral[2] + error[2] * vI[2] * dt_s, -gravity_m_s2, gravity_m_s2),
    ];
    if (isFinite3(grown)) this.#integral = grown;
    return { thrust_ned: thrust, position: setpoint.position, velocity: wanted, acceleration: acc };
  }

  #thrust(
    acc: Vec3,
    error_z: number,
    limits: Limits,
    margin: number,
  ): { thrust: Vec3; saturated_z: boolean } {
    const hover = this.#hover_thrust;
    const body = limitTilt(unit([-acc[0], -acc[1], gravity_m_s2]), limits.tilt_rad);
    const vertical = acc[2] * (hover / gravity_m_s2) - hover;
    const collective = Math.min(vertical / body[2], -limits.thrust_min);
    let thrust = scale(body, collective);
    const saturated_z =
      (thrust[2] >= -limits.thrust_min && error_z >= 0) || (thrust[2] <= -limits.thrust_max && error_z <= 0);
    // Vertical before horizontal, but a margin of horizontal thrust always stays available.
    const flat = lengthXy(thrust);
    const max2 = limits.thrust_max ** 2;
    const reserved = Math.min(flat, margin);
    const z = Math.max(thrust[2], -Math.sqrt(Math.max(0, max2 - reserved * reserved)));
    const flatMax = Math.sqrt(Math.max(0, max2 - z * z));
    const shrink = flat > flatMax ? flatMax / flat : 1;
    thrust = [thrust[0] * shrink, thrust[1] * shrink, z];
    return { thrust, saturated_z };
  }
}

interface PositionFigures {
  readonly gain: Vec3;
  readonly vP: Vec3;
  readonly vI: Vec3;
  readonly vD: Vec3;
  readonly slope_cutoff_hz: number;
  readonly margin: number;
}
const positionFigures = (p: Parameters): (() => PositionFigures) =>
  tuned(p, (get) => {
    const axes = (name: string): Vec3 => {
      const flat = get(`MPC_XY_${name}`);
      return [flat, flat, get(`MPC_Z_${name}`)];
    };
    return {
      gain: axes("P"),
      vP: axes("VEL_P_ACC"),
      vI: axes("VEL_I_ACC"),
      vD: axes("VEL_D_ACC"),
      slope_cutoff_hz: get("MPC_VELD_LP"),
      margin: get("MPC_THR_XY_MARG"),
    };
  });

/** Position errors become velocities; the share that corrects position has priority over feed-forward at the limit. */
export function velocityFromPosition(
  setpoint: TrajectorySetpoint,
  position: Vec3,
  gain: Vec3,
  limits: Limits,
): Vec3 {
  const correction = (i: 0 | 1 | 2): number => {
    const e = (setpoint.position[i] - position[i]) * gain[i];
    return Number.isFinite(e) ? e : 0;
  };
  const asked = (i: 0 | 1 | 2): boolean =>
    Number.isFinite(setpoint.position[i]) || Number.isFinite(setpoint.velocity[i]);
  const feed = (i: 0 | 1 | 2): number => {
    const v = setpoint.velocity[i];
    return Number.isFinite(v) ? v : 0;
  };
  const [x, y] = prioritised([correction(0), correction(1)], [feed(0), feed(1)], limits.horizontal_m_s);
  const z = clamp(correction(2) + feed(2), -limits.up_m_s, limits.down_m_s);
  return [asked(0) ? x : Number.NaN, asked(1) ? y : Number.NaN, asked(2) ? z : Number.NaN];
}

/** The longest `first + k second` (k from 0 to 1) not longer than `max`; when `first` alone is too long, it is cut. */
export function prioritised(
  first: readonly [number, number],
  second: readonly [number, number],
  max: number,
): readonly [number, number] {
  const n1 = Math.hypot(first[0], first[1]);
  if (Math.hypot(first[0] + second[0], first[1] + second[1]) <= max) {
    return [first[0] + second[0], first[1] + second[1]];
  }
  if (n1 >= max) return [(first[0] / n1) * max, (first[1] / n1) * max];
  const n2 = Math.hypot(second[0], second[1]);
  if (n2 < 1e-9) return first;
  const u = [second[0] / n2, second[1] / n2] as const;
  const m = u[0] * first[0] + u[1] * first[1];
  const s = -m + Math.sqrt(Math.max(0, m * m - n1 * n1 + max * max));
  return [first[0] + u[0] * s, first[1] + u[1] * s];
}

/** Keeps the angle between a unit vector and straight down-body (0, 0, 1) within a limit. */
export function limitTilt(body: Vec3, tilt_rad: number): Vec3 {
  const c = clamp(body[2], -1, 1);
  const angle = Math.acos(c);
  if (angle <= tilt_rad) return body;
  const side = sub(body, [0, 0, dot(body, [0, 0, 1])]);
  const n = length(side);
  if (n < 1e-9) return [Math.sin(tilt_rad), 0, Math.cos(tilt_rad)];
  return add(scale(side, Math.sin(tilt_rad) / n), [0, 0, Math.cos(tilt_rad)]);
}
