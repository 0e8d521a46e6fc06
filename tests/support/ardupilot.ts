import { createSocket, type Socket } from "node:dgram";
import { common, type MavLinkData, MavLinkPacketSignature, MavLinkProtocolV2, minimal } from "node-mavlink";
import type { Cancel, Clock } from "../../main/platform/clock";
import type { Incoming } from "../../main/sim/autopilot/port";
import { Codec } from "../../main/sim/mavlink";
import { Copter, GUIDED, indoorParameters, message, telemetry } from "./ardupilot-copter";

export interface ArduPilotOptions {
  readonly clock: Clock;
  /** Where it sends to, as SITL's --out does. */
  readonly port: number;
  /** A second link: it sends everything there too. */
  readonly second_port?: number;
  readonly system_id?: number;
  /** Name, value and MAV_PARAM_TYPE; integers travel as converted floats. */
  readonly parameters?: readonly (readonly [name: string, value: number, type: number])[];
  /** Until then it refuses to arm with "Need Position Estimate". */
  readonly ready_after_ms?: number;
  readonly log?: Uint8Array;
}

const known = new Set([0, 1, 2, 3, 4, 5, 6, 9, 16, 17, 20, 21]);
const FAILED = 4;
const BLOCK = 90;

/**
 * An ArduCopter's side of MAVLink over UDP, as ArduCopter 4.7 in software behaves: silent until asked, modes by
 * custom number, refuses to arm without a position estimate, leaves the ground by NAV_TAKEOFF alone, follows
 * SET_POSITION_TARGET_LOCAL_NED in GUIDED, disarms by itself after landing, converts integer parameters.
 */
export class ArduPilot {
  readonly #copter = new Copter();
  /** Ports it does not reach just now: a cable that is out, a radio out of range. */
  readonly muted = new Set<number>();
  /** With a key everything is signed, and what is not signed with it is ignored. */
  key: Buffer | null = null;
  /** Sends each signed frame as it was sent before: what a replay looks like. */
  replay = false;
  #stamp_ms = 0;
  #signed: Buffer | null = null;
  /** What it was told, in order. */
  readonly heard: string[] = [];
  readonly setpoint_times_ms: number[] = [];
  readonly parameters: Map<string, { value: number; type: number }>;
  readonly #options: ArduPilotOptions;
  readonly #clock: Clock;
  readonly #socket: Socket = createSocket("udp4");
  readonly #protocol: MavLinkProtocolV2;
  readonly #codec: Codec;
  readonly #cancels: Cancel[] = [];
  /** Message id to its interval and when it is due. */
  readonly #streams = new Map<number, { interval_ms: number; due_ms: number }>();
  readonly #boot_ms: number;
  #seq = 0;

