import { enuToNed, quatFluEnuToFrdNed, wrapPi } from "#contract/frames";
import { type Parameters, tuned } from "./parameters";
import type { SensorTruth } from "./port";
import { gravity_m_s2 } from "./position-control";
import { Random, Wander } from "./random";
import {
  aboutZ,
  add,
  isFinite3,
  LowPass,
  length,
  multiply,
  normalized,
  type Quat,
  scale,
  sub,
  turn,
  type Vec3,
  yawOf,
  zero3,
} from "./vector";

/** What the flight code knows of the vehicle: NED, FRD. Local NED has its origin at the site's, as under motion capture. */
export interface Estimate {
  readonly time_us: number;
  readonly position: Vec3;
  readonly velocity: Vec3;
  /** Coordinate acceleration, gravity removed. */
  readonly acceleration: Vec3;
  readonly attitude: Quat;
  readonly yaw_rad: number;
  readonly rates: Vec3;
  /** Filtered accelerometer, FRD. */
  readonly force: Vec3;
  readonly xy_valid: boolean;
  /** Without position aid, moving on inertia alone. */
  readonly dead_reckoning: boolean;
  readonly eph_m: number;
  readonly epv_m: number;
  /** Counts every jump of position or heading (ODOMETRY.reset_counter). */
  readonly reset_counter: number;
  /** The last jump, for those who hold setpoints in this frame. */
  readonly last_reset: { readonly position: Vec3; readonly yaw_rad: number };
}

/** A pose from outside, as ODOMETRY or VISION_POSITION_ESTIMATE carries it. */
export interface VisionPose {
  readonly position: Vec3;
  readonly yaw_rad: number;
  readonly reset_counter: number;
}

interface Sample {
  readonly time_us: number;
  readonly position: Vec3;
  readonly velocity: Vec3;
}

const output_delay_us = 8_000;
const drift_m_s = 0.06;
const vision_timeout_us = 300_000;
/** A heading that has been refused for this long is taken after all: EKF2 resets to it. */
const heading_patience_us = 7_000_000;

/**
 * Stands for EKF2 with external vision: the truth with the errors such an estimate has. Position and heading wander slowly
 * by millimetres and tenths of a degree, come a few milliseconds late, drift when the aid is lost (dead reckoning, invalid
 * after EKF2_NOAID_TOUT) and jump back with a counted reset when it returns.
 */
export class Estimator {
  readonly #figures: () => EstimatorFigures;
  readonly #random: Random;
  readonly #position: readonly [Wander, Wander, Wander];
  readonly #velocity: readonly [Wander, Wander, Wander];
  readonly #tilt: readonly [Wander, Wander];
  readonly #yaw: Wander;
  readonly #gyro = new LowPass();
  readonly #accel = new LowPass();
  #history: Sample[] = [];
  #offset: Vec3 = zero3;
  #yaw_offset_rad = 0;
  #lost_us = 0;
  #drift: Vec3 = zero3;
  #resets = 0;
  #last_reset: Estimate["last_reset"] = { position: zero3, yaw_rad: 0 };
  #previous_us: number | null = null;
  readonly #external: boolean;
  #vision_us = Number.NEGATIVE_INFINITY;
  #vision_resets: number | null = null;
  #refused_us: number | null = null;
  #flip_rad = 0;
  #flip_taken_rad = 0;

