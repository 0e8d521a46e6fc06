import { Allocation, commandFromThrust } from "./allocation";
import {
  attitudeFigures,
  attitudeFromThrust,
  RateControl,
  ratesFromAttitude,
  type Saturation,
  unsaturated,
} from "./attitude-control";
import type { Estimate } from "./estimator";
import { HoverThrust, LandDetector, TakeoffRamp } from "./ground";
import type { NavState } from "./modes";
import type { NavigatorOutput, Sticks } from "./navigator";
import { type Parameters, tuned } from "./parameters";
import type { VehicleModel } from "./port";
import {
  groundSetpoint,
  type Limits,
  PositionControl,
  type PositionOutput,
  type TrajectorySetpoint,
} from "./position-control";
import { clamp, length, type Quat, scale, turn, type Vec3, zero3 } from "./vector";

const degree = Math.PI / 180;
const attitude_period_us = 4_000;
const position_period_us = 8_000;
const nominal_cell_v = 3.7;

/** What the controllers last asked for: ATTITUDE_TARGET and POSITION_TARGET_LOCAL_NED tell it. */
export interface Targets {
  readonly attitude: Quat;
  readonly rates: Vec3;
  readonly thrust: number;
  readonly setpoint: TrajectorySetpoint;
  readonly position: PositionOutput;
}

/** The cascade: position (125 Hz), attitude (250 Hz), rates and allocation (every gyro sample). */
export class Flight {
  readonly ground: LandDetector;
  readonly takeoff: TakeoffRamp;
  readonly hover: HoverThrust;
  readonly allocation: Allocation;
  targets: Targets;
  #position: PositionControl;
  #rates: RateControl;
  #saturation: Saturation = unsaturated;
  #attitude_us = Number.NEGATIVE_INFINITY;
  #position_us = Number.NEGATIVE_INFINITY;
  #tilt_limit_rad: number;
  #thrust_made = 0;
  #effort = 1;
  readonly #dead = new Set<number>();
  readonly #p: Parameters;
  readonly #vehicle: VehicleModel;
  readonly #attitudeFigures: ReturnType<typeof attitudeFigures>;
  readonly #figures: () => FlightFigures;

  constructor(vehicle: VehicleModel, parameters: Parameters) {
    this.#p = parameters;
    this.#vehicle = vehicle;
    this.#attitudeFigures = attitudeFigures(parameters);
    this.#figures = flightFigures(parameters);
    this.ground = new LandDetector(parameters);
    this.takeoff = new TakeoffRamp(parameters);
    this.hover = new HoverThrust(parameters);
    this.allocation = new Allocation(vehicle);
    this.#position = new PositionControl(parameters);
    this.#rates = new RateControl(parameters);
    this.#tilt_limit_rad = parameters.get("MPC_TILTMAX_LND") * degree;
    const rest: PositionOutput = { thrust_ned: zero3, position: zero3, velocity: zero3, acceleration: zero3 };
    this.targets = {
      attitude: [1, 0, 0, 0],
      rates: zero3,
      thrust: 0,
      setpoint: groundSetpoint,
      position: rest,
    };
  }

