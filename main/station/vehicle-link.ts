import { err, ok, type Result } from "#contract/result";
import type { VehicleState } from "#contract/vehicle";
import { capacityOf } from "../link/address";
import type { CommandDoor } from "../link/command-door";
import { createCommandDoor } from "../link/command-door";
import { type HeartbeatRule, startHeartbeat } from "../link/heartbeat";
import { createLinkHub } from "../link/hub";
import { Inspector } from "../link/inspector";
import type { LinkHub, RawFrame, Received } from "../link/port";
import type { LogService } from "../link/protocols/logs";
import { requestMessage } from "../link/protocols/message-intervals";
import { openServices, type VehicleServices } from "../link/services";
import type { LinkSigner } from "../link/signing-port";
import type { Cancel, Clock } from "../platform/clock";
import {
  ageTexts,
  ageVehicle,
  initialVehicle,
  noTexts,
  reduceTexts,
  reduceVehicle,
  type Texts,
  type VehicleText,
  withParameters,
} from "../vehicle";
import type { EventNews, EventWords } from "../vehicle/arming-events";
import { initialFrame, type LocalFrame, stepFrame, withSite } from "../vehicle/frame";
import type { SiteTransform } from "../vehicle/site-transform";
import { BootClock } from "./boot-clock";
import { ArmingWatch } from "./link/arming-watch";
import { Roster } from "./link/roster";
import { StreamPlanner } from "./link/streams";

const AUTOPILOT_VERSION = 148;
const RADIO_STATUS = "RADIO_STATUS";
/** Boot time back by more than this: the vehicle has restarted and forgotten what was asked of it. */
const REBOOT_ms = 3000;

export interface VehicleLinkOptions {
  readonly clock: Clock;
  /** Above it no failsafe of the vehicle may climb. */
  readonly ceiling_m: () => number;
  /** The stored transform between the vehicle's local frame and the site. */
  readonly site?: () => SiteTransform;
  readonly signer?: (address: string) => LinkSigner | null;
  readonly onText: (text: VehicleText) => void;
  /** Position and attitude as they may be believed, with the transform that holds for them. */
  readonly onPose: (received: Received, boot_ms: number, site: SiteTransform) => void;
  readonly onCommand: (command: string, params: readonly (number | null)[], result: string | null) => void;
  /** The estimator moved its frame; the site has stayed when `reanchored`. */
  readonly onReset?: (jump_m: number, turn_rad: number, reanchored: boolean) => void;
  /** A vehicle was found, or it restarted: its services are new. */
  readonly onServices?: (services: VehicleServices, vehicle: VehicleState) => void;
  readonly onEvent?: (news: EventNews) => void;
  readonly words?: EventWords;
}

/** The links, the state reduced from them, and the door to the vehicle that dispatch gets. */
export class VehicleLink {
  readonly hub: LinkHub;
  readonly door: CommandDoor;
  readonly boot = new BootClock();
  readonly inspector: Inspector;
  readonly roster = new Roster();
  readonly streams: StreamPlanner;
  readonly #options: VehicleLinkOptions;
  readonly #heartbeat: HeartbeatRule;
  readonly #arming: ArmingWatch;
  readonly #cancels: Cancel[];
  #vehicle = initialVehicle();
  #reported: VehicleState = this.#vehicle;
  #frame: LocalFrame;
  #texts: Texts = noTexts;
  #operator = true;
  #asked_at_ms = -Infinity;
  #newest_boot_ms = -Infinity;
  #services: VehicleServices | null = null;
  /** All parameters are known, from the vehicle or from its unchanged hash. */
  #complete = false;
  #selected: number | null = null;

