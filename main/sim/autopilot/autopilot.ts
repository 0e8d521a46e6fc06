import { type Ack, ack, type EventName, severity } from "./commander";
import { Commands, setModeCommand } from "./commands";
import { Core } from "./core";
import { Events, eventLevel, type ReportedCheck, reportArming } from "./events";
import { addressed, list, num } from "./fields";
import { FlightLog } from "./flight-log";
import { FileTransfer } from "./ftp";
import { originFrom } from "./geodesy";
import { autopilotVersion, protocolVersion, spokenVersion } from "./identity";
import { LogProtocol } from "./log-protocol";
import { componentMetadata, describeVehicle } from "./metadata";
import { MissionProtocol } from "./mission-protocol";
import { type NavState, navStates } from "./modes";
import { paramTypeFloat } from "./parameter-defaults";
import { ParameterProtocol } from "./parameter-protocol";
import { Parameters } from "./parameters";
import type { Autopilot, AutopilotFault, AutopilotOptions, Incoming, Message, SensorTruth } from "./port";
import type { Service } from "./service";
import { build, buildById, Streams } from "./streams";
import { Texts } from "./texts";
import { TimeService } from "./time-service";
import { VehicleFiles } from "./vehicle-files";
import { visionPose } from "./vision";

const firstSystemUnit = 100;
const motorUnit = 101;
const failureOk = 0;
const failureOff = 1;

/** Builds the embedded vehicle's autopilot: pure computation on the truth it is given and the messages it is handed. */
export function createAutopilot(options: AutopilotOptions): Autopilot {
  return new Px4Like(options);
}

/** The messages' side: commands, protocols, streams and texts around the flying core. */
class Px4Like implements Autopilot {
  readonly #options: AutopilotOptions;
  readonly #p: Parameters;
  readonly #core: Core;
  readonly #commands: Commands;
  readonly #streams = new Streams();
  readonly #texts = new Texts();
  readonly #events = new Events();
  readonly #log = new FlightLog();
  readonly #extras: ReadonlyMap<string, Uint8Array>;
  readonly #services: readonly Service[];
  #out: Message[] = [];
  #station_seen = false;
  #reported = "";

