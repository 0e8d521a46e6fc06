import type { Enu, Flu, QuatFluEnu } from "#contract/frames";
import { quatMultiply, rotate, rotateInverse } from "#contract/frames";
import type { SensorTruth, VehicleModel } from "../../main/sim/autopilot/port";

const gravity_m_s2 = 9.81;

/**
 * The simplest world an autopilot can fly in: one rigid body, rotors with lag, drag, flat ground. Semi-implicit Euler at
 * the step the caller chooses. For controller tests only; the sim's own world is MuJoCo.
 */
export class RigidBody {
  time_us = 0;
  position_m: [number, number, number] = [0, 0, 0];
  velocity_m_s: [number, number, number] = [0, 0, 0];
  quat: QuatFluEnu = [1, 0, 0, 0];
  rates_rad_s: [number, number, number] = [0, 0, 0];
  thrust_n: number[];
  remaining = 0.9;
  /** Steady disturbance force on the body. */
  wind_n: [number, number, number] = [0, 0, 0];
  position_lost = false;
  /** Mass and offset of the centre of mass that the autopilot does not know of. */
  extra_kg = 0;
  readonly #vehicle: VehicleModel;
  #force_flu: Flu = [0, 0, gravity_m_s2];

  constructor(vehicle: VehicleModel) {
    this.#vehicle = vehicle;
    this.thrust_n = vehicle.rotors.map(() => 0);
  }

  get #voltage_v(): number {
    return 20.5 + 4 * this.remaining;
  }

  truth(): SensorTruth {
    return {
      time_us: this.time_us,
      position_enu_m: [...this.position_m] as unknown as Enu,
      velocity_enu_m_s: [...this.velocity_m_s] as unknown as Enu,
      quat_flu_enu: this.quat,
      rates_flu_rad_s: [...this.rates_rad_s] as unknown as Flu,
      accel_flu_m_s2: this.#force_flu,
      battery: { voltage_v: this.#voltage_v, current_a: 20, remaining: this.remaining },
      position_lost: this.position_lost,
    };
  }

  step(commands: readonly number[], dt_us: number): void {
    const dt = dt_us / 1e6;
    const v = this.#vehicle;
    const mass = v.mass_kg + this.extra_kg;
    let lift = 0;
    const torque: [number, number, number] = [0, 0, 0];
    v.rotors.forEach((rotor, i) => {
      const u = commands[i] ?? 0;
      const charge = (this.#voltage_v / (3.7 * v.battery_cells)) ** 2;
      const steady = charge * v.max_thrust_n * (v.thrust_curve * u * u + (1 - v.thrust_curve) * u);
      const t = (this.thrust_n[i] ?? 0) + ((steady - (this.thrust_n[i] ?? 0)) * dt) / v.rotor_lag_s;
      this.thrust_n[i] = t;
      lift += t;
      torque[0] += rotor.position_flu_m[1] * t;
      torque[1] -= rotor.position_flu_m[0] * t;
      torque[2] -= rotor.spin * v.torque_ratio_m * t;
    });
    const w = this.rates_rad_s;
    const [ix, iy, iz] = v.inertia_kg_m2;
    w[0] += ((torque[0] - (iz - iy) * w[1] * w[2] - 0.02 * w[0]) * dt) / ix;
    w[1] += ((torque[1] - (ix - iz) * w[0] * w[2] - 0.02 * w[1]) * dt) / iy;
    w[2] += ((torque[2] - (iy - ix) * w[0] * w[1] - 0.02 * w[2]) * dt) / iz;
    const half: QuatFluEnu = [1, (w[0] * dt) / 2, (w[1] * dt) / 2, (w[2] * dt) / 2];
    const q = quatMultiply(this.quat, half);
    const n = Math.hypot(...q);
    this.quat = [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
    const push = rotate(this.quat, [0, 0, lift]);
    const force: [number, number, number] = [0, 0, 0];
    for (const i of [0, 1, 2] as const) force[i] = push[i] + this.wind_n[i] - 0.3 * this.velocity_m_s[i];
    const grounded = this.position_m[2] <= 0;
    if (grounded) this.#ground(force, mass, dt);
    for (const i of [0, 1, 2] as const) {
      const gravity = i === 2 ? -gravity_m_s2 : 0;
      this.velocity_m_s[i] += (force[i] / mass + gravity) * dt;
      this.position_m[i] += this.velocity_m_s[i] * dt;
    }
    const f = rotateInverse(this.quat, [force[0] / mass, force[1] / mass, force[2] / mass]);
    this.#force_flu = f;
    this.time_us += dt_us;
  }

  /** A stiff damped floor with friction, on which the body also comes level. */
  #ground(force: [number, number, number], mass: number, dt: number): void {
    const depth = -this.position_m[2];
    force[2] += Math.max(0, 8000 * depth - 250 * this.velocity_m_s[2]);
    const stop = mass / dt;
    const grip = 0.6 * mass * gravity_m_s2;
    for (const i of [0, 1] as const) {
      force[i] += Math.max(-grip, Math.min(grip, -stop * this.velocity_m_s[i] - force[i]));
    }
    const [qw, qx, qy, qz] = this.quat;
    const level = Math.exp(-dt / 0.1);
    const q: QuatFluEnu = [qw, qx * level, qy * level, qz];
    const n = Math.hypot(...q);
    this.quat = [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
    this.rates_rad_s = [0, 0, 0];
  }
}
