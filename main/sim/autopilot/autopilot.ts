import { enuToNed } from "#contract/frames";
import { type Ack, ack, Commander, severity } from "./commander";
import { Commands } from "./commands";
import { type Estimate, Estimator } from "./estimator";
import type { FailsafeFlags } from "./failsafe";
import { addressed, list, num } from "./fields";
import { Flight } from "./flight";
import { autopilotVersion, protocolVersion } from "./identity";
import { centred, Navigator, type NavigatorEvent, type Sticks } from "./navigator";
import { setpointFrom, sticksFrom } from "./offboard";
import { ParameterProtocol } from "./parameter-protocol";
import { Parameters } from "./parameters";
import type { Autopilot, AutopilotFault, AutopilotOptions, Incoming, Message, SensorTruth } from "./port";
import { emptySetpoint, type TrajectorySetpoint } from "./position-control";
import type { Status } from "./status";
import { buildById, Streams } from "./streams";
import { Texts } from "./texts";
import type { Vec3 } from "./vector";

const commander_period_us = 10_000;
const seen_us = 3_000_000;
const never_us = Number.NEGATIVE_INFINITY;

/** Builds the embedded vehicle's autopilot: pure computation on the truth it is given and the messages it is handed. */
export function createAutopilot(options: AutopilotOptions): Autopilot {
  return new Px4Like(options);
}

class Px4Like implements Autopilot {
  readonly #options: AutopilotOptions;
  readonly #p: Parameters;
  readonly #estimator: Estimator;
  readonly #flight: Flight;
  readonly #navigator: Navigator;
  readonly #commander: Commander;
  readonly #commands: Commands;
  readonly #parameters: ParameterProtocol;
  readonly #streams = new Streams();
  readonly #texts = new Texts();
  #out: Message[] = [];
  #truth: SensorTruth | null = null;
  #estimate: Estimate | null = null;
  #motors: readonly number[];
  #now_us = 0;
  #commander_us = never_us;
  #previous_us: number | null = null;
  #station_us = never_us;
  #station_seen = false;
  #sticks: Sticks = centred;
  #sticks_us = never_us;
  #offboard: TrajectorySetpoint = emptySetpoint;
  #offboard_us = never_us;
  #home: { position: Vec3; yaw_rad: number } | null = null;
  #takeoff_z = Number.NaN;
  #consumed_mah = 0;
  #tumbled_us: number | null = null;

