import { wrapPi } from "#contract/frames";
import type { FieldValue, Incoming, Message } from "../autopilot/port";
import type { Simulation } from "../simulation";
import { subtract, type V3 } from "../world/rigid";
import { ArmLine } from "./arm-line";

export interface ServoOptions {
  /** Most that is added to the setpoint. Above the default the error is added up on the way too, against a load. */
  readonly trim_m?: number;
  readonly yaw_rad?: number;
  readonly stop?: () => boolean;
  /** Where the body counts as being: its position, or what the tool's place says of it. */
  readonly here?: () => V3;
}

/** Setpoint stream and heartbeat periods in physics steps of 2 ms: 20 Hz and 2 Hz. */
const streamEvery = 25;
const heartbeatEvery = 250;
/** Word to the arm's companion, which gives up after half a second without: 5 Hz. */
const aliveEvery = 100;
const stillTrim_m = 0.05;

/**
 * Flies the embedded vehicle inside one process, by the same messages a station would send: for rehearsed figures and
 * for tests. Positions are in the site frame, yaw from east.
 */
export class Pilot {
  readonly simulation: Simulation;
  /** What the autopilot said, newest last. */
  readonly texts: { readonly at_s: number; readonly text: string }[] = [];
  readonly modes: { readonly at_s: number; readonly custom_mode: number }[] = [];
  target_enu_m: V3 = [0, 0, 1.5];
  yaw_enu_rad = 0;
  streaming = false;
  /** Simulated time of the newest setpoint. */
  lastSetpoint_s = Number.NaN;
  /** Told of every message the vehicle sends. */
  onMessage: ((message: Message) => void) | null = null;
  readonly arm = new ArmLine((name, fields) => {
    this.send(name, fields);
  });
  #steps = 0;
  /** What the last servo had added to the setpoint to stay where it was led. */
  #trim: V3 = [0, 0, 0];

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  get position_enu_m(): V3 {
    return this.simulation.world.truth().position_enu_m;
  }

  /** Runs simulated time; `each` is called before every setpoint, 20 times a second. */
  run(seconds: number, each?: () => void): void {
    const { simulation } = this;
    const end = this.#steps + Math.round(seconds / simulation.world.timestep_s);
    for (; this.#steps < end; this.#steps++) {
      if (this.#steps % heartbeatEvery === 0) this.send("HEARTBEAT", { type: 6 });
      if (this.#steps % aliveEvery === 0) this.arm.alive();
      if (this.#steps % streamEvery === 0) {
        each?.();
        if (this.streaming) this.#stream();
      }
      simulation.step();
      if (this.#steps % 5 === 0) this.#listen();
    }
  }

  /** Runs until the condition holds, at most this long; says whether it came to hold. */
  until(most_s: number, condition: () => boolean): boolean {
    for (let t = 0; t < most_s && !condition(); t += 0.05) this.run(0.05);
    return condition();
  }

  /** Arms, takes off to this height above the site origin and hands over to offboard. */
  takeOff(height_m: number): void {
    this.run(4);
    this.command(400, 1);
    this.run(0.1);
    const amsl_m = 488 + height_m;
    this.command(22, Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, amsl_m);
    const pad = this.simulation.world.layout.scene.pad.at;
    this.target_enu_m = [pad[0], pad[1], height_m];
    this.yaw_enu_rad = (this.simulation.world.layout.scene.pad.yaw_deg * Math.PI) / 180;
    this.until(15, () => this.position_enu_m[2] > height_m - 0.1);
    this.streaming = true;
    this.run(1);
    this.command(176, 1, 6, 0);
    this.run(3);
  }

  /**
   * Steers towards a place as a visual servo would: the remaining error, seen from outside, is slowly added to the
   * setpoint, by at most `trim_m`. `speed_m_s` limits how fast the setpoint moves, `stop` ends it early.
   */
  servo(goal: V3, seconds: number, speed_m_s: number, options: ServoOptions = {}): void {
    const { trim_m = stillTrim_m, yaw_rad = this.yaw_enu_rad, stop = () => false } = options;
    const place = options.here ?? ((): V3 => this.position_enu_m);
    const trim: [number, number, number] = [...this.#trim];
    const at: [number, number, number] = [...subtract(this.target_enu_m, this.#trim)];
    for (let left_s = seconds; left_s > 0 && !stop(); left_s -= 0.05)
      this.run(Math.min(0.05, left_s), () => {
        const here = place();
        const left = Math.hypot(goal[0] - at[0], goal[1] - at[1], goal[2] - at[2]);
        const share = left < 1e-6 ? 0 : Math.min(1, (speed_m_s * 0.05) / left);
        for (const k of [0, 1, 2] as const) {
          at[k] += (goal[k] - at[k]) * share;
          if (left < 0.03 || trim_m > stillTrim_m)
            trim[k] = Math.max(-trim_m, Math.min(trim_m, trim[k] + (at[k] - here[k]) * 0.02));
        }
        const turn = wrapPi(yaw_rad - this.yaw_enu_rad);
        this.yaw_enu_rad += Math.max(-0.015, Math.min(0.015, turn));
        this.target_enu_m = [at[0] + trim[0], at[1] + trim[1], at[2] + trim[2]];
      });
    this.#trim = [...trim];
  }

  /** Lets what a contact had added to the setpoint go: after letting go of what was held. */
  relax(): void {
    this.target_enu_m = subtract(this.target_enu_m, this.#trim);
    this.#trim = [0, 0, 0];
  }

  command(id: number, ...params: readonly number[]): void {
    this.send("COMMAND_LONG", {
      command: id,
      ...Object.fromEntries(params.map((value, i) => [`param${i + 1}`, value])),
    });
  }

  send(name: string, fields: Readonly<Record<string, FieldValue>>): void {
    const message: Incoming = {
      name,
      fields: { target_system: 1, target_component: 1, ...fields },
      system_id: 255,
      component_id: 190,
    };
    this.simulation.autopilot.handle(message);
  }

  #stream(): void {
    this.lastSetpoint_s = this.simulation.time_s;
    const [x, y, z] = this.target_enu_m;
    this.send("SET_POSITION_TARGET_LOCAL_NED", {
      coordinate_frame: 1,
      type_mask: 0b1001_1111_1000,
      x: y,
      y: x,
      z: -z,
      yaw: Math.PI / 2 - this.yaw_enu_rad,
    });
  }

  #listen(): void {
    const at_s = this.simulation.time_s;
    for (const message of this.simulation.autopilot.outbox()) {
      this.onMessage?.(message);
      if (message.name === "STATUSTEXT") this.texts.push({ at_s, text: String(message.fields["text"]) });
      if (message.name === "TUNNEL") this.arm.hear(message.fields);
      if (message.name !== "HEARTBEAT") continue;
      const custom_mode = Number(message.fields["custom_mode"]);
      if (this.modes.at(-1)?.custom_mode !== custom_mode) this.modes.push({ at_s, custom_mode });
    }
  }
}
