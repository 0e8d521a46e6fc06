import { enuToNed } from "#contract/frames";
import { Commander, type Say, severity } from "./commander";
import { batteryLevel, fenceBreached, TumbleDetector } from "./conditions";
import { type Estimate, Estimator, type VisionPose } from "./estimator";
import type { FailsafeFlags } from "./failsafe";
import { type Fence, noFence, readFence } from "./fence";
import { Flight } from "./flight";
import { type Origin, toLocal } from "./geodesy";
import { Inputs } from "./inputs";
import { Mission, type MissionEffects, type MissionOrder } from "./mission";
import { Navigator, type NavigatorEvent } from "./navigator";
import type { Parameters } from "./parameters";
import { Plans, type PlanType } from "./plan";
import type { AutopilotFault, AutopilotOptions, SensorTruth } from "./port";
import type { Status } from "./status";
import { lengthXy, sub, type Vec3 } from "./vector";

const commander_period_us = 10_000;
const check_period_us = 100_000;
const position_period_s = 0.008;
const home_after_us = 500_000;

/** The flying part of the autopilot: truth in, motor commands out. It knows nothing of messages. */
export class Core {
  readonly commander: Commander;
  readonly flight: Flight;
  readonly inputs: Inputs;
  readonly plans = new Plans();
  readonly mission: Mission;
  readonly #options: AutopilotOptions;
  readonly #p: Parameters;
  readonly #estimator: Estimator;
  readonly #navigator: Navigator;
  readonly #tumble = new TumbleDetector();
  readonly #say: Say;
  #truth: SensorTruth | null = null;
  #estimate: Estimate | null = null;
  #motors: readonly number[];
  #commander_us = Number.NEGATIVE_INFINITY;
  #home: { position: Vec3; yaw_rad: number } | null = null;
  #takeoff_z = Number.NaN;
  #reposition: { target: Vec3; yaw_rad: number } | null = null;
  #consumed_mah = 0;
  #origin: Origin;
  #origin_known: boolean;
  #checked_us = Number.NEGATIVE_INFINITY;
  #offboard_lost = true;
  #fence: Fence = noFence;
  #rally: readonly Vec3[] = [];
  now_us = 0;

  constructor(options: AutopilotOptions, parameters: Parameters, say: Say, effects: MissionEffects) {
    this.#options = options;
    this.#origin = options.home;
    this.#origin_known = options.global_origin !== "unset";
    this.#p = parameters;
    this.#say = say;
    this.#estimator = new Estimator(options.seed, parameters, options.position_aid);
    this.flight = new Flight(options.vehicle, parameters);
    this.#navigator = new Navigator(parameters);
    this.inputs = new Inputs(parameters);
    this.commander = new Commander(parameters, say);
    this.mission = new Mission(effects);
    this.#motors = options.vehicle.rotors.map(() => 0);
  }

