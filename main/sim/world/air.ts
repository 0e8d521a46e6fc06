import type { VehicleFile } from "#contract/airframe";
import { invariant } from "#contract/result";
import { Random } from "./random";
import { conjugate, type Q4, subtract, turn, type V3 } from "./rigid";

export const airDensity = 1.204;

/** Mean wind, and gusts around it as an Ornstein-Uhlenbeck process per axis. World frame, m/s. */
export interface Wind {
  readonly mean_enu_m_s: V3;
  readonly gust_sigma_m_s: number;
  readonly gust_time_s: number;
}
export const calm: Wind = { mean_enu_m_s: [0, 0, 0], gust_sigma_m_s: 0, gust_time_s: 2 };

export interface GustState {
  readonly wind: Wind;
  readonly gust: V3;
  readonly random: ReturnType<Random["save"]>;
}

/** Moving air: exact discretisation of the gust process, so the time step does not change its spread. */
export class MovingAir {
  readonly #random: Random;
  #wind: Wind = calm;
  #gust: V3 = [0, 0, 0];

  constructor(seed: number) {
    this.#random = new Random(seed, "wind");
  }

  set(wind: Wind): void {
    invariant(wind.gust_time_s > 0, "gusts have a positive correlation time");
    this.#wind = wind;
    if (wind.gust_sigma_m_s === 0) this.#gust = [0, 0, 0];
  }

  step(dt_s: number): void {
    const { gust_sigma_m_s: sigma, gust_time_s } = this.#wind;
    if (sigma === 0) return;
    const keep = Math.exp(-dt_s / gust_time_s);
    const spread = sigma * Math.sqrt(1 - keep * keep);
    const [x, y, z] = this.#gust;
    this.#gust = [
      x * keep + spread * this.#random.gauss(),
      y * keep + spread * this.#random.gauss(),
      // Near the ground air moves along it.
      z * keep + 0.3 * spread * this.#random.gauss(),
    ];
  }

  velocity_enu_m_s(): V3 {
    const { mean_enu_m_s: m } = this.#wind;
    return [m[0] + this.#gust[0], m[1] + this.#gust[1], m[2] + this.#gust[2]];
  }

  save(): GustState {
    return { wind: this.#wind, gust: this.#gust, random: this.#random.save() };
  }

  restore(state: GustState): void {
    this.#wind = state.wind;
    this.#gust = state.gust;
    this.#random.restore(state.random);
  }
}

/** Body drag (quadratic) and rotor drag (linear in rotor speed and in-plane airspeed): the force in the world, newtons. */
export function airframeDrag_n(
  vehicle: VehicleFile,
  velocity_enu_m_s: V3,
  wind_enu_m_s: V3,
  quat: Q4,
  rotorSpeeds_rad_s: ArrayLike<number>,
): V3 {
  const air = turn(conjugate(quat), subtract(velocity_enu_m_s, wind_enu_m_s));
  const areas = vehicle.base.drag_area_m2;
  let speeds = 0;
  for (let i = 0; i < rotorSpeeds_rad_s.length; i++) speeds += rotorSpeeds_rad_s[i] ?? 0;
  const spin = speeds * vehicle.rotors.drag_coefficient;
  const quadratic = (axis: 0 | 1 | 2): number =>
    -0.5 * airDensity * areas[axis] * air[axis] * Math.abs(air[axis]);
  return turn(quat, [quadratic(0) - spin * air[0], quadratic(1) - spin * air[1], quadratic(2)]);
}

export interface Jet {
  /** Rotor centre and the direction in which it blows, world frame. */
  readonly at: V3;
  readonly down: V3;
  readonly thrust_n: number;
  readonly radius_m: number;
}

/**
 * Air velocity that one rotor's wake makes at a point. Momentum theory gives the speed in the contracted jet, 2 v with
 * v = sqrt(T / (2 rho A)); the jet spreads by a tenth of its length and keeps its momentum (Rajaratnam 1976), and above
 * the surface it meets it turns outwards.
 */
export function wake_m_s(jet: Jet, point: V3, surface_m: number): V3 {
  const r = subtract(point, jet.at);
  const along = r[0] * jet.down[0] + r[1] * jet.down[1] + r[2] * jet.down[2];
  if (along <= 0 || jet.thrust_n <= 0.05) return [0, 0, 0];
  const area = Math.PI * jet.radius_m ** 2;
  const induced = Math.sqrt(jet.thrust_n / (2 * airDensity * area));
  const neck = jet.radius_m * Math.SQRT1_2;
  const width = neck + 0.1 * along;
  const axis = 2 * induced * (neck / width);
  const off: V3 = [r[0] - along * jet.down[0], r[1] - along * jet.down[1], r[2] - along * jet.down[2]];
  const distance = Math.hypot(...off);
  const straight = axis * Math.exp(-((distance / width) ** 2));
  // Within one jet width of the surface the flow bends outwards: fastest at the jet's edge, then thinning with distance.
  const near = Math.max(0, 1 - (point[2] - surface_m) / (2 * width));
  const outward =
    distance < 1e-6 ? 0 : axis * near * 0.9 * (distance < width ? distance / width : width / distance);
  const down = straight * (1 - 0.7 * near);
  const unit = distance < 1e-6 ? 0 : 1 / distance;
  return [
    jet.down[0] * down + off[0] * unit * outward,
    jet.down[1] * down + off[1] * unit * outward,
    jet.down[2] * down + off[2] * unit * outward,
  ];
}

/** Drag of a body of this silhouette in moving air, newtons. */
export function blown_n(air_m_s: V3, width_m: number, height_m: number): V3 {
  const speed = Math.hypot(...air_m_s);
  const k = 0.5 * airDensity * 1.05 * speed;
  const side = width_m * height_m;
  const top = 0.8 * width_m * width_m;
  return [k * side * air_m_s[0], k * side * air_m_s[1], k * top * air_m_s[2]];
}
