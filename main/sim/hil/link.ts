import { createServer, type Server, type Socket } from "node:net";
import { err, ok, type Result } from "#contract/result";
import { list, num } from "../autopilot/fields";
import type { Incoming, Message } from "../autopilot/port";
import { Codec } from "../mavlink";

const armedFlag = 128;
const lockstepFlag = 1;
const setMessageInterval = 511;
const hilStateQuaternion = 115;
/** MAVLink 2 start byte, MAVLink 1's, and what stands before and after the payload of each. */
const starts: Readonly<Record<number, { readonly head: number; readonly signed: number }>> = {
  253: { head: 10, signed: 13 },
  254: { head: 6, signed: 0 },
};

/**
 * Where the one PX4 stands that may fly this world:
 * absent (nobody connected), starting (connected, no output yet: its boot needs sensor samples), flying (outputs arrive; with
 * `lockstep` it answers each sensor sample and its clock is ours).
 */
export type Px4State =
  | { readonly kind: "absent" }
  | { readonly kind: "starting" }
  | { readonly kind: "flying"; readonly lockstep: boolean; readonly armed: boolean };

export interface Px4LinkOptions {
  readonly port: number;
  /** Also the system id under which the simulator speaks. */
  readonly system_id: number;
  readonly say: (text: string) => void;
}

/** PX4's simulator interface, the simulator's end: listens on TCP 4560 (plus the instance); PX4 connects. */
export class Px4Link {
  readonly port: number;
  readonly #server: Server;
  readonly #say: (text: string) => void;
  readonly #codec: Codec;
  #socket: Socket | null = null;
  #state: Px4State = { kind: "absent" };
  #rest: Uint8Array = new Uint8Array(0);
  #outputs: readonly number[] = [];
  #answers = 0;
  #saidNan = false;
  #wake: (() => void)[] = [];
  /** MAV_CMD_SET_MESSAGE_INTERVAL for HIL_STATE_QUATERNION. */
  onTruthInterval: (interval_us: number) => void = () => {};

  static async listen(options: Px4LinkOptions): Promise<Result<Px4Link, string>> {
    const server = createServer({ noDelay: true });
    return await new Promise((resolve) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const why =
          error.code === "EADDRINUSE" ? "is in use" : `cannot be opened (${error.code ?? error.message})`;
        resolve(err(`TCP port ${String(options.port)} ${why}; choose another with --px4-port or --instance`));
      });
      server.listen(options.port, "127.0.0.1", () => {
        const address = server.address();
        const port = typeof address === "object" && address !== null ? address.port : options.port;
        resolve(ok(new Px4Link(server, port, options)));
      });
    });
  }

  private constructor(server: Server, port: number, options: Px4LinkOptions) {
    this.#server = server;
    this.port = port;
    this.#say = options.say;
    this.#codec = new Codec(options.system_id);
    server.on("connection", (socket) => {
      this.#admit(socket);
    });
  }

  get state(): Px4State {
    return this.#state;
  }

  /** Outputs 1 to `count` in PX4's motor order, 0 to 1; nothing turns while it is disarmed. */
  motors(count: number): readonly number[] {
    const flying = this.#state.kind === "flying" && this.#state.armed;
    return Array.from({ length: count }, (_, i) => (flying ? this.#output(i) : 0));
  }

  send(messages: readonly Message[]): void {
    const socket = this.#socket;
    if (socket === null) return;
    socket.cork();
    for (const message of messages) socket.write(this.#codec.encode(message));
    socket.uncork();
  }

  /** Forgets answers to earlier samples; to be called before a sample is sent. */
  ask(): void {
    this.#answers = 0;
  }

  /** Outputs have arrived since `ask`. */
  get answered(): boolean {
    return this.#answers > 0;
  }

  /** Resolves with the next change: a connection, its end, outputs. */
  news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }

  /** Lets whoever waits look again: the end has come. */
  interrupt(): void {
    for (const go of this.#wake.splice(0)) go();
  }

  async close(): Promise<void> {
    this.#socket?.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #output(i: number): number {
    const value = this.#outputs[i] ?? 0;
    if (Number.isFinite(value)) return Math.max(0, Math.min(1, value));
    if (!this.#saidNan) this.#say(`PX4 sent no number for motor ${String(i + 1)}; it counts as stopped`);
    this.#saidNan = true;
    return 0;
  }

  #admit(socket: Socket): void {
    if (this.#socket !== null) {
      this.#say("a second PX4 wanted to connect and was turned away");
      socket.destroy();
      return;
    }
    this.#socket = socket;
    this.#state = { kind: "starting" };
    this.#rest = new Uint8Array(0);
    this.#outputs = [];
    this.#saidNan = false;
    socket.on("data", (bytes) => {
      this.#read(bytes);
    });
    socket.on("error", () => {
      socket.destroy();
    });
    socket.on("close", () => {
      this.#socket = null;
      this.#state = { kind: "absent" };
      this.interrupt();
    });
    this.interrupt();
  }

  /** TCP cuts where it likes: whole frames are taken out, the rest waits for more. */
  #read(bytes: Uint8Array): void {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    let at = 0;
    while (at < all.length) {
      const kind = starts[all[at] ?? 0];
      if (kind === undefined) {
        at++;
        continue;
      }
      const flags = kind.signed > 0 ? (all[at + 2] ?? 0) & 1 : 0;
      const size = kind.head + (all[at + 1] ?? 255) + 2 + (flags === 1 ? kind.signed : 0);
      if (at + size > all.length) break;
      const { messages } = this.#codec.decode(all.subarray(at, at + size));
      for (const message of messages) this.#handle(message);
      at += messages.length > 0 ? size : 1;
    }
    this.#rest = all.slice(at);
  }

  #handle(message: Incoming): void {
    if (message.name === "COMMAND_LONG") this.#command(message);
    // HEARTBEAT, SYSTEM_TIME and whatever else PX4 may say here mean nothing to the world.
    if (message.name !== "HIL_ACTUATOR_CONTROLS") return;
    this.#outputs = list(message, "controls");
    this.#state = {
      kind: "flying",
      lockstep: (num(message, "flags") & lockstepFlag) !== 0,
      armed: (num(message, "mode") & armedFlag) !== 0,
    };
    this.#answers++;
    this.interrupt();
  }

  #command(message: Incoming): void {
    const wanted =
      num(message, "command") === setMessageInterval && num(message, "param1") === hilStateQuaternion;
    const interval_us = num(message, "param2");
    if (wanted && Number.isFinite(interval_us)) this.onTruthInterval(Math.max(0, interval_us));
  }
}
