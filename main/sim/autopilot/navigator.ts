import { wrapPi } from "#contract/frames";
import type { Estimate } from "./estimator";
import type { TakeoffState } from "./ground";
import type { MissionOrder } from "./mission";
import type { NavState } from "./modes";
import type { Parameters } from "./parameters";
import { emptySetpoint, type TrajectorySetpoint } from "./position-control";
import { ReturnFlight } from "./return-flight";
import { Trajectory, type TrajectoryLimits } from "./trajectory";
import { add, clamp, lengthXy, sub, type Vec3 } from "./vector";

/** Sticks from -1 to 1, centred when nobody touches them; throttle is 0 in the middle. */
export interface Sticks {
  readonly roll: number;
  readonly pitch: number;
  readonly yaw: number;
  readonly throttle: number;
}
export const centred: Sticks = { roll: 0, pitch: 0, yaw: 0, throttle: 0 };

export interface NavigatorInput {
  readonly mode: NavState;
  readonly estimate: Estimate;
  readonly dt_s: number;
  readonly takeoff: TakeoffState;
  readonly landed: boolean;
  readonly home: Vec3;
  readonly sticks: Sticks;
  readonly offboard: TrajectorySetpoint;
  /** Height to climb to in take-off, NED z. */
  readonly takeoff_z: number;
  /** What the mission wants now. */
  readonly mission: MissionOrder;
  /** Where a return ends: home or the nearest rally point. */
  readonly destination: Vec3;
}

export type NavigatorEvent = "none" | "takeoff_reached" | "waypoint_reached" | "landing";

export interface NavigatorOutput {
  readonly setpoint: TrajectorySetpoint;
  readonly climb_m_s: number;
  readonly wants_takeoff: boolean;
  readonly event: NavigatorEvent;
}

/** What each mode asks of the position controller (PX4's navigator and flight tasks). */
export class Navigator {
  readonly #p: Parameters;
  readonly #trajectory = new Trajectory();
  #mode: NavState | null = null;
  #target: Vec3 = [0, 0, 0];
  #yaw_rad = 0;
  #flying = false;
  #return: ReturnFlight | null = null;
  #since_us = 0;
  #locked = false;
  #resets = 0;
  /** A take-off never descends: height at which the mode was entered. */
  #entry_z = 0;

  constructor(parameters: Parameters) {
    this.#p = parameters;
  }

