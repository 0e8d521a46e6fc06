import type { VehicleState } from "#contract/vehicle";
import type { CommandDoor } from "../link/command-door";
import { createCommandDoor } from "../link/command-door";
import { type HeartbeatRule, startHeartbeat } from "../link/heartbeat";
import { createLinkHub } from "../link/hub";
import type { LinkHub, RawFrame, Received } from "../link/port";
import { openServices, type VehicleServices } from "../link/services";
import type { Cancel, Clock } from "../platform/clock";
import {
  ageTexts,
  ageVehicle,
  explained,
  failsafeIssues,
  failsafeWords,
  initialVehicle,
  noArmingReport,
  noTexts,
  reduceTexts,
  reduceVehicle,
  stepArmingReport,
  type Texts,
  type VehicleText,
  withIssues,
  withParameters,
} from "../vehicle";
import { BootClock } from "./boot-clock";

/** Message intervals asked of a vehicle: what control, monitor and screen need. [id, rate in Hz] */
const wanted: readonly (readonly [id: number, rate_hz: number])[] = [
  [30, 50], // ATTITUDE
  [31, 50], // ATTITUDE_QUATERNION
  [32, 50], // LOCAL_POSITION_NED
  [245, 5], // EXTENDED_SYS_STATE
  [1, 5], // SYS_STATUS
  [147, 1], // BATTERY_STATUS
  [230, 2], // ESTIMATOR_STATUS
  [242, 0.5], // HOME_POSITION
  [331, 10], // ODOMETRY
];
const AUTOPILOT_VERSION = 148;

const reading = {
  id: "failsafe:reading",
  severity: "blocks" as const,
  text: "The vehicle's failsafe parameters are being read",
  advice: "wait until all are here",
};

export interface VehicleLinkOptions {
  readonly clock: Clock;
  /** Above it no failsafe of the vehicle may climb. */
  readonly ceiling_m: () => number;
  readonly onChange: () => void;
  readonly onText: (text: VehicleText) => void;
  readonly onPose: (received: Received, boot_ms: number) => void;
  readonly onCommand: (command: string, params: readonly (number | null)[], result: string | null) => void;
}

/** The links, the state reduced from them, and the door to the vehicle that dispatch gets. */
export class VehicleLink {
  readonly hub: LinkHub;
  readonly door: CommandDoor;
  readonly boot = new BootClock();
  readonly #options: VehicleLinkOptions;
  readonly #heartbeat: HeartbeatRule;
  readonly #cancels: Cancel[];
  #vehicle = initialVehicle();
  #texts: Texts = noTexts;
  #operator = true;
  #asked_at_ms = -Infinity;
  #services: VehicleServices | null = null;
  #report = noArmingReport;
  #listed = false;
  #failsafes: VehicleState["failsafes"] = [];
  #blocking: VehicleState["arming"] = [reading];
  #reported: VehicleState = this.#vehicle;

  constructor(options: VehicleLinkOptions) {
    const { clock } = options;
    this.#options = options;
    this.hub = createLinkHub({ clock });
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

  onRaw(listener: (frame: RawFrame) => void): Cancel {
    return this.hub.onRaw(listener);
  }

  /** Whether somebody can command the flight now; without anyone the heartbeat ends and the vehicle's own failsafe acts. */
  operatorPresent(present: boolean): void {
    this.#operator = present;
  }

  /** Forgets the vehicle: another address is opened. */
  forget(): void {
    this.#vehicle = initialVehicle();
    this.#reported = this.#vehicle;
    this.#services?.close();
    this.#services = null;
    this.#report = noArmingReport;
    this.#texts = noTexts;
    this.#asked_at_ms = -Infinity;
    this.#options.onChange();
  }

  async close(): Promise<void> {
    this.#heartbeat.stop();
    for (const cancel of this.#cancels) cancel();
    this.#services?.close();
    this.door.close();
    await this.hub.close();
  }

  #receive(received: Received): void {
    const before = this.#texts;
    this.#vehicle = reduceVehicle(this.#vehicle, received, received.at_ms);
    this.#setTexts(before, reduceTexts(before, received, received.at_ms));
    const boot_ms = received.fields["time_boot_ms"];
    if (typeof boot_ms === "number" && received.component_id === this.#vehicle.component_id) {
      if (received.name === "LOCAL_POSITION_NED" || received.name === "ATTITUDE_QUATERNION") {
        this.boot.add(boot_ms, received.at_ms);
        this.#options.onPose(received, boot_ms);
      }
    }
    if (received.name === "HEARTBEAT") {
      this.#serve();
      this.#options.onChange();
    }
    this.#reported = this.#compose();
  }

  /** Opens the services of a vehicle that is new here, and reads its parameters: the failsafes are in them. */
  #serve(): void {
    const { system_id, component_id, autopilot } = this.#vehicle;
    if (this.#services !== null || system_id === null || component_id === null) return;
    const services = openServices({
      wire: this.hub,
      clock: this.#options.clock,
      target: { system_id, component_id },
      autopilot,
      onEvent: (news) => {
        this.#report = stepArmingReport(this.#report, news);
      },
    });
    this.#services = services;
    this.#listed = false;
    void services.parameters.list().then(() => {
      this.#listed = this.#services === services;
    });
  }

  /** Ten times a second: what the parameters and the events say beside the vehicle's own state. */
  #weigh(): void {
    const services = this.#services;
    if (services === null) return;
    const ceiling_m = this.#options.ceiling_m();
    const words = failsafeWords(
      this.#vehicle.autopilot,
      (name) => services.parameters.get(name)?.value,
      ceiling_m,
    );
    // While the list still comes in, what is missing from it says nothing.
    const known = this.#listed ? words : words.filter((w) => w.value !== null);
    this.#failsafes = known.map(({ parameter, sentence, blocks }) => ({ parameter, sentence, blocks }));
    this.#blocking = this.#listed ? failsafeIssues(words, ceiling_m) : [reading];
  }

  #compose(): VehicleState {
    if (this.#services === null) return this.#vehicle;
    const { received, count } = this.#services.parameters.progress;
    return {
      ...withParameters(this.#vehicle, received, count),
      failsafes: this.#failsafes,
      arming: withIssues(explained(this.#vehicle.arming, this.#report), this.#report.issues, this.#blocking),
    };
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
    this.#weigh();
    this.#reported = this.#compose();
    if (this.#vehicle.connected && now_ms - this.#asked_at_ms > 5000) this.#ask(now_ms);
    this.#options.onChange();
  }

  /** Asks for identity and rates until the vehicle has answered; a reboot is noticed because its firmware is forgotten. */
  #ask(now_ms: number): void {
    const { system_id, component_id, firmware } = this.#vehicle;
    if (system_id === null || component_id === null) return;
    const first = this.#asked_at_ms === -Infinity;
    if (!first && firmware !== null) return;
    this.#asked_at_ms = now_ms;
    const command = (number: number, param1: number, param2: number): void => {
      this.hub.send("COMMAND_LONG", {
        target_system: system_id,
        target_component: component_id,
        command: number,
        confirmation: 0,
        param1,
        param2,
        param3: 0,
        param4: 0,
        param5: 0,
        param6: 0,
        param7: 0,
      });
    };
    command(512, AUTOPILOT_VERSION, 0);
    for (const [id, rate_hz] of wanted) command(511, id, 1e6 / rate_hz);
  }
}
