import type { Parameters } from "./parameters";
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

/**
 * Attitude to body rates by the reduced-attitude law of Brescianini, Hehn and D'Andrea (Nonlinear Quadrocopter Attitude
 * Control, 2013), as PX4 uses it: tilt is corrected first, yaw only with a share, so that a heading error costs no lift.
 */
export function ratesFromAttitude(attitude: Quat, wanted: Quat, yaw_rate_rad_s: number, p: Parameters): Vec3 {
  const pRoll = p.get("MC_ROLL_P");
  const pPitch = p.get("MC_PITCH_P");
  const pYaw = p.get("MC_YAW_P");
  const share = clamp(p.get("MC_YAW_WEIGHT"), 0, 1);
  const z = turn(attitude, [0, 0, 1]);
  const zWanted = turn(wanted, [0, 0, 1]);
  const tiltOnly = multiply(between(z, zWanted), attitude);
  const spin = normalized(multiply(conjugate(tiltOnly), wanted));
  const half = Math.asin(clamp(spin[3], -1, 1));
  const mixed = multiply(tiltOnly, [Math.cos(share * half), 0, 0, Math.sin(share * half)]);
  const error = normalized(multiply(conjugate(attitude), mixed));
  const gainYaw = share > 1e-4 ? pYaw / share : 0;
  const feed = Number.isFinite(yaw_rate_rad_s) ? scale(turnBack(attitude, [0, 0, 1]), yaw_rate_rad_s) : zero3;
  const rates = add([2 * error[1] * pRoll, 2 * error[2] * pPitch, 2 * error[3] * gainYaw], feed);
  const limit = (value: number, name: string): number => {
    const max = p.get(name) * degree;
    return clamp(value, -max, max);
  };
  return [
    limit(rates[0], "MC_ROLLRATE_MAX"),
    limit(rates[1], "MC_PITCHRATE_MAX"),
    limit(rates[2], "MC_YAWRATE_MAX"),
  ];
}

/** Which torque axes the allocation could not deliver last time, for the integrators. */
export interface Saturation {
  readonly positive: readonly [boolean, boolean, boolean];
  readonly negative: readonly [boolean, boolean, boolean];
}
export const unsaturated: Saturation = { positive: [false, false, false], negative: [false, false, false] };

/** Body rates to normalised torque: PID with the derivative on the measured angular acceleration, as PX4's mc_rate_control. */
export class RateControl {
  #integral: Vec3 = zero3;
  #yaw_torque = 0;
  #previous: Vec3 | null = null;
  readonly #acceleration = new LowPass();
  readonly #p: Parameters;

  constructor(parameters: Parameters) {
    this.#p = parameters;
  }
  reset(): void {
    this.#integral = zero3;
    this.#yaw_torque = 0;
  }
  get integral(): Vec3 {
    return this.#integral;
  }

  update(rates: Vec3, wanted: Vec3, saturation: Saturation, landed: boolean, dt_s: number): Vec3 {
    const p = this.#p;
    const raw: Vec3 = this.#previous
      ? scale(
          [rates[0] - this.#previous[0], rates[1] - this.#previous[1], rates[2] - this.#previous[2]],
          1 / dt_s,
        )
      : zero3;
    this.#previous = rates;
    const slope = this.#acceleration.update(raw, p.get("IMU_DGYRO_CUTOFF"), dt_s);
    const torque: [number, number, number] = [0, 0, 0];
    const integral: [number, number, number] = [...this.#integral];
    for (const i of [0, 1, 2] as const) {
      const axis = (["ROLL", "PITCH", "YAW"] as const)[i];
      const k = p.get(`MC_${axis}RATE_K`);
      const error = wanted[i] - rates[i];
      torque[i] =
        k * p.get(`MC_${axis}RATE_P`) * error +
        integral[i] -
        k * p.get(`MC_${axis}RATE_D`) * slope[i] +
        p.get(`MC_${axis}RATE_FF`) * wanted[i];
      if (landed) continue;
      let grow = error;
      if (saturation.positive[i]) grow = Math.min(grow, 0);
      if (saturation.negative[i]) grow = Math.max(grow, 0);
      // Large errors come from large commands, not from a bias: they should not wind up the integral.
      const fade = Math.max(0, 1 - (error / (400 * degree)) ** 2);
      const limit = p.get((["MC_RR_INT_LIM", "MC_PR_INT_LIM", "MC_YR_INT_LIM"] as const)[i]);
      const next = integral[i] + fade * k * p.get(`MC_${axis}RATE_I`) * grow * dt_s;
      if (Number.isFinite(next)) integral[i] = clamp(next, -limit, limit);
    }
    this.#integral = integral;
    const cutoff_hz = p.get("MC_YAW_TQ_CUTOFF");
    if (cutoff_hz > 0) {
      this.#yaw_torque += ((torque[2] - this.#yaw_torque) * dt_s) / (dt_s + 1 / (2 * Math.PI * cutoff_hz));
      torque[2] = this.#yaw_torque;
    }
    return [clamp(torque[0], -1, 1), clamp(torque[1], -1, 1), clamp(torque[2], -1, 1)];
  }
}