  /** True on the steps in which the commander ran (100 Hz). */
  step(truth: SensorTruth): { readonly motors: readonly number[]; readonly commanded: boolean } {
    const before_us = this.#truth?.time_us ?? truth.time_us - 2000;
    const dt_s = Math.max(1e-4, (truth.time_us - before_us) / 1e6);
    this.now_us = truth.time_us;
    this.#truth = truth;
    this.flight.setVoltage(truth.battery.voltage_v, dt_s);
    this.#consumed_mah += (truth.battery.current_a * dt_s) / 3.6;
    const estimate = this.#estimator.update(truth);
    this.#estimate = estimate;
    if (!this.#home && estimate.xy_valid && truth.time_us > home_after_us) this.setHome(null);
    const commanded = truth.time_us - this.#commander_us >= commander_period_us;
    if (commanded) {
      this.#commander_us = truth.time_us;
      this.#command(estimate);
    }
    if (this.flight.positionDue(truth.time_us)) this.#navigate(estimate);
    this.#motors = this.flight.motors(estimate, this.commander.armed, dt_s);
    return { motors: this.#motors, commanded };
  }

  #command(estimate: Estimate): void {
    const armed = this.commander.armed;
    this.commander.update({
      estimate,
      flags: this.#flags(estimate),
      landed: this.flight.ground.state.landed,
      pilot: this.inputs.pilot,
      has_mission: this.mission.valid,
      battery_remaining: this.#truth?.battery.remaining ?? 0,
      failed_motors: this.flight.dead_motors.size > 0,
    });
    // The height of a take-off command holds for one flight.
    if (armed && !this.commander.armed) this.#takeoff_z = Number.NaN;
  }

  #flags(estimate: Estimate): FailsafeFlags {
    const home = this.#home?.position ?? estimate.position;
    return {
      offboard_lost: this.#offboardLost(),
      position_lost: !estimate.xy_valid,
      global_lost: !this.#origin_known,
      ground_station_lost: this.inputs.stationLost(this.now_us),
      manual_control_lost: false,
      battery: batteryLevel(this.#truth?.battery.remaining ?? 0, this.#p),
      fence_breached: fenceBreached(estimate.position, home, this.#fence, this.#p),
      attitude_failed: this.#tumble.update(estimate, this.commander.armed, this.#p),
      mission_missing: !this.mission.valid,
    };
  }

  /** PX4 looks for lost setpoints with its other checks, ten times a second; that they are back is seen at once. */
  #offboardLost(): boolean {
    const lost = this.inputs.offboardLost(this.now_us);
    if (this.now_us - this.#checked_us >= check_period_us) {
      this.#checked_us = this.now_us;
      this.#offboard_lost = lost;
    }
    if (!lost) this.#offboard_lost = false;
    return this.#offboard_lost;
  }

  #navigate(estimate: Estimate): void {
    const home = this.#home?.position ?? estimate.position;
    const { state } = this.commander;
    if (this.#reposition && state === "loiter") {
      this.#navigator.reposition(this.#reposition.target, this.#reposition.yaw_rad);
      this.#reposition = null;
    }
    const sticks = this.inputs.sticks(this.now_us);
    const nav = this.#navigator.update({
      mode: state,
      estimate,
      dt_s: position_period_s,
      takeoff: this.flight.takeoff.state,
      landed: this.flight.ground.state.landed,
      home,
      sticks,
      offboard: this.inputs.offboard,
      takeoff_z: Number.isFinite(this.#takeoff_z)
        ? this.#takeoff_z
        : home[2] - this.#p.get("MIS_TAKEOFF_ALT"),
      mission: this.#order(estimate, home),
      destination: this.#destination(estimate, home),
    });
    this.flight.position(estimate, this.commander.armed, state, nav, sticks);
    this.#onNavigator(nav.event);
  }

  #order(estimate: Estimate, home: Vec3): MissionOrder {
    if (this.commander.state !== "mission" || !this.commander.armed) return { kind: "wait" };
    const context = {
      origin: this.#origin,
      home,
      position: estimate.position,
      time_us: estimate.time_us,
    };
    const order = this.mission.order(context);
    if (order.kind === "return") this.commander.request("return");
    if (order.kind === "finished" && this.commander.intended === "mission") {
      this.#say(severity.info, "Mission finished, loitering");
      this.commander.request("loiter");
    }
    return order;
  }

  #onNavigator(event: NavigatorEvent): void {
    if (event === "takeoff_reached" && this.commander.intended === "takeoff")
      this.commander.request("loiter");
    if (event === "waypoint_reached" && this.commander.state === "mission") this.mission.advance();
  }

  /** Home or the rally point that is nearer. */
  #destination(estimate: Estimate, home: Vec3): Vec3 {
    let best = home;
    for (const point of this.#rally) {
      const there: Vec3 = [point[0], point[1], home[2]];
      if (lengthXy(sub(there, estimate.position)) < lengthXy(sub(best, estimate.position))) best = there;
    }
    return best;
  }

  /** Takes over a changed plan. */
  planChanged(type: PlanType): void {
    const items = this.plans.items(type);
    const origin = this.#origin;
    if (type === 0) this.mission.load(items);
    else if (type === 1) this.#fence = readFence(items, origin);
    else this.#rally = items.map((i) => toLocal(origin, i.x / 1e7, i.y / 1e7, 0));
  }

  /** Home at a place, or where the vehicle is now. */
  setHome(position: Vec3 | null): void {
    if (!this.#estimate) return;
    this.#home = { position: position ?? this.#estimate.position, yaw_rad: this.#estimate.yaw_rad };
  }
  takeoffTo(altitude_amsl_m: number): void {
    this.#takeoff_z = this.#origin.altitude_amsl_m - altitude_amsl_m;
  }
  repositionTo(target: Vec3, yaw_rad: number): void {
    this.#reposition = { target, yaw_rad };
  }
  setMotor(motor: number, works: boolean): boolean {
    if (!this.#options.vehicle.rotors[motor]) return false;
    this.flight.setMotor(motor, works);
    return true;
  }
  get origin(): Origin {
    return this.#origin;
  }
  /** SET_GPS_GLOBAL_ORIGIN: the local frame's origin lies there. Refused in flight, as PX4 does once it navigates globally. */
  setOrigin(origin: Origin): boolean {
    if (this.#origin_known && this.commander.armed) return false;
    this.#origin = origin;
    this.#origin_known = true;
    return true;
  }
  vision(pose: VisionPose): void {
    this.#estimator.vision(pose);
  }
  get yaw_rad(): number {
    return this.#estimate?.yaw_rad ?? 0;
  }

  inject(fault: AutopilotFault): void {
    switch (fault.kind) {
      case "motor_off":
      case "motor_ok":
        this.setMotor(fault.motor, fault.kind === "motor_ok");
        return;
      case "position_reset":
        this.#estimator.jump(enuToNed(fault.jump_enu_m), 0);
        return;
      case "yaw_reset":
        this.#estimator.jump([0, 0, 0], -fault.jump_rad);
        return;
      case "yaw_flip":
        this.#estimator.flip(fault.flipped);
    }
  }

  status(): Status | null {
    const truth = this.#truth;
    const estimate = this.#estimate;
    if (!truth || !estimate) return null;
    return {
      time_us: this.now_us,
      estimate,
      commander: this.commander,
      flight: this.flight,
      parameters: this.#p,
      vehicle: this.#options.vehicle,
      origin: this.#origin,
      origin_known: this.#origin_known,
      home: this.#home ?? { position: estimate.position, yaw_rad: estimate.yaw_rad },
      battery: truth.battery,
      consumed_mah: this.#consumed_mah,
      motors: this.#motors,
      rotor_speed_rad_s: truth.rotor_speed_rad_s,
      mission: {
        seq: this.mission.seq,
        count: this.mission.count,
        id: this.plans.id(0),
        state: this.mission.state(this.commander.state === "mission"),
      },
      fence_id: this.plans.id(1),
      rally_id: this.plans.id(2),
    };
  }
}