  constructor(options: VehicleLinkOptions) {
    const { clock, signer } = options;
    this.#options = options;
    this.#frame = initialFrame(options.site?.());
    this.#arming = new ArmingWatch(options.ceiling_m);
    this.hub = createLinkHub({ clock, ...(signer === undefined ? {} : { signer }) });
    this.inspector = new Inspector(this.hub, clock);
    this.streams = new StreamPlanner(clock, () => this.capacity);
    this.door = createCommandDoor({
      wire: this.hub,
      clock,
      vehicle: () => this.#vehicle,
      onCommand: options.onCommand,
    });
    this.#heartbeat = startHeartbeat(this.hub, clock);
    this.#cancels = [
      this.hub.onMessage((received) => {
        this.#receive(received);
      }),
      clock.every(100, () => {
        this.#tick();
      }),
    ];
  }

  /** Everything known, with every reason not to arm: the vehicle's own, from its events and from its failsafe parameters. */
  get vehicle(): VehicleState {
    return this.#reported;
  }
  get services(): VehicleServices | null {
    return this.#services;
  }
  /** Logs of the connected vehicle. */
  get logs(): LogService | null {
    return this.#services?.logs ?? null;
  }
  get frame(): LocalFrame {
    return this.#frame;
  }
  get site(): SiteTransform {
    return this.#frame.anchor.site;
  }

  onRaw(listener: (frame: RawFrame) => void): Cancel {
    return this.hub.onRaw(listener);
  }

  /** Whether somebody can command the flight now; without anyone the heartbeat ends and the vehicle's own failsafe acts. */
  operatorPresent(present: boolean): void {
    this.#operator = present;
  }

  /** Everything is seen through another transform from now on. */
  setSite(site: SiteTransform): void {
    this.#frame = withSite(this.#frame, site);
  }

  parametersComplete(complete: boolean): void {
    this.#complete = complete;
  }

  /** Another vehicle of those that are heard. */
  select(system_id: number): Result<void, string> {
    if (!this.roster.has(system_id)) return err(`System ${String(system_id)} is not heard.`);
    if (system_id === this.#vehicle.system_id) return ok(undefined);
    if (this.#vehicle.armed)
      return err("The vehicle is armed; land and disarm before another one is selected.");
    this.#selected = system_id;
    this.#forget();
    return ok(undefined);
  }

  async close(): Promise<void> {
    this.#heartbeat.stop();
    for (const cancel of this.#cancels) cancel();
    this.streams.forget();
    this.inspector.close();
    this.#services?.close();
    this.door.close();
    await this.hub.close();
  }

  #forget(): void {
    this.#vehicle = initialVehicle();
    this.#reported = this.#vehicle;
    this.#frame = initialFrame(this.#options.site?.());
    this.#services?.close();
    this.#services = null;
    this.#complete = false;
    this.#arming.forget();
    this.streams.forget();
    this.#texts = noTexts;
    this.#asked_at_ms = -Infinity;
    this.#newest_boot_ms = -Infinity;
  }

  #receive(received: Received): void {
    this.roster.note(received);
    if (received.name === RADIO_STATUS) this.#radio(received);
    if (this.#selected !== null && received.system_id !== this.#selected) return;
    const before = this.#texts;
    this.#setTexts(before, reduceTexts(before, received, received.at_ms));
    const own =
      received.system_id === this.#vehicle.system_id && received.component_id === this.#vehicle.component_id;
    if (own) this.#believe(received);
    else this.#vehicle = reduceVehicle(this.#vehicle, received, received.at_ms, this.site);
    if (received.name === "HEARTBEAT") this.#serve();
    this.#reported = this.#compose();
  }

  /** What the autopilot says, held back while it is not clear whether its frame has just moved. */
  #believe(received: Received): void {
    const step = stepFrame(this.#frame, received, this.#vehicle.armed, received.at_ms);
    this.#frame = step.frame;
    if (step.reset !== null)
      this.#options.onReset?.(step.reset.jump_m, step.reset.turn_rad, this.#vehicle.armed);
    for (const message of step.pass as readonly Received[]) {
      this.#vehicle = reduceVehicle(this.#vehicle, message, message.at_ms, this.site);
      const boot_ms = message.fields["time_boot_ms"];
      if (typeof boot_ms !== "number") continue;
      if (message.name !== "LOCAL_POSITION_NED" && message.name !== "ATTITUDE_QUATERNION") continue;
      this.#noteBoot(boot_ms);
      this.boot.add(boot_ms, message.at_ms);
      this.#options.onPose(message, boot_ms, this.site);
    }
  }

  #noteBoot(boot_ms: number): void {
    const restarted = boot_ms < this.#newest_boot_ms - REBOOT_ms;
    this.#newest_boot_ms = restarted ? boot_ms : Math.max(boot_ms, this.#newest_boot_ms);
    if (!restarted) return;
    this.#services?.close();
    this.#services = null;
    this.#asked_at_ms = -Infinity;
    this.#vehicle = { ...this.#vehicle, firmware: null };
  }

  /** Opens the services of a vehicle that is new here. */
  #serve(): void {
    const { system_id, component_id, autopilot } = this.#vehicle;
    if (system_id === null || component_id === null) return;
    const before = this.#services?.target;
    if (before?.system_id === system_id && before.component_id === component_id) return;
    this.#services?.close();
    this.#arming.forget();
    this.#complete = false;
    const services = openServices({
      wire: this.hub,
      clock: this.#options.clock,
      target: { system_id, component_id },
      autopilot,
      onEvent: (news) => {
        this.#arming.news(news, this.#options.words ?? (() => null));
        this.#options.onEvent?.(news);
      },
    });
    this.#services = services;
    this.streams.serve(services, autopilot);
    this.#options.onServices?.(services, this.#vehicle);
  }

  #compose(): VehicleState {
    if (this.#services === null) return this.#vehicle;
    const { received, count } = this.#services.parameters.progress;
    return this.#arming.compose(withParameters(this.#vehicle, received, count));
  }

  #setTexts(before: Texts, after: Texts): void {
    this.#texts = after;
    for (const text of after.recent) if (!before.recent.includes(text)) this.#options.onText(text);
  }

  #tick(): void {
    const now_ms = this.#options.clock.now_ms();
    this.#heartbeat.alive(this.#operator);
    this.#vehicle = ageVehicle(this.#vehicle, now_ms);
    this.#setTexts(this.#texts, ageTexts(this.#texts, now_ms));
    const services = this.#services;
    if (services !== null) {
      this.#arming.weigh(
        this.#vehicle.autopilot,
        (name) => services.parameters.get(name)?.value,
        this.#complete,
      );
      this.streams.look();
    }
    this.#reported = this.#compose();
    if (this.#vehicle.connected && now_ms - this.#asked_at_ms > 5000) this.#ask(now_ms);
  }

  /** Asks for identity until the vehicle has answered. */
  #ask(now_ms: number): void {
    const services = this.#services;
    if (services === null || this.#vehicle.firmware !== null) return;
    this.#asked_at_ms = now_ms;
    void requestMessage(services.requests, services.target, AUTOPILOT_VERSION);
  }

  /** Bytes a second of the vehicle's primary link; null when nothing limits it. */
  get capacity(): number | null {
    const { system_id } = this.#vehicle;
    const primary = this.hub.systems().find((system) => system.system_id === system_id)?.primary;
    return primary === undefined ? null : capacityOf(primary);
  }

  #radio({ fields }: Received): void {
    const free = fields["txbuf"];
    if (typeof free === "number") this.streams.radioBuffer(free / 100);
  }
}
