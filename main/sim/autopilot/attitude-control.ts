import { type Parameters, tuned } from "./parameters";
import {
  add,
  between,
  clamp,
  conjugate,
  cross,
  fromAxes,
  LowPass,
  multiply,
  normalized,
  type Quat,
  scale,
  turn,
  turnBack,
  unit,
  type Vec3,
  zero3,
} from "./vector";

const degree = Math.PI / 180;

/** Attitude whose thrust axis is `-thrust_ned` turned to a heading (body FRD in NED). */
export function attitudeFromThrust(thrust_ned: Vec3, yaw_rad: number): Quat {
  const z = unit(scale(thrust_ned, -1));
  const heading: Vec3 = [-Math.sin(yaw_rad), Math.cos(yaw_rad), 0];
  let x = cross(heading, z);
  if (z[2] < 0) x = scale(x, -1);
  x = Math.abs(z[2]) < 1e-6 ? [0, 0, 1] : unit(x);
  return fromAxes(x, cross(z, x), z);
}

/** Roll, pitch, yaw. */
interface AttitudeFigures {
  readonly gain: Vec3;
  readonly limit_rad_s: Vec3;
  readonly yaw_weight: number;
}

/** MC_ROLL_P and its companions. */
export const attitudeFigures = (p: Parameters): (() => AttitudeFigures) =>
  tuned(p, (get) => ({
    gain: [get("MC_ROLL_P"), get("MC_PITCH_P"), get("MC_YAW_P")],
    limit_rad_s: [
      get("MC_ROLLRATE_MAX") * degree,
      get("MC_PITCHRATE_MAX") * degree,
      get("MC_YAWRATE_MAX") * degree,
    ],
    yaw_weight: get("MC_YAW_WEIGHT"),
  }));

/**
 * Attitude to body rates by the reduced-attitude law of Brescianini, Hehn and D'Andrea (Nonlinear Quadrocopter Attitude
 * Control, 2013), as PX4 uses it: tilt is corrected first, yaw only with a share, so that a heading error costs no lift.
 */
export function ratesFromAttitude(
  attitude: Quat,
  wanted: Quat,
  yaw_rate_rad_s: number,
  figures: AttitudeFigures,
): Vec3 {
  const { gain, limit_rad_s: most } = figures;
  const share = clamp(figures.yaw_weight, 0, 1);
  const z = turn(attitude, [0, 0, 1]);
  const zWanted = turn(wanted, [0, 0, 1]);
  const tiltOnly = multiply(between(z, zWanted), attitude);
  const spin = normalized(multiply(conjugate(tiltOnly), wanted));
  const half = Math.asin(clamp(spin[3], -1, 1));
  const mixed = multiply(tiltOnly, [Math.cos(share * half), 0, 0, Math.sin(share * half)]);
  const error = normalized(multiply(conjugate(attitude), mixed));
  const gainYaw = share > 1e-4 ? gain[2] / share : 0;
  const feed = Number.isFinite(yaw_rate_rad_s) ? scale(turnBack(attitude, [0, 0, 1]), yaw_rate_rad_s) : zero3;
  const rates = add([2 * error[1] * gain[0], 2 * error[2] * gain[1], 2 * error[3] * gainYaw], feed);
  return [
    clamp(rates[0], -most[0], most[0]),
    clamp(rates[1], -most[1], most[1]),
    clamp(rates[2], -most[2], most[2]),
  ];
}

/** Which torque axes the allocation could not deliver last time, for the integrators. */
export interface Saturation {
  readonly positive: readonly [boolean, boolean, boolean];
  readonly negative: readonly [boolean, boolean, boolean];
}
export const unsaturated: Saturation = { positive: [false, false, false], negative: [false, false, false] };

interface RateAxis {
  readonly k: number;
  readonly p: number;
  readonly i: number;
  readonly d: number;
  readonly ff: number;
  readonly limit: number;
}
interface RateFigures {
  readonly axes: readonly [RateAxis, RateAxis, RateAxis];
  readonly slope_cutoff_hz: number;
  readonly yaw_cutoff_hz: number;
}
const rateFigures = (p: Parameters): (() => RateFigures) =>
  tuned(p, (get) => {
    const axis = (name: "ROLL" | "PITCH" | "YAW", limit: string): RateAxis => ({
      k: get(`MC_${name}RATE_K`),
      p: get(`MC_${name}RATE_P`),
      i: get(`MC_${name}RATE_I`),
      d: get(`MC_${name}RATE_D`),
      ff: get(`MC_${name}RATE_FF`),
      limit: get(limit),
    });
    return {
      axes: [axis("ROLL", "MC_RR_INT_LIM"), axis("PITCH", "MC_PR_INT_LIM"), axis("YAW", "MC_YR_INT_LIM")],
      slope_cutoff_hz: get("IMU_DGYRO_CUTOFF"),
      yaw_cutoff_hz: get("MC_YAW_TQ_CUTOFF"),
    };
  });

/** Body rates to normalised torque: PID with the derivative on the measured angular acceleration, as PX4's mc_rate_control. */
export class RateControl {
  #integral: Vec3 = zero3;
  #yaw_torque = 0;
  #previous: Vec3 | null = null;
  readonly #acceleration = new LowPass();
  readonly #figures: () => RateFigures;

  constructor(parameters: Parameters) {
    this.#figures = rateFigures(parameters);
  }
  reset(): void {
    this.#integral = zero3;
    this.#yaw_torque = 0;
  }
  get integral(): Vec3 {
    return this.#integral;
  }

  update(rates: Vec3, wanted: Vec3, saturation: Saturation, landed: boolean, dt_s: number): Vec3 {
    const f = this.#figures();
    const raw: Vec3 = this.#previous
      ? scale(
          [rates[0] - this.#previous[0], rates[1] - this.#previous[1], rates[2] - this.#previous[2]],
          1 / dt_s,
        )
      : zero3;
    this.#previous = rates;
    const slope = this.#acceleration.update(raw, f.slope_cutoff_hz, dt_s);
    const torque: [number, number, number] = [0, 0, 0];
    const integral: [number, number, number] = [...this.#integral];
    for (const i of [0, 1, 2] as const) {
      const a = f.axes[i];
      const error = wanted[i] - rates[i];
      torque[i] = a.k * a.p * error + integral[i] - a.k * a.d * slope[i] + a.ff * wanted[i];
      if (landed) continue;
      let grow = error;
      if (saturation.positive[i]) grow = Math.min(grow, 0);
      if (saturation.negative[i]) grow = Math.max(grow, 0);
      // Large errors come from large commands, not from a bias: they should not wind up the integral.
      const fade = Math.max(0, 1 - (error / (400 * degree)) ** 2);
      const next = integral[i] + fade * a.k * a.i * grow * dt_s;
      if (Number.isFinite(next)) integral[i] = clamp(next, -a.limit, a.limit);
    }
    this.#integral = integral;
    const cutoff_hz = f.yaw_cutoff_hz;
    if (cutoff_hz > 0) {
      this.#yaw_torque += ((torque[2] - this.#yaw_torque) * dt_s) / (dt_s + 1 / (2 * Math.PI * cutoff_hz));
      torque[2] = this.#yaw_torque;
    }
    return [clamp(torque[0], -1, 1), clamp(torque[1], -1, 1), clamp(torque[2], -1, 1)];
  }
}
