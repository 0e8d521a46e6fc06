import { eulerFluEnu } from "#contract/frames";
import { createAutopilot } from "../../main/sim/autopilot/autopilot";
import {
  type Autopilot,
  type AutopilotOptions,
  hexarotor650,
  type Incoming,
  type Message,
} from "../../main/sim/autopilot/port";
import { RigidBody } from "./rigid-body";

const step_us = 2000;

export interface Sample {
  readonly time_s: number;
  readonly position_enu_m: readonly [number, number, number];
  readonly yaw_enu_rad: number;
  readonly tilt_rad: number;
}

/** An autopilot in a rigid-body world with a ground station's hands: time only moves with `run`. */
export class FlightRig {
  readonly body: RigidBody;
  readonly autopilot: Autopilot;
  readonly sent: { readonly time_s: number; readonly message: Message }[] = [];
  readonly track: Sample[] = [];
  motors: readonly number[] = [];
  heartbeat = true;
  /** Called at 20 Hz before messages are exchanged. */
  stream: (() => void) | null = null;
  #ticks = 0;

  constructor(options: Partial<AutopilotOptions> = {}) {
    const vehicle = options.vehicle ?? hexarotor650;
    this.body = new RigidBody(vehicle);
    this.autopilot = createAutopilot({
      seed: 1,
      system_id: 1,
      home: { latitude_deg: 47.397742, longitude_deg: 8.545594, altitude_amsl_m: 488 },
      vehicle,
      ...options,
    });
  }

  get time_s(): number {
    return this.body.time_us / 1e6;
  }

  run(seconds: number): void {
    const until_us = this.body.time_us + Math.round(seconds * 1e6);
    while (this.body.time_us < until_us) {
      const tick = this.#ticks++;
      if (tick % 500 === 0 && this.heartbeat) this.receive("HEARTBEAT", { type: 6, autopilot: 8 });
      if (tick % 25 === 0) this.stream?.();
      this.motors = this.autopilot.step(this.body.truth());
      this.body.step(this.motors, step_us);
      if (tick % 5 === 0) {
        for (const message of this.autopilot.outbox()) this.sent.push({ time_s: this.time_s, message });
        this.#sample();
      }
    }
  }

  #sample(): void {
    const [x, y, z] = this.body.position_m;
    const e = eulerFluEnu(this.body.quat);
    this.track.push({
      time_s: this.time_s,
      position_enu_m: [x, y, z],
      yaw_enu_rad: e.yaw_rad,
      tilt_rad: Math.hypot(e.pitch_rad, e.roll_rad),
    });
  }

  receive(
    name: string,
    fields: Message["fields"],
    system_id = 255,
    component_id = 190,
    sequence?: number,
  ): void {
    const message: Incoming = {
      name,
      fields: name === "HEARTBEAT" ? fields : { target_system: 1, target_component: 1, ...fields },
      system_id,
      component_id,
      ...(sequence === undefined ? {} : { sequence }),
    };
    this.autopilot.handle(message);
  }

  /** Sends COMMAND_LONG and answers the result of its COMMAND_ACK; -1 when there was none. */
  command(command: number, params: readonly number[] = [], confirmation = 0): number {
    const numbered = Object.fromEntries(params.map((v, i) => [`param${String(i + 1)}`, v]));
    const before = this.sent.length;
    this.receive("COMMAND_LONG", { command, confirmation, ...numbered });
    for (const message of this.autopilot.outbox()) this.sent.push({ time_s: this.time_s, message });
    const answer = this.sent
      .slice(before)
      .find((s) => s.message.name === "COMMAND_ACK" && s.message.fields["command"] === command);
    const result = answer?.message.fields["result"];
    return typeof result === "number" ? result : -1;
  }

  /** Position and heading setpoints at 20 Hz from now on; ENU in, NED out. */
  offboard(east_m: number, north_m: number, up_m: number, yaw_enu_rad: number): void {
    this.stream = () => {
      this.receive("SET_POSITION_TARGET_LOCAL_NED", {
        coordinate_frame: 1,
        type_mask: 0b100111111000,
        x: north_m,
        y: east_m,
        z: -up_m,
        yaw: Math.PI / 2 - yaw_enu_rad,
      });
    };
  }

  /** Boots, arms, takes off to `height_m` and waits until it holds there. */
  takeOff(height_m = 1.5): void {
    this.run(3);
    this.command(400, [1]);
    this.command(22, [Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, 488 + height_m]);
    this.run(10);
  }

  /** All texts so far, chunks put together. */
  texts(): string[] {
    const whole: string[] = [];
    for (const f of this.of("STATUSTEXT")) {
      if (Number(f["chunk_seq"]) > 0) whole.push(`${whole.pop() ?? ""}${String(f["text"])}`);
      else whole.push(String(f["text"]));
    }
    return whole.map((text) => text.trimEnd());
  }
  of(name: string): Message["fields"][] {
    return this.sent.filter((s) => s.message.name === name).map((s) => s.message.fields);
  }
  last(name: string): Message["fields"] {
    return this.of(name).at(-1) ?? {};
  }
  /** "main/sub" of the newest heartbeat's custom mode. */
  mode(): string {
    const custom = Number(this.last("HEARTBEAT")["custom_mode"] ?? 0);
    return `${String((custom >> 16) & 255)}/${String((custom >> 24) & 255)}`;
  }
  since(time_s: number): Sample[] {
    return this.track.filter((s) => s.time_s >= time_s);
  }
}