  /** A motor that no longer turns. With CA_FAILURE_MODE 1 the allocation knows and does without it. */
  setMotor(motor: number, works: boolean): void {
    if (works) this.#dead.delete(motor);
    else this.#dead.add(motor);
    this.refreshMotors();
  }
  refreshMotors(): void {
    this.allocation.setStopped(this.#p.get("CA_FAILURE_MODE") === 1 ? this.#dead : new Set());
  }
  get dead_motors(): ReadonlySet<number> {
    return this.#dead;
  }

  /** Battery voltage, for MC_BAT_SCALE_EN: thrust falls with the square of it, so commands rise to make up. */
  setVoltage(voltage_v: number, dt_s: number): void {
    const wanted = this.#vehicle.battery_cells * nominal_cell_v;
    const raw = this.#figures().scaled && voltage_v > 0 ? (wanted / voltage_v) ** 2 : 1;
    this.#effort += ((clamp(raw, 0.7, 1.3) - this.#effort) * dt_s) / (dt_s + 0.1);
  }

  /** True when a position update is due: the navigator runs at that rate. */
  positionDue(now_us: number): boolean {
    return now_us - this.#position_us >= position_period_us;
  }

  /** One position update with the mode's setpoint; `sticks` fly the modes without position. */
  position(estimate: Estimate, armed: boolean, mode: NavState, nav: NavigatorOutput, sticks: Sticks): void {
    const f = this.#figures();
    const dt_s = Number.isFinite(this.#position_us)
      ? clamp((estimate.time_us - this.#position_us) / 1e6, 0.002, 0.04)
      : position_period_us / 1e6;
    this.#position_us = estimate.time_us;
    const state = this.takeoff.update(armed, this.ground.state.landed, nav.wants_takeoff, estimate.time_us);
    const flying = state === "flight";
    const lifting = flying || state === "ramp";
    const cut = !lifting || (flying && this.ground.state.ground_contact);
    const setpoint = cut ? { ...groundSetpoint, yaw_rad: estimate.yaw_rad } : nav.setpoint;
    // On the ground errors mean nothing; in the ramp the ground still holds the vehicle until it moves.
    const held = state === "ramp" && this.ground.state.landed;
    if (cut || held) this.#position.reset();
    const wanted_rad = lifting && !this.ground.state.ground_contact ? f.tilt_air_rad : f.tilt_landing_rad;
    this.#tilt_limit_rad += clamp(wanted_rad - this.#tilt_limit_rad, -0.5 * dt_s, 0.5 * dt_s);
    const limits: Limits = {
      horizontal_m_s: f.horizontal_m_s,
      up_m_s: this.takeoff.climbLimit(dt_s, nav.climb_m_s, this.hover.value),
      down_m_s: f.down_m_s,
      tilt_rad: this.#tilt_limit_rad,
      thrust_min: cut ? 0 : f.thrust_min,
      thrust_max: f.thrust_max,
    };
    this.#learnHover(estimate, flying, dt_s);
    const out = this.#position.update(
      setpoint,
      estimate.position,
      estimate.velocity,
      estimate.acceleration,
      limits,
      dt_s,
    );
    const stick = mode === "stabilized" || mode === "manual";
    const yaw = Number.isFinite(setpoint.yaw_rad) ? setpoint.yaw_rad : estimate.yaw_rad;
    this.targets = {
      ...this.targets,
      attitude: stick ? this.#stickAttitude(sticks, estimate) : attitudeFromThrust(out.thrust_ned, yaw),
      thrust: stick ? this.#stickThrust(sticks) : length(out.thrust_ned),
      setpoint,
      position: out,
    };
    this.ground.update({
      estimate,
      armed,
      lifting,
      thrust: this.targets.thrust,
      hover_thrust: this.hover.value,
      descend_m_s: Number.isFinite(out.velocity[2]) ? out.velocity[2] : cut ? 100 : 0,
    });
  }

  #learnHover(estimate: Estimate, flying: boolean, dt_s: number): void {
    if (!flying || this.ground.state.ground_contact || !this.#figures().learns_hover) return;
    const up = -turn(estimate.attitude, [0, 0, -1])[2];
    const value = this.hover.update(
      this.#thrust_made * up,
      -estimate.acceleration[2],
      length(estimate.velocity),
      dt_s,
    );
    this.#position.setHoverThrust(value, this.targets.position.acceleration[2]);
  }

  #stickAttitude(sticks: Sticks, estimate: Estimate): Quat {
    const tilt = Math.tan(this.#p.get("MPC_MAN_TILT_MAX") * degree);
    const c = Math.cos(estimate.yaw_rad);
    const s = Math.sin(estimate.yaw_rad);
    const [f, r] = [sticks.pitch * tilt, sticks.roll * tilt];
    return attitudeFromThrust([c * f - s * r, s * f + c * r, -1], estimate.yaw_rad);
  }
  #stickThrust(sticks: Sticks): number {
    const hover = this.hover.value;
    const t = sticks.throttle;
    const low = this.#p.get("MPC_MANTHR_MIN");
    return t < 0 ? hover + t * (hover - low) : hover + t * (this.#p.get("MPC_THR_MAX") - hover);
  }

  /** Attitude and rate loops; answers the motor commands. `thrust` of the last position update is used. */
  motors(estimate: Estimate, armed: boolean, dt_s: number): readonly number[] {
    const count = this.#vehicle.rotors.length;
    if (!armed) {
      this.#rates.reset();
      this.#thrust_made = 0;
      return new Array<number>(count).fill(0);
    }
    if (estimate.time_us - this.#attitude_us >= attitude_period_us) {
      this.#attitude_us = estimate.time_us;
      const feed = this.targets.setpoint.yaw_rate_rad_s;
      const rates = ratesFromAttitude(
        estimate.attitude,
        this.targets.attitude,
        feed,
        this.#attitudeFigures(),
      );
      this.targets = { ...this.targets, rates };
    }
    const grounded = this.ground.state.maybe_landed;
    const torque = this.#rates.update(estimate.rates, this.targets.rates, this.#saturation, grounded, dt_s);
    const lifted = this.takeoff.state === "flight" || this.takeoff.state === "ramp";
    const effort = this.#effort;
    const { thrust, saturation } = this.allocation.allocate(
      lifted ? scale(torque, effort) : zero3,
      this.targets.thrust * effort,
    );
    this.#saturation = saturation;
    const { idle, thrust_curve } = this.#figures();
    const commands: number[] = [];
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const share = thrust[i] ?? 0;
      sum += share;
      commands.push(this.#dead.has(i) ? 0 : Math.max(idle, commandFromThrust(share, thrust_curve)));
    }
    this.#thrust_made = sum / count / effort;
    return commands;
  }
}

interface FlightFigures {
  readonly scaled: boolean;
  readonly learns_hover: boolean;
  readonly tilt_air_rad: number;
  readonly tilt_landing_rad: number;
  readonly horizontal_m_s: number;
  readonly down_m_s: number;
  readonly thrust_min: number;
  readonly thrust_max: number;
  readonly idle: number;
  readonly thrust_curve: number;
}
const flightFigures = (p: Parameters): (() => FlightFigures) =>
  tuned(p, (get) => ({
    scaled: get("MC_BAT_SCALE_EN") === 1,
    learns_hover: get("MPC_USE_HTE") !== 0,
    tilt_air_rad: get("MPC_TILTMAX_AIR") * degree,
    tilt_landing_rad: get("MPC_TILTMAX_LND") * degree,
    horizontal_m_s: get("MPC_XY_VEL_MAX"),
    down_m_s: get("MPC_Z_VEL_MAX_DN"),
    thrust_min: get("MPC_THR_MIN"),
    thrust_max: get("MPC_THR_MAX"),
    idle: get("DSHOT_MIN"),
    thrust_curve: get("THR_MDL_FAC"),
  }));