  /** Changes the place to hold (MAV_CMD_DO_REPOSITION), NED; NaN keeps. */
  reposition(target: Vec3, yaw_rad: number): void {
    const keep = (v: number, old: number): number => (Number.isFinite(v) ? v : old);
    this.#target = [
      keep(target[0], this.#target[0]),
      keep(target[1], this.#target[1]),
      keep(target[2], this.#target[2]),
    ];
    if (Number.isFinite(yaw_rad)) this.#target_yaw_rad = yaw_rad;
  }
  #target_yaw_rad = 0;

  update(input: NavigatorInput): NavigatorOutput {
    const { estimate, mode, dt_s } = input;
    this.#followReset(estimate);
    const flying = input.takeoff === "flight" || (input.takeoff === "ramp" && !input.landed);
    if (mode !== this.#mode || (flying && !this.#flying)) this.#enter(input);
    this.#flying = flying;
    if (!flying) this.#trajectory.reset(estimate.position);
    const limits = this.#limits();
    let event: NavigatorEvent = "none";
    switch (mode) {
      case "offboard":
        return {
          setpoint: this.#offboard(input),
          climb_m_s: this.#p.get("MPC_Z_VEL_MAX_UP"),
          wants_takeoff: true,
          event,
        };
      case "takeoff":
        this.#target = [this.#target[0], this.#target[1], Math.min(input.takeoff_z, this.#entry_z)];
        this.#trajectory.towards(this.#target, { ...limits, up_m_s: this.#p.get("MPC_TKO_SPEED") }, dt_s);
        if (flying && Math.abs(estimate.position[2] - this.#target[2]) < this.#p.get("NAV_MC_ALT_RAD")) {
          event = "takeoff_reached";
        }
        break;
      case "loiter":
        this.#trajectory.towards(this.#target, limits, dt_s);
        break;
      case "mission":
        event = this.#mission(input, limits);
        break;
      case "return":
        event = this.#goHome(input, limits);
        break;
      case "land":
        this.#descend(input, limits);
        break;
      case "position":
      case "altitude":
        this.#manual(input, limits);
        break;
      case "descend":
        this.#yaw_rad = estimate.yaw_rad;
        return {
          setpoint: {
            ...emptySetpoint,
            velocity: [Number.NaN, Number.NaN, this.#p.get("MPC_LAND_SPEED")],
            acceleration: [0, 0, Number.NaN],
            yaw_rad: this.#yaw_rad,
          },
          climb_m_s: 0,
          wants_takeoff: false,
          event,
        };
      case "manual":
      case "stabilized":
      case "acro":
      case "termination":
        break;
    }
    this.#turn(dt_s);
    const t = this.#trajectory;
    // In the ramp the ground may still hold the vehicle: the target itself, limited by the ramp, instead of a moving point.
    const moving = input.takeoff === "flight";
    const noXy = mode === "altitude";
    const setpoint: TrajectorySetpoint = moving
      ? {
          position: noXy ? [Number.NaN, Number.NaN, t.position[2]] : t.position,
          velocity: noXy ? [Number.NaN, Number.NaN, t.velocity[2]] : t.velocity,
          acceleration: noXy ? [input.sticks.pitch, input.sticks.roll, Number.NaN] : t.acceleration,
          yaw_rad: this.#yaw_rad,
          yaw_rate_rad_s: 0,
        }
      : { ...emptySetpoint, position: this.#target, yaw_rad: this.#yaw_rad };
    return {
      setpoint,
      climb_m_s: mode === "takeoff" ? this.#p.get("MPC_TKO_SPEED") : this.#p.get("MPC_Z_V_AUTO_UP"),
      wants_takeoff:
        mode === "takeoff" ||
        (mode === "mission" && input.mission.kind === "fly") ||
        input.sticks.throttle > 0.3,
      event,
    };
  }

  #enter(input: NavigatorInput): void {
    const { estimate } = input;
    const before = this.#mode;
    this.#mode = input.mode;
    this.#since_us = estimate.time_us;
    this.#yaw_rad = estimate.yaw_rad;
    this.#target_yaw_rad = estimate.yaw_rad;
    this.#return = null;
    this.#entry_z = estimate.position[2];
    this.#locked = false;
    const limits = this.#limits();
    // From one smooth mode to another the moving point goes on; from offboard or the ground it starts at the vehicle.
    const continues = before !== null && before !== "offboard" && before !== "descend" && this.#flying;
    if (!continues) this.#trajectory.reset(estimate.position, this.#flying ? estimate.velocity : [0, 0, 0]);
    const stop = this.#flying ? this.#trajectory.stoppingPoint(limits) : estimate.position;
    const takeoffDone = before === "takeoff" && input.mode === "loiter";
    this.#target = takeoffDone ? this.#target : stop;
  }

  /** After a counted reset everything held in the estimate's frame moves along, so that the vehicle stays. */
  #followReset(estimate: Estimate): void {
    if (estimate.reset_counter === this.#resets) return;
    this.#resets = estimate.reset_counter;
    const { position, yaw_rad } = estimate.last_reset;
    this.#target = add(this.#target, position);
    this.#trajectory.position = add(this.#trajectory.position, position);
    this.#return?.shift(position);
    this.#yaw_rad = wrapPi(this.#yaw_rad + yaw_rad);
    this.#target_yaw_rad = wrapPi(this.#target_yaw_rad + yaw_rad);
  }

  #turn(dt_s: number): void {
    const step = ((this.#p.get("MPC_YAWRAUTO_MAX") * Math.PI) / 180) * dt_s;
    this.#yaw_rad = wrapPi(this.#yaw_rad + clamp(wrapPi(this.#target_yaw_rad - this.#yaw_rad), -step, step));
  }

  /** Position setpoints go straight to the position controller, limited in speed only. */
  #offboard(input: NavigatorInput): TrajectorySetpoint {
    const s = input.offboard;
    if (Number.isFinite(s.yaw_rad)) this.#yaw_rad = s.yaw_rad;
    else if (s.yaw_rate_rad_s !== 0) this.#yaw_rad = wrapPi(this.#yaw_rad + s.yaw_rate_rad_s * input.dt_s);
    return { ...s, yaw_rad: this.#yaw_rad };
  }

  #limits(): TrajectoryLimits {
    return {
      horizontal_m_s: this.#p.get("MPC_XY_CRUISE"),
      up_m_s: this.#p.get("MPC_Z_V_AUTO_UP"),
      down_m_s: this.#p.get("MPC_Z_V_AUTO_DN"),
      horizontal_m_s2: this.#p.get("MPC_ACC_HOR"),
      vertical_m_s2: Math.min(this.#p.get("MPC_ACC_UP_MAX"), this.#p.get("MPC_ACC_DOWN_MAX")),
      jerk_m_s3: this.#p.get("MPC_JERK_AUTO"),
    };
  }

  #descend(input: NavigatorInput, limits: TrajectoryLimits): void {
    const height_m = input.home[2] - input.estimate.position[2];
    const slow = this.#p.get("MPC_LAND_SPEED");
    const fast = Math.max(slow, this.#p.get("MPC_Z_V_AUTO_DN"));
    const [high, low] = [this.#p.get("MPC_LAND_ALT1"), this.#p.get("MPC_LAND_ALT2")];
    const share = clamp((height_m - low) / Math.max(0.1, high - low), 0, 1);
    const gap = sub(this.#target, this.#trajectory.position);
    const flat = Math.min(limits.horizontal_m_s, lengthXy(gap));
    const n = Math.max(lengthXy(gap), 1e-6);
    const speed = slow + share * (fast - slow);
    const stuck = input.estimate.position[2] < this.#trajectory.position[2] - 0.3;
    this.#trajectory.withVelocity(
      [(gap[0] / n) * flat, (gap[1] / n) * flat, speed],
      { ...limits, vertical_m_s2: Math.max(limits.vertical_m_s2, 1) },
      input.dt_s,
    );
    // On the ground the point must not run away below it.
    const [x, y, z] = this.#trajectory.position;
    if (stuck) this.#trajectory.position = [x, y, Math.min(z, input.estimate.position[2] + 0.3)];
  }

  #goHome(input: NavigatorInput, limits: TrajectoryLimits): NavigatorEvent {
    this.#return ??= new ReturnFlight(this.#p, this.#target, input.destination);
    this.#return.update(input.estimate);
    this.#target = this.#return.target;
    if (this.#return.phase !== "land") {
      this.#trajectory.towards(this.#target, limits, input.dt_s);
      return "none";
    }
    this.#descend(input, limits);
    return "landing";
  }

  #mission(input: NavigatorInput, limits: TrajectoryLimits): NavigatorEvent {
    const { mission, estimate } = input;
    if (mission.kind === "land") {
      this.#descend(input, limits);
      return "landing";
    }
    if (mission.kind !== "fly") {
      this.#trajectory.towards(this.#target, limits, input.dt_s);
      return "none";
    }
    const w = mission.waypoint;
    this.#target = w.position;
    if (Number.isFinite(w.yaw_rad)) this.#target_yaw_rad = w.yaw_rad;
    const speed =
      w.speed_m_s > 0 ? Math.min(w.speed_m_s, this.#p.get("MPC_XY_VEL_MAX")) : limits.horizontal_m_s;
    this.#trajectory.towards(w.position, { ...limits, horizontal_m_s: speed }, input.dt_s);
    const gap = sub(w.position, estimate.position);
    const there =
      lengthXy(gap) < (w.acceptance_m > 0 ? w.acceptance_m : this.#p.get("NAV_ACC_RAD")) &&
      Math.abs(gap[2]) < this.#p.get("NAV_MC_ALT_RAD") &&
      Math.abs(wrapPi(this.#target_yaw_rad - estimate.yaw_rad)) <
        (this.#p.get("MIS_YAW_ERR") * Math.PI) / 180;
    if (!there) this.#since_us = estimate.time_us;
    const waited = estimate.time_us - this.#since_us >= w.hold_s * 1e6;
    if (!(there && waited)) return "none";
    this.#since_us = estimate.time_us;
    return "waypoint_reached";
  }

  #manual(input: NavigatorInput, limits: TrajectoryLimits): void {
    const dead = this.#p.get("MAN_DEADZONE");
    const live = (v: number): number => (Math.abs(v) < dead ? 0 : v);
    const s = input.sticks;
    const speed = this.#p.get("MPC_VEL_MANUAL");
    const [f, r] = [live(s.pitch) * speed, live(s.roll) * speed];
    const [c, sn] = [Math.cos(this.#yaw_rad), Math.sin(this.#yaw_rad)];
    const climb = live(s.throttle);
    const rate = live(s.yaw) * ((this.#p.get("MPC_YAWRAUTO_MAX") * Math.PI) / 180);
    if (rate !== 0) this.#target_yaw_rad = wrapPi(this.#yaw_rad + rate * input.dt_s);
    if (f !== 0 || r !== 0 || climb !== 0) {
      const vz = climb > 0 ? -climb * limits.up_m_s : -climb * limits.down_m_s;
      this.#trajectory.withVelocity([c * f - sn * r, sn * f + c * r, vz], limits, input.dt_s);
      this.#locked = false;
      return;
    }
    if (!this.#locked) this.#target = this.#trajectory.stoppingPoint(limits);
    this.#locked = true;
    this.#trajectory.towards(this.#target, limits, input.dt_s);
  }
}