  constructor(options: AutopilotOptions) {
    this.#options = options;
    this.#p = new Parameters(options.vehicle, options.system_id, options.parameters);
    const say = (level: number, text: string, event?: EventName): void => {
      this.#say(level, text, event);
    };
    const gripper = (action: "release" | "grab"): boolean => options.gripper?.(action) ?? false;
    const actuators = (values: readonly (number | null)[]): boolean => options.actuators?.(values) ?? false;
    const reached = (seq: number): void => {
      this.#out.push({ name: "MISSION_ITEM_REACHED", fields: { seq } });
    };
    this.#core = new Core(options, this.#p, say, { reached, gripper, actuators });
    const core = this.#core;
    this.#extras = describeVehicle(this.#p);
    this.#services = [
      new ParameterProtocol(this.#p, (name) => {
        this.#parameterChanged(name);
      }),
      new MissionProtocol(core.plans, (type) => {
        core.planChanged(type);
      }),
      new FileTransfer(new VehicleFiles(this.#extras, this.#log)),
      new LogProtocol(this.#log),
      this.#events,
      new TimeService(),
    ];
    this.#commands = new Commands({
      commander: core.commander,
      origin: () => core.origin,
      now_us: () => core.now_us,
      takeoff: (altitude_amsl_m) => {
        core.takeoffTo(altitude_amsl_m);
      },
      reposition: (target, yaw_rad) => {
        core.repositionTo(target, yaw_rad);
      },
      setHome: (position) => {
        core.setHome(position);
      },
      setMessageInterval: (id, interval_us) => this.#streams.setInterval(id, interval_us, core.now_us),
      messageInterval: (id) => this.#streams.interval(id),
      requestMessage: (id) => this.#request(id),
      injectFailure: (unit, type, instance) => this.#injectFailure(unit, type, instance),
      startMission: (first) => core.mission.setCurrent(first) && core.commander.request("mission"),
      setCurrentItem: (seq) => this.#setCurrentItem(seq),
      push: (index) => options.push?.(index) ?? false,
      happen: (index) => options.happen?.(index) ?? false,
      gripper,
      actuators,
      say,
      send: (message) => {
        this.#out.push(message);
      },
    });
  }

  get armed(): boolean {
    return this.#core.commander.armed;
  }

  get mavlink_version(): 0 | 1 | 2 {
    return spokenVersion(this.#p.get("MAV_PROTO_VER"));
  }

  step(truth: SensorTruth): readonly number[] {
    const { motors, commanded } = this.#core.step(truth);
    if (commanded) this.#every10ms();
    return motors;
  }

  #every10ms(): void {
    const { inputs, commander, now_us } = this.#core;
    if (this.#station_seen && inputs.stationLost(now_us)) {
      this.#station_seen = false;
      this.#say(severity.info, "Connection to ground station lost");
    }
    this.#log.update(commander.armed, now_us, () => {
      const status = this.#core.status();
      if (!status) throw new Error("Invariant: the commander ran before the first estimate");
      return status;
    });
    this.#reportChecks();
  }

  #say(level: number, text: string, event?: EventName): void {
    const { now_us } = this.#core;
    // A tab at the end says that the same is sent as an event, for stations that show those.
    this.#texts.say(level, event === undefined ? text : `${text}\t`, now_us);
    this.#log.say(level, text, now_us);
    const levels = eventLevel;
    if (event)
      this.#events.emit(
        event,
        level <= 2 ? levels.critical : level <= 4 ? levels.warning : levels.info,
        now_us,
      );
  }

  /** The arming report goes out as events whenever it changes. */
  #reportChecks(): void {
    const { commander, now_us } = this.#core;
    if (now_us < 2_500_000) return;
    const reasons = commander.armed ? [] : commander.reasons();
    const canRun = navStates.filter((s) => commander.canRun(s));
    const key = `${commander.intended} ${String(commander.armed)} ${reasons.map((r) => r.id).join()} ${canRun.join()}`;
    if (key === this.#reported) return;
    this.#reported = key;
    const checks: ReportedCheck[] = reasons.map((r) => ({
      name: r.id,
      blocks: true,
      modes: r.modes,
      component: 20,
    }));
    const unavailable = (mode: NavState, name: string): void => {
      const listed = checks.some((c) => c.name === name);
      if (!canRun.includes(mode) && !listed)
        checks.push({ name, blocks: true, modes: [mode], component: 20 });
    };
    unavailable("mission", "check_modes_mission");
    unavailable("offboard", "check_modes_offboard_signal");
    const canArm = reasons.length === 0 ? canRun : [];
    reportArming(this.#events, now_us, checks, canArm, canRun);
  }

  handle(message: Incoming): void {
    const { inputs, now_us, commander } = this.#core;
    if (message.name === "HEARTBEAT") {
      this.#heartbeat(message);
      return;
    }
    const pose = visionPose(message);
    if (pose) this.#core.vision(pose);
    if (pose || !addressed(message, this.#options.system_id)) return;
    switch (message.name) {
      case "COMMAND_LONG":
      case "COMMAND_INT":
        this.#command(message);
        return;
      case "SET_MODE":
        this.#command(setModeCommand(message));
        return;
      case "SET_POSITION_TARGET_LOCAL_NED":
        inputs.setpoint(message, this.#core.yaw_rad, now_us);
        return;
      case "MANUAL_CONTROL":
        if (inputs.manualControl(message, now_us) && commander.stickTakeover()) {
          this.#say(severity.info, "Pilot took over using sticks");
        }
        return;
      case "SET_GPS_GLOBAL_ORIGIN":
        this.#setOrigin(message);
        return;
      case "MISSION_SET_CURRENT":
        this.#setCurrentItem(num(message, "seq"));
        return;
      case "TUNNEL": {
        const bytes = Uint8Array.from(list(message, "payload").slice(0, num(message, "payload_length")));
        this.#options.tunnel?.(num(message, "payload_type"), bytes, message);
        return;
      }
      default:
        for (const service of this.#services) this.#out.push(...service.handle(message, now_us));
    }
  }

  /** Home is taken anew when arming (COM_HOME_EN), as PX4 does. */
  #command(message: Incoming): void {
    const { commander } = this.#core;
    const times = commander.times_armed;
    this.#commands.handle(message);
    if (commander.times_armed > times && this.#p.get("COM_HOME_EN") === 1) this.#core.setHome(null);
  }

  #heartbeat(message: Incoming): void {
    const lost = this.#core.inputs.stationLost(this.#core.now_us);
    if (!this.#core.inputs.heartbeat(message, this.#core.now_us)) return;
    if (lost) this.#say(severity.info, "Ground station connection regained");
    this.#station_seen = true;
  }

  /** Answered with the origin that holds from now on. */
  #setOrigin(message: Incoming): void {
    const [lat, lon, alt] = [num(message, "latitude"), num(message, "longitude"), num(message, "altitude")];
    const fits = Math.abs(lat) <= 90e7 && Math.abs(lon) <= 180e7;
    if (!fits || !this.#core.setOrigin(originFrom(lat, lon, alt))) return;
    this.#request(49);
  }

  #setCurrentItem(seq: number): boolean {
    const status = this.#core.mission.setCurrent(seq) ? this.#core.status() : null;
    const current = status && build("MISSION_CURRENT", status);
    if (current) this.#out.push(current);
    return current !== null;
  }

  #parameterChanged(name: string): void {
    const p = this.#p.find(name);
    if (p) this.#log.parameterChanged(name, p.type === paramTypeFloat, p.value);
    if (name === "CA_FAILURE_MODE") this.#core.flight.refreshMotors();
  }

  #request(id: number): boolean {
    const status = this.#core.status();
    const fixed: Readonly<Record<number, Message>> = {
      148: autopilotVersion(this.#options.system_id),
      300: protocolVersion,
      397: componentMetadata(this.#extras, this.#core.now_us),
    };
    const message = fixed[id] ?? (status && buildById(id, status));
    if (message) this.#out.push(message);
    return Boolean(message);
  }

  #injectFailure(unit: number, type: number, instance: number): Ack | null {
    if (this.#p.get("SYS_FAILURE_EN") !== 1) return ack.denied;
    // A sensor's failure is left to its simulated driver, which does not answer.
    if (unit < firstSystemUnit) return null;
    if (unit !== motorUnit || (type !== failureOk && type !== failureOff)) return ack.unsupported;
    const all = this.#options.vehicle.rotors.map((_, i) => i);
    const motors = instance > 0 ? [instance - 1] : all;
    if (!motors.every((m) => this.#core.setMotor(m, type === failureOk))) return ack.denied;
    for (const m of motors) {
      const what = type === failureOk ? "restored" : "failed";
      this.#say(severity.warning, `Motor ${String(m + 1)} ${what}`);
    }
    return ack.accepted;
  }

  inject(fault: AutopilotFault): void {
    this.#core.inject(fault);
  }

  outbox(): readonly Message[] {
    const { now_us, inputs } = this.#core;
    const status = this.#core.status();
    const out = this.#out;
    this.#out = [];
    if (status) out.push(...this.#streams.due(status));
    for (const service of this.#services) out.push(...service.tick(now_us));
    out.push(...this.#texts.take(inputs.stationListens(now_us), now_us));
    return out;
  }

  send(message: Message): void {
    this.#out.push(message);
  }
}
