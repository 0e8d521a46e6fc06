import type { Estimate } from "./estimator";
import type { Parameters } from "./parameters";
import { gravity_m_s2 } from "./position-control";
import { clamp } from "./vector";

/** A condition that must hold for a time before it counts; it ends at once. */
class Lasting {
  #since_us: number | null = null;
  update(condition: boolean, now_us: number, need_s: number): boolean {
    if (!condition) this.#since_us = null;
    else this.#since_us ??= now_us;
    return this.#since_us !== null && now_us - this.#since_us >= need_s * 1e6;
  }
}

export interface GroundState {
  readonly ground_contact: boolean;
  readonly maybe_landed: boolean;
  readonly landed: boolean;
}

export interface GroundInput {
  readonly estimate: Estimate;
  readonly armed: boolean;
  /** The take-off has begun to lift (ramp or flight). */
  readonly lifting: boolean;
  /** Collective thrust that was commanded, normalised. */
  readonly thrust: number;
  readonly hover_thrust: number;
  /** Downward speed asked for. */
  readonly descend_m_s: number;
}

/**
 * PX4's land detector for multirotors, in its three stages: ground contact (pushing down without moving), maybe landed
 * (hardly any thrust and no rotation), landed. Nobody tells it where the ground is.
 */
export class LandDetector {
  readonly #p: Parameters;
  readonly #contact = new Lasting();
  readonly #maybe = new Lasting();
  readonly #landed = new Lasting();
  #state: GroundState = { ground_contact: true, maybe_landed: true, landed: true };

  constructor(parameters: Parameters) {
    this.#p = parameters;
  }
  get state(): GroundState {
    return this.#state;
  }

  update(input: GroundInput): GroundState {
    const p = this.#p;
    const now = input.estimate.time_us;
    const trigger_s = p.get("LNDMC_TRIG_TIME");
    if (!input.armed || !input.lifting) {
      // Standing: the conditions count as long fulfilled, so that the ramp begins landed.
      for (const stage of [this.#contact, this.#maybe, this.#landed]) stage.update(true, now, 0);
      if (!input.armed) this.#state = { ground_contact: true, maybe_landed: true, landed: true };
      return this.#state;
    }
    const [vx, vy, vz] = input.estimate.velocity;
    const slow_m_s = Math.min(p.get("LNDMC_Z_VEL_MAX"), 0.6 * p.get("MPC_LAND_SPEED"));
    const vertical = Math.abs(vz) > slow_m_s;
    const horizontal = Math.hypot(vx, vy) > p.get("LNDMC_XY_VEL_MAX");
    const share = (k: number): number => {
      const min = p.get("MPC_THR_MIN");
      return min + k * (input.hover_thrust - min);
    };
    const pushing = input.descend_m_s >= 0.9 * Math.min(p.get("MPC_LAND_SPEED"), p.get("MPC_LAND_CRWL"));
    const contact = this.#contact.update(
      (pushing || input.thrust < share(0.3)) && !vertical && !horizontal,
      now,
      0.35 * trigger_s,
    );
    const spin_rad_s = (p.get("LNDMC_ROT_MAX") * Math.PI) / 180;
    const still = input.estimate.rates.every((r) => Math.abs(r) < spin_rad_s);
    const maybe = this.#maybe.update(contact && still && input.thrust < share(0.1), now, 0.25 * trigger_s);
    const landed = this.#landed.update(maybe, now, 0.3 * trigger_s);
    this.#state = { ground_contact: contact, maybe_landed: maybe, landed };
    return this.#state;
  }
}

export type TakeoffState = "disarmed" | "spool_up" | "ready" | "ramp" | "flight";

/** PX4's take-off: spool up, wait for a mode that wants to fly, then let the climb rate in over MPC_TKO_RAMP_T. */
export class TakeoffRamp {
  readonly #p: Parameters;
  #armed_us = 0;
  #ramp_m_s = 0;
  state: TakeoffState = "disarmed";

  constructor(parameters: Parameters) {
    this.#p = parameters;
  }

  update(armed: boolean, landed: boolean, wants_takeoff: boolean, now_us: number): TakeoffState {
    if (!armed) {
      this.state = "disarmed";
      return this.state;
    }
    switch (this.state) {
      case "disarmed":
        this.#armed_us = now_us;
        this.state = "spool_up";
        break;
      case "spool_up":
        if (now_us - this.#armed_us >= this.#p.get("COM_SPOOLUP_TIME") * 1e6) this.state = "ready";
        break;
      case "ready":
        if (wants_takeoff) {
          this.state = "ramp";
          this.#ramp_m_s = Number.NEGATIVE_INFINITY;
        }
        break;
      case "ramp":
        break;
      case "flight":
        if (landed) this.state = "ready";
        break;
    }
    return this.state;
  }

  /** The most upward speed allowed now; negative (forcing down) at the start of the ramp, where thrust is at its minimum. */
  climbLimit(dt_s: number, climb_m_s: number, hover_thrust: number): number {
    if (this.state === "flight") return climb_m_s;
    if (this.state !== "ramp") return 0;
    const start =
      ((this.#p.get("MPC_THR_MIN") - hover_thrust) * gravity_m_s2) /
      (hover_thrust * this.#p.get("MPC_Z_VEL_P_ACC"));
    const time_s = Math.max(this.#p.get("MPC_TKO_RAMP_T"), 0.1);
    if (!Number.isFinite(this.#ramp_m_s)) this.#ramp_m_s = start;
    this.#ramp_m_s += ((climb_m_s - start) * dt_s) / time_s;
    if (this.#ramp_m_s >= climb_m_s) this.state = "flight";
    return Math.min(this.#ramp_m_s, climb_m_s);
  }
}

/**
 * Thrust that carries the weight, from what the thrust does to the vertical acceleration: one state, extended Kalman filter
 * with acceleration = g thrust / hover - g (as PX4's hover thrust estimator).
 */
export class HoverThrust {
  readonly #p: Parameters;
  #value: number;
  #variance: number;

  constructor(parameters: Parameters) {
    this.#p = parameters;
    this.#value = parameters.get("MPC_THR_HOVER");
    this.#variance = parameters.get("HTE_HT_ERR_INIT") ** 2;
  }
  get value(): number {
    return this.#value;
  }

  /** `thrust` upward in the world, normalised; `acceleration_up_m_s2` without gravity. */
  update(thrust: number, acceleration_up_m_s2: number, speed_m_s: number, dt_s: number): number {
    const h = this.#value;
    this.#variance += this.#p.get("HTE_HT_NOISE") ** 2 * dt_s;
    const slope = (-gravity_m_s2 * thrust) / (h * h);
    const noise = (2 * (1 + speed_m_s)) ** 2;
    const innovation_variance = slope * this.#variance * slope + noise;
    const innovation = acceleration_up_m_s2 - ((gravity_m_s2 * thrust) / h - gravity_m_s2);
    const gate = this.#p.get("HTE_ACC_GATE");
    if (innovation * innovation <= gate * gate * innovation_variance) {
      const gain = (this.#variance * slope) / innovation_variance;
      const range = this.#p.get("HTE_THR_RANGE");
      const centre = this.#p.get("MPC_THR_HOVER");
      this.#value = clamp(
        h + gain * innovation,
        Math.max(0.1, centre - range),
        Math.min(0.9, centre + range),
      );
      this.#variance = Math.max(1e-6, (1 - gain * slope) * this.#variance);
    }
    return this.#value;
  }
}