  constructor(options: ArduPilotOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#boot_ms = options.clock.now_ms();
    this.#protocol = new MavLinkProtocolV2(options.system_id ?? 1, 1);
    this.#codec = new Codec(options.system_id ?? 1);
    this.parameters = new Map(
      (options.parameters ?? indoorParameters).map(([name, value, type]) => [name, { value, type }]),
    );
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.#socket.bind(0, "127.0.0.1", done));
    this.#socket.on("message", (bytes) => {
      if (!this.#trusts(bytes)) return;
      if (isSetupSigning(bytes)) this.#setUp(bytes);
      else for (const message of this.#codec.decode(bytes).messages) this.#hear(message, bytes);
    });
    this.#cancels.push(
      this.#clock.every(1000, () => this.#heartbeat()),
      this.#clock.every(20, () => this.#step(0.02)),
    );
    this.#heartbeat();
  }

  async close(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    await new Promise<void>((done) => this.#socket.close(() => done()));
  }

  get mode(): number {
    return this.#copter.mode;
  }
  get armed(): boolean {
    return this.#copter.armed;
  }
  set armed(armed: boolean) {
    this.#copter.armed = armed;
  }
  get height_m(): number {
    return this.#copter.height_m;
  }

  #ready(): boolean {
    return this.#clock.now_ms() - this.#boot_ms >= (this.#options.ready_after_ms ?? 0);
  }

  #send(data: MavLinkData): void {
    const bytes = this.#frame(data);
    this.#seq = (this.#seq + 1) & 255;
    const { port, second_port } = this.#options;
    for (const one of second_port === undefined ? [port] : [port, second_port])
      if (!this.muted.has(one)) this.#socket.send(bytes, one, "127.0.0.1");
  }

  #frame(data: MavLinkData): Uint8Array {
    const { key } = this;
    if (key === null) return this.#protocol.serialize(data, this.#seq);
    if (this.replay && this.#signed !== null) return this.#signed;
    const flagged = new MavLinkProtocolV2(this.#options.system_id ?? 1, 1, MavLinkProtocolV2.IFLAG_SIGNED);
    this.#stamp_ms = Math.max(this.#stamp_ms + 1, Math.floor(this.#clock.utc_ms()));
    this.#signed = flagged.sign(flagged.serialize(data, this.#seq), 3, key, this.#stamp_ms);
    return this.#signed;
  }

  /** Time stamp, target, then the key; zeros at the end of a payload are not sent. */
  #setUp(bytes: Buffer): void {
    const payload = Buffer.alloc(42);
    bytes.copy(
      payload,
      0,
      MavLinkProtocolV2.PAYLOAD_OFFSET,
      MavLinkProtocolV2.PAYLOAD_OFFSET + (bytes[1] ?? 0),
    );
    const given = payload.subarray(10);
    this.key = given.every((byte) => byte === 0) ? null : Buffer.from(given);
  }

  /** Without a key everything is heeded; with one only what is signed with it. */
  #trusts(bytes: Buffer): boolean {
    if (this.key === null) return true;
    const signed = ((bytes[2] ?? 0) & MavLinkProtocolV2.IFLAG_SIGNED) !== 0;
    return signed && new MavLinkPacketSignature(bytes).matches(this.key);
  }

  #make<T extends MavLinkData>(type: new () => T, fields: Partial<Record<keyof T, unknown>>): void {
    this.#send(message(type, fields));
  }

  #heartbeat(): void {
    this.#make(minimal.Heartbeat, {
      type: minimal.MavType.HEXAROTOR,
      autopilot: minimal.MavAutopilot.ARDUPILOTMEGA,
      baseMode: 1 | 16 | (this.armed ? 128 : 0),
      customMode: this.mode,
      systemStatus: this.armed ? minimal.MavState.ACTIVE : minimal.MavState.STANDBY,
    });
  }

  #text(text: string): void {
    this.#make(common.StatusText, { severity: common.MavSeverity.CRITICAL, text });
  }

  #hear(m: Incoming, bytes: Uint8Array): void {
    const f = (name: string): number => Number(m.fields[name] ?? 0);
    switch (m.name) {
      case "COMMAND_LONG":
        this.#command(
          f("command"),
          [1, 2, 3, 4, 5, 6, 7].map((i) => f(`param${String(i)}`)),
          m,
        );
        return;
      case "SET_POSITION_TARGET_LOCAL_NED":
        this.setpoint_times_ms.push(this.#clock.now_ms());
        // On the ground only the take-off command spins the motors up.
        if (this.mode === GUIDED && this.armed && this.height_m > 0.1) {
          this.#copter.takeoff_m = null;
          this.#copter.target = { ned: [f("x"), f("y"), f("z")], yaw: f("yaw") };
        }
        return;
      case "PARAM_REQUEST_LIST":
        for (const name of this.parameters.keys()) this.#parameter(name);
        return;
      case "PARAM_REQUEST_READ": {
        const name =
          f("param_index") >= 0 ? [...this.parameters.keys()][f("param_index")] : m.fields["param_id"];
        if (typeof name === "string" && this.parameters.has(name)) this.#parameter(name);
        return;
      }
      case "PARAM_SET": {
        const parameter = this.parameters.get(String(m.fields["param_id"]));
        // The float as it is: converted, whatever the type.
        if (parameter) parameter.value = Buffer.from(bytes).readFloatLE(MavLinkProtocolV2.PAYLOAD_OFFSET);
        if (parameter) this.#parameter(String(m.fields["param_id"]));
        return;
      }
      case "LOG_REQUEST_LIST":
        this.#make(common.LogEntry, {
          id: 1,
          numLogs: 1,
          lastLogNum: 1,
          timeUtc: 1_700_000_000,
          size: this.#options.log?.length ?? 0,
        });
        return;
      case "LOG_REQUEST_DATA":
        this.#log(f("ofs"), f("count"));
    }
  }

  #parameter(name: string): void {
    const parameter = this.parameters.get(name);
    if (!parameter) return;
    this.#make(common.ParamValue, {
      paramId: name,
      paramValue: parameter.value,
      paramType: parameter.type,
      paramCount: this.parameters.size,
      paramIndex: [...this.parameters.keys()].indexOf(name),
    });
  }

  #log(from: number, count: number): void {
    const log = this.#options.log ?? new Uint8Array();
    for (let at = from; at < Math.min(from + count, log.length); at += BLOCK) {
      const piece = log.subarray(at, Math.min(at + BLOCK, log.length));
      const data = [...piece, ...new Array<number>(BLOCK - piece.length).fill(0)];
      this.#make(common.LogData, { id: 1, ofs: at, count: piece.length, data });
    }
  }

  #command(command: number, p: readonly number[], from: Incoming): void {
    this.heard.push(`${String(command)}:${p.map((x) => (Number.isFinite(x) ? String(x) : "-")).join(",")}`);
    this.#make(common.CommandAck, {
      command,
      result: this.#run(command, p),
      targetSystem: from.system_id,
      targetComponent: from.component_id,
    });
  }

  #run(command: number, [p1 = 0, p2 = 0, , , , , p7 = 0]: readonly number[]): number {
    switch (command) {
      case 176:
        if (!known.has(p2)) return FAILED;
        this.#copter.mode = p2;
        this.#copter.target = null;
        return 0;
      case 400:
        if (p1 === 0) {
          this.armed = p2 === 21196 || this.height_m < 0.1 ? false : this.armed;
          return this.armed ? FAILED : 0;
        }
        if (!this.#ready()) {
          this.#text("Arm: Need Position Estimate");
          return FAILED;
        }
        this.armed = true;
        return 0;
      case 22:
        if (this.mode !== GUIDED || !this.armed) return FAILED;
        this.#copter.takeoff_m = p7;
        return 0;
      case 511:
        return this.#stream(p1, p2);
      case 512:
        return this.#message(p1) ? 0 : FAILED;
      default:
        return 3;
    }
  }

  #stream(id: number, interval_us: number): number {
    if (![1, 31, 32, 147, 193, 242, 245].includes(id)) return FAILED;
    if (interval_us <= 0) this.#streams.delete(id);
    else this.#streams.set(id, { interval_ms: interval_us / 1000, due_ms: 0 });
    return 0;
  }

  #message(id: number): boolean {
    const timeBootMs = Math.floor(this.#clock.now_ms() - this.#boot_ms);
    const data = telemetry(id, this.#copter, this.#ready(), timeBootMs);
    if (data != null) this.#send(data);
    return data !== undefined;
  }

  #step(dt_s: number): void {
    const now_ms = this.#clock.now_ms();
    this.#copter.step(dt_s, now_ms);
    for (const [id, stream] of this.#streams) {
      if (now_ms < stream.due_ms) continue;
      stream.due_ms = now_ms + stream.interval_ms - 5;
      this.#message(id);
    }
  }
}

const isSetupSigning = (bytes: Buffer): boolean =>
  bytes[0] === MavLinkProtocolV2.START_BYTE && bytes.readUIntLE(7, 3) === common.SetupSigning.MSG_ID;