  constructor(seed: number, parameters: Parameters, aid: "own" | "external" = "own") {
    this.#figures = estimatorFigures(parameters);
    this.#external = aid === "external";
    if (this.#external) this.#lost_us = Number.POSITIVE_INFINITY;
    this.#random = new Random(seed, "estimator");
    const wander = (sigma: number, tau_s: number): Wander => new Wander(this.#random, sigma, tau_s);
    this.#position = [wander(0.003, 3), wander(0.003, 3), wander(0.002, 3)];
    this.#velocity = [wander(0.008, 0.4), wander(0.008, 0.4), wander(0.006, 0.4)];
    this.#tilt = [wander(0.0008, 8), wander(0.0008, 8)];
    this.#yaw = wander(0.0012, 15);
  }

  /** The estimate jumps and counts a reset; it stays displaced. */
  jump(position_ned: Vec3, yaw_rad: number): void {
    this.#offset = add(this.#offset, position_ned);
    this.#yaw_offset_rad += yaw_rad;
    this.#resets = (this.#resets + 1) % 256;
    this.#last_reset = { position: position_ned, yaw_rad };
  }

  /**
   * An external pose (NED, local frame). The error of the estimate moves towards the error of the measurement; a counted
   * reset of the source, the first pose after a loss, or an innovation beyond the gate makes it jump.
   */
  vision(pose: VisionPose): void {
    const here = this.#history.at(-1);
    const { vision_control, vision_delay_us: delay_us, vision_gate_m: gate_m } = this.#figures();
    if (!this.#external || !here || vision_control === 0 || !isFinite3(pose.position)) return;
    const then = this.#history.find((h) => h.time_us >= here.time_us - delay_us) ?? here;
    const innovation = sub(sub(pose.position, then.position), this.#offset);
    const turned = Number.isFinite(pose.yaw_rad)
      ? wrapPi(pose.yaw_rad - this.#true_yaw_rad - this.#yaw_offset_rad)
      : 0;
    const counted = this.#vision_resets !== null && this.#vision_resets !== pose.reset_counter;
    const heading = this.#heading(turned, here.time_us);
    const jumped = this.#lost_us > 0 || counted || length(innovation) > gate_m || heading === "reset";
    this.#vision_resets = pose.reset_counter;
    this.#vision_us = here.time_us;
    this.#lost_us = 0;
    if (jumped) this.jump(innovation, turned);
    else {
      this.#offset = add(this.#offset, scale(innovation, 0.2));
      if (heading === "fused") this.#yaw_offset_rad += 0.2 * turned;
    }
  }

  /** The aid takes the vehicle for turned by half a turn, or no longer does. */
  flip(flipped: boolean): void {
    this.#flip_rad = flipped ? Math.PI : 0;
  }

  /** Beyond the gate a heading is refused; one that stays there wins in the end, and the estimate jumps to it. */
  #heading(innovation_rad: number, now_us: number): "fused" | "refused" | "reset" {
    if (Math.abs(innovation_rad) <= this.#figures().heading_gate_rad) {
      this.#refused_us = null;
      return "fused";
    }
    this.#refused_us ??= now_us;
    if (now_us - this.#refused_us < heading_patience_us) return "refused";
    this.#refused_us = null;
    return "reset";
  }

  #ownHeading(now_us: number): void {
    const innovation = wrapPi(this.#flip_rad - this.#flip_taken_rad);
    if (this.#external || this.#lost_us > 0 || this.#heading(innovation, now_us) !== "reset") return;
    this.jump([0, 0, 0], innovation);
    this.#flip_taken_rad = this.#flip_rad;
  }

  update(truth: SensorTruth): Estimate {
    const dt_s =
      this.#previous_us === null ? 0.002 : Math.max(1e-4, (truth.time_us - this.#previous_us) / 1e6);
    this.#previous_us = truth.time_us;
    const level = quatFluEnuToFrdNed(truth.quat_flu_enu);
    this.#true_yaw_rad = yawOf(level);
    const f = this.#figures();
    const silent = this.#external && truth.time_us - this.#vision_us > vision_timeout_us;
    this.#aid(truth.position_lost === true || silent, dt_s);
    this.#ownHeading(truth.time_us);
    const noisy = this.#delayed(truth, dt_s);
    const tilt: Quat = normalized([1, this.#tilt[0].step(dt_s) / 2, this.#tilt[1].step(dt_s) / 2, 0]);
    const heading = aboutZ(this.#yaw.step(dt_s) + this.#yaw_offset_rad);
    const attitude = normalized(multiply(multiply(heading, level), tilt));
    const rates = this.#gyro.update(this.#measured(truth.rates_flu_rad_s, 0.004), f.gyro_cutoff_hz, dt_s);
    const force = this.#accel.update(this.#measured(truth.accel_flu_m_s2, 0.08), f.accel_cutoff_hz, dt_s);
    const lost_s = Math.min(this.#lost_us / 1e6, 1000);
    return {
      time_us: truth.time_us,
      position: noisy.position,
      velocity: noisy.velocity,
      acceleration: add(turn(attitude, force), [0, 0, gravity_m_s2]),
      attitude,
      yaw_rad: yawOf(attitude),
      rates,
      force,
      xy_valid: this.#lost_us < f.aid_timeout_us,
      dead_reckoning: this.#lost_us > 1e6,
      eph_m: 0.02 + 0.1 * lost_s,
      epv_m: 0.02 + 0.05 * lost_s,
      reset_counter: this.#resets,
      last_reset: this.#last_reset,
    };
  }

  #true_yaw_rad = 0;

  /** FLU truth as a noisy sensor in FRD gives it. */
  #measured(v: Vec3, sigma: number): Vec3 {
    const random = this.#random;
    return [v[0] + sigma * random.normal(), -v[1] + sigma * random.normal(), -v[2] + sigma * random.normal()];
  }

  #aid(lost: boolean, dt_s: number): void {
    if (lost) {
      if (this.#lost_us === 0) {
        const heading = 2 * Math.PI * this.#random.uniform();
        this.#drift = [drift_m_s * Math.cos(heading), drift_m_s * Math.sin(heading), 0.01];
      }
      this.#lost_us += dt_s * 1e6;
      this.#offset = add(this.#offset, scale(this.#drift, dt_s));
    } else if (this.#lost_us > 0 && !this.#external) {
      this.#lost_us = 0;
      const jump = scale(this.#offset, -1);
      if (length(jump) > 0.02) this.jump(jump, 0);
      this.#offset = zero3;
    }
  }

  #delayed(truth: SensorTruth, dt_s: number): Sample {
    this.#history.push({
      time_us: truth.time_us,
      position: enuToNed(truth.position_enu_m),
      velocity: enuToNed(truth.velocity_enu_m_s),
    });
    while (this.#history.length > 1 && (this.#history[1]?.time_us ?? 0) <= truth.time_us - output_delay_us) {
      this.#history.shift();
    }
    const then = this.#history[0] ?? { time_us: 0, position: zero3, velocity: zero3 };
    const lag_s = (truth.time_us - then.time_us) / 1e6;
    // The output predictor makes up for most of the delay; a quarter of it stays.
    const ahead = scale(then.velocity, 0.75 * lag_s);
    const place = stepped(this.#position, dt_s);
    const speed = stepped(this.#velocity, dt_s);
    return {
      time_us: truth.time_us,
      position: add(add(add(then.position, ahead), place), this.#offset),
      velocity: add(add(then.velocity, speed), this.#lost_us > 0 ? this.#drift : zero3),
    };
  }
}

const stepped = (w: readonly [Wander, Wander, Wander], dt_s: number): Vec3 => [
  w[0].step(dt_s),
  w[1].step(dt_s),
  w[2].step(dt_s),
];

interface EstimatorFigures {
  readonly gyro_cutoff_hz: number;
  readonly accel_cutoff_hz: number;
  readonly aid_timeout_us: number;
  readonly vision_control: number;
  readonly vision_delay_us: number;
  readonly vision_gate_m: number;
  readonly heading_gate_rad: number;
}
const estimatorFigures = (p: Parameters): (() => EstimatorFigures) =>
  tuned(p, (get) => ({
    gyro_cutoff_hz: get("IMU_GYRO_CUTOFF"),
    accel_cutoff_hz: get("IMU_ACCEL_CUTOFF"),
    aid_timeout_us: get("EKF2_NOAID_TOUT"),
    vision_control: get("EKF2_EV_CTRL"),
    vision_delay_us: get("EKF2_EV_DELAY") * 1000,
    vision_gate_m: get("EKF2_EVP_GATE") * get("EKF2_EVP_NOISE"),
    heading_gate_rad: get("EKF2_HDG_GATE") * get("EKF2_HEAD_NOISE"),
  }));