  constructor(options: AutopilotOptions) {
    this.#options = options;
    this.#p = new Parameters(options.vehicle, options.system_id, options.parameters);
    this.#estimator = new Estimator(options.seed, this.#p);
    this.#flight = new Flight(options.vehicle, this.#p);
    this.#navigator = new Navigator(this.#p);
    const say = (level: number, text: string): void => {
      this.#texts.say(level, text, this.#now_us);
    };
    this.#commander = new Commander(this.#p, say);
    this.#motors = options.vehicle.rotors.map(() => 0);
    this.#parameters = new ParameterProtocol(this.#p, () => {
      this.#flight.allocation.setStopped(
        this.#p.get("CA_FAILURE_MODE") === 1 ? this.#flight.dead_motors : new Set(),
      );
    });
    this.#commands = new Commands({
      commander: this.#commander,
      origin: options.home,
      now_us: () => this.#now_us,
      takeoff: (altitude_amsl_m) => {
        this.#takeoff_z = Number.isFinite(altitude_amsl_m)
          ? options.home.altitude_amsl_m - altitude_amsl_m
          : Number.NaN;
      },
      reposition: (target, yaw_rad) => {
        this.#repositioned = { target, yaw_rad };
      },
      setHome: (position) => {
        if (this.#estimate) this.#setHome(position ?? this.#estimate.position, this.#estimate.yaw_rad);
      },
      setMessageInterval: (id, interval_us) => this.#streams.setInterval(id, interval_us, this.#now_us),
      messageInterval: (id) => this.#streams.interval(id),
      requestMessage: (id) => this.#request(id),
      injectFailure: (unit, type, instance) => this.#injectFailure(unit, type, instance),
      startMission: () => this.#commander.request("mission"),
      push: (index) => options.push?.(index) ?? false,
      gripper: (action) => options.gripper?.(action) ?? false,
      actuators: (values) => options.actuators?.(values) ?? false,
      say,
      send: (message) => {
        this.#out.push(message);
      },
    });
  }
  #repositioned: { target: Vec3; yaw_rad: number } | null = null;

  get armed(): boolean {
    return this.#commander.armed;
  }

  step(truth: SensorTruth): readonly number[] {
    const dt_s =
      this.#previous_us === null ? 0.002 : Math.max(1e-4, (truth.time_us - this.#previous_us) / 1e6);
    this.#previous_us = truth.time_us;
    this.#now_us = truth.time_us;
    this.#truth = truth;
    this.#consumed_mah += (truth.battery.current_a * dt_s) / 3.6;
    const estimate = this.#estimator.update(truth);
    this.#estimate = estimate;
    if (!this.#home && truth.time_us > 500_000) this.#setHome(estimate.position, estimate.yaw_rad);
    if (truth.time_us - this.#commander_us >= commander_period_us) {
      this.#commander_us = truth.time_us;
      this.#command(estimate);
    }
    if (this.#flight.positionDue(truth.time_us)) this.#navigate(estimate);
    this.#motors = this.#flight.motors(estimate, this.#commander.armed, dt_s);
    return this.#motors;
  }

  #command(estimate: Estimate): void {
    const armed = this.#commander.armed;
    this.#commander.update({
      estimate,
      flags: this.#flags(estimate),
      landed: this.#flight.ground.state.landed,
      pilot: this.#pilot,
      has_mission: false,
      battery_remaining: this.#truth?.battery.remaining ?? 0,
      failed_motors: !armed && this.#flight.dead_motors.size > 0,
    });
    if (this.#stationLost && this.#station_seen) {
      this.#station_seen = false;
      this.#texts.say(severity.info, "Connection to ground station lost", this.#now_us);
    }
  }

  #flags(estimate: Estimate): FailsafeFlags {
    const p = this.#p;
    const level = this.#truth?.battery.remaining ?? 1;
    const battery =
      level < p.get("BAT_EMERGEN_THR")
        ? "emergency"
        : level < p.get("BAT_CRIT_THR")
          ? "critical"
          : level < p.get("BAT_LOW_THR")
            ? "low"
            : "ok";
    return {
      offboard_lost: !(this.#now_us - this.#offboard_us <= p.get("COM_OF_LOSS_T") * 1e6),
      position_lost: !estimate.xy_valid,
      ground_station_lost: this.#stationLost,
      manual_control_lost: false,
      battery,
      fence_breached: this.#fenceBreached(estimate),
      attitude_failed: this.#tumbled(estimate),
      mission_missing: true,
    };
  }

  get #stationLost(): boolean {
    return (
      !(this.#now_us - this.#station_us < this.#p.get("COM_DL_LOSS_T") * 1e6) && this.#station_us !== never_us
    );
  }
  /** The embedded vehicle has a radio pilot whose sticks rest in the middle until MANUAL_CONTROL moves them. */
  get #pilot(): boolean {
    return this.#p.get("COM_RC_IN_MODE") !== 4;
  }

  #fenceBreached(estimate: Estimate): boolean {
    const far = this.#p.get("GF_MAX_HOR_DIST");
    const high = this.#p.get("GF_MAX_VER_DIST");
    const home = this.#home?.position ?? [0, 0, 0];
    const away = Math.hypot(estimate.position[0] - home[0], estimate.position[1] - home[1]);
    return (far > 0 && away > far) || (high > 0 && home[2] - estimate.position[2] > high);
  }

  #tumbled(estimate: Estimate): boolean {
    const [w, x, y, z] = estimate.attitude;
    const up = w * w - x * x - y * y + z * z;
    const limit = Math.cos((this.#p.get("FD_FAIL_R") * Math.PI) / 180);
    if (up > limit || !this.#commander.armed) this.#tumbled_us = null;
    else this.#tumbled_us ??= this.#now_us;
    return (
      this.#tumbled_us !== null && this.#now_us - this.#tumbled_us >= this.#p.get("FD_FAIL_R_TTRI") * 1e6
    );
  }

  #navigate(estimate: Estimate): void {
    const home = this.#home?.position ?? estimate.position;
    const sticks =
      this.#now_us - this.#sticks_us < this.#p.get("COM_RC_LOSS_T") * 1e6 ? this.#sticks : centred;
    if (this.#repositioned && this.#commander.state === "loiter") {
      this.#navigator.reposition(this.#repositioned.target, this.#repositioned.yaw_rad);
      this.#repositioned = null;
    }
    const nav = this.#navigator.update({
      mode: this.#commander.state,
      estimate,
      dt_s: 0.008,
      takeoff: this.#flight.takeoff.state,
      landed: this.#flight.ground.state.landed,
      home,
      sticks,
      offboard: this.#offboard,
      takeoff_z: Number.isFinite(this.#takeoff_z)
        ? this.#takeoff_z
        : home[2] - this.#p.get("MIS_TAKEOFF_ALT"),
      waypoint: null,
    });
    this.#flight.position(estimate, this.#commander.armed, this.#commander.state, nav, sticks);
    this.#onNavigator(nav.event);
  }

  #onNavigator(event: NavigatorEvent): void {
    if (event === "takeoff_reached" && this.#commander.intended === "takeoff")
      this.#commander.request("loiter");
  }

  #setHome(position: Vec3, yaw_rad: number): void {
    this.#home = { position, yaw_rad };
  }

  handle(message: Incoming): void {
    if (message.name === "HEARTBEAT") {
      this.#heartbeat(message);
      return;
    }
    if (!addressed(message, this.#options.system_id)) return;
    switch (message.name) {
      case "COMMAND_LONG":
      case "COMMAND_INT":
        this.#arming(message);
        break;
      case "SET_MODE":
        this.#setMode(message);
        break;
      case "SET_POSITION_TARGET_LOCAL_NED": {
        const setpoint = this.#estimate && setpointFrom(message, this.#estimate.yaw_rad);
        if (!setpoint) break;
        this.#offboard = setpoint;
        this.#offboard_us = this.#now_us;
        break;
      }
      case "MANUAL_CONTROL": {
        const sticks = sticksFrom(message);
        if (!sticks) break;
        this.#sticks = sticks;
        this.#sticks_us = this.#now_us;
        this.#takeOver(sticks);
        break;
      }
      case "TIMESYNC":
        this.#timesync(message);
        break;
      case "PING":
        this.#ping(message);
        break;
      case "TUNNEL": {
        const bytes = Uint8Array.from(list(message, "payload").slice(0, num(message, "payload_length")));
        this.#options.tunnel?.(num(message, "payload_type"), bytes, message);
        break;
      }
      default:
        this.#out.push(...this.#parameters.handle(message));
    }
  }

  /** A home is taken anew when arming, as PX4 does. */
  #arming(message: Incoming): void {
    const before = this.#commander.armed;
    this.#commands.handle(message);
    if (!before && this.#commander.armed && this.#estimate && this.#p.get("COM_HOME_EN") === 1) {
      this.#setHome(this.#estimate.position, this.#estimate.yaw_rad);
    }
  }

  #heartbeat(message: Incoming): void {
    if (num(message, "type") !== 6) return;
    if (!this.#station_seen && this.#station_us !== never_us) {
      this.#texts.say(severity.info, "Ground station connection regained", this.#now_us);
    }
    this.#station_us = this.#now_us;
    this.#station_seen = true;
  }

  #setMode(message: Incoming): void {
    const custom = num(message, "custom_mode");
    const params = {
      param1: num(message, "base_mode"),
      param2: (custom >> 16) & 255,
      param3: (custom >> 24) & 255,
    };
    this.#commands.handle({ ...message, name: "COMMAND_LONG", fields: { command: 176, ...params } });
  }

  /** Sticks far from the middle end an automatic mode (COM_RC_OVERRIDE bit 0) or offboard (bit 1): the pilot wins. */
  #takeOver(sticks: Sticks): void {
    const moved = Math.max(Math.abs(sticks.roll), Math.abs(sticks.pitch), Math.abs(sticks.yaw));
    if (!this.#commander.armed || moved * 100 < this.#p.get("COM_RC_STICK_OV")) return;
    const override = this.#p.get("COM_RC_OVERRIDE");
    const auto = ["takeoff", "loiter", "mission", "return", "land"].includes(this.#commander.state);
    if ((auto && override & 1) || (this.#commander.state === "offboard" && override & 2)) {
      this.#texts.say(severity.info, "Pilot took over using sticks", this.#now_us);
      this.#commander.request("position");
    }
  }

  #timesync(message: Incoming): void {
    if (num(message, "tc1") !== 0) return;
    const ts1 = message.fields["ts1"] ?? 0;
    this.#out.push({
      name: "TIMESYNC",
      fields: {
        tc1: BigInt(Math.round(this.#now_us)) * 1000n,
        ts1,
        target_system: message.system_id,
        target_component: message.component_id,
      },
    });
  }

  #ping(message: Incoming): void {
    if (num(message, "target_system") !== 0 || num(message, "target_component") !== 0) return;
    const { time_usec = 0, seq = 0 } = message.fields;
    this.#out.push({
      name: "PING",
      fields: { time_usec, seq, target_system: message.system_id, target_component: message.component_id },
    });
  }

  #request(id: number): boolean {
    const status = this.#status();
    const fixed: Readonly<Record<number, Message>> = {
      148: autopilotVersion(this.#options.system_id),
      300: protocolVersion,
    };
    const message = fixed[id] ?? (status && buildById(id, status));
    if (!message) return false;
    this.#out.push(message);
    return true;
  }

  #injectFailure(unit: number, type: number, instance: number): Ack {
    // FAILURE_UNIT_SYSTEM_MOTOR 101, FAILURE_TYPE ok 0 and off 1; instances count from 1, 0 is all.
    if (this.#p.get("SYS_FAILURE_EN") !== 1) return ack.denied;
    if (unit !== 101 || (type !== 0 && type !== 1)) return ack.unsupported;
    const motors = instance > 0 ? [instance - 1] : this.#options.vehicle.rotors.map((_, i) => i);
    for (const m of motors) {
      if (!this.#options.vehicle.rotors[m]) return ack.denied;
      this.#flight.setMotor(m, type === 0);
      this.#texts.say(
        severity.warning,
        `Motor ${String(m + 1)} ${type === 0 ? "restored" : "failed"}`,
        this.#now_us,
      );
    }
    return ack.accepted;
  }

  inject(fault: AutopilotFault): void {
    switch (fault.kind) {
      case "motor_off":
      case "motor_ok":
        this.#flight.setMotor(fault.motor, fault.kind === "motor_ok");
        break;
      case "position_reset":
        this.#estimator.jump(enuToNed(fault.jump_enu_m), 0);
        break;
      case "yaw_reset":
        this.#estimator.jump([0, 0, 0], -fault.jump_rad);
        break;
    }
  }

  #status(): Status | null {
    const truth = this.#truth;
    const estimate = this.#estimate;
    if (!truth || !estimate) return null;
    return {
      time_us: this.#now_us,
      estimate,
      commander: this.#commander,
      flight: this.#flight,
      parameters: this.#p,
      vehicle: this.#options.vehicle,
      origin: this.#options.home,
      home: this.#home ?? { position: estimate.position, yaw_rad: estimate.yaw_rad },
      battery: truth.battery,
      consumed_mah: this.#consumed_mah,
      motors: this.#motors,
      rotor_speed_rad_s: truth.rotor_speed_rad_s,
      mission: { seq: 0, count: 0, id: 0, state: 1 },
      fence_id: 0,
      rally_id: 0,
    };
  }

  outbox(): readonly Message[] {
    const status = this.#status();
    if (status) this.#out.push(...this.#streams.due(status));
    this.#out.push(...this.#parameters.tick(10));
    this.#out.push(...this.#texts.take(this.#now_us - this.#station_us < seen_us, this.#now_us));
    const out = this.#out;
    this.#out = [];
    return out;
  }

  send(message: Message): void {
    this.#out.push(message);
  }
}
