import { createSocket, type Socket } from "node:dgram";
import { PassThrough } from "node:stream";
import {
  common,
  type MavLinkData,
  type MavLinkDataConstructor,
  type MavLinkPacket,
  MavLinkPacketParser,
  type MavLinkPacketRegistry,
  MavLinkPacketSplitter,
  MavLinkProtocolV2,
  minimal,
  standard,
} from "node-mavlink";

const registry: MavLinkPacketRegistry = { ...minimal.REGISTRY, ...standard.REGISTRY, ...common.REGISTRY };

/**
 * A ground station that knows nothing of Kingfisher: node-mavlink's own splitter, parser and serializer over a plain UDP
 * socket, the vehicle's first partner. It says its heartbeat whenever the vehicle says one.
 */
export class ForeignPilot {
  readonly port: number;
  readonly #socket: Socket;
  readonly #bytes = new PassThrough();
  readonly #protocol = new MavLinkProtocolV2(255, 190);
  readonly #listeners = new Set<(message: MavLinkData) => void>();
  #partner: { readonly address: string; readonly port: number } | null = null;
  #seq = 0;
  /** Called for each LOCAL_POSITION_NED: 49 times a second. */
  onPosition: () => void = () => {};
  position: common.LocalPositionNed | null = null;

  static async open(): Promise<ForeignPilot> {
    const socket = createSocket("udp4");
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    return new ForeignPilot(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.port = socket.address().port;
    socket.on("message", (bytes, from) => {
      this.#partner = from;
      this.#bytes.write(bytes);
    });
    const packets = this.#bytes.pipe(new MavLinkPacketSplitter()).pipe(new MavLinkPacketParser());
    packets.on("data", (packet: MavLinkPacket) => {
      const type = registry[packet.header.msgid];
      if (type === undefined || packet.header.sysid !== 1) return;
      this.#hear(packet.protocol.data(packet.payload, type));
    });
  }

  send<T extends MavLinkData>(type: MavLinkDataConstructor<T>, fields: Partial<T>): void {
    if (this.#partner === null) return;
    const bytes = this.#protocol.serialize(Object.assign(new type(), fields), this.#seq++ & 255);
    this.#socket.send(bytes, this.#partner.port, this.#partner.address);
  }

  /** The next message of this kind that fits. */
  next<T extends MavLinkData>(type: new () => T, fits: (message: T) => boolean = () => true): Promise<T> {
    return new Promise((resolve) => {
      const look = (message: MavLinkData): void => {
        if (!(message instanceof type) || !fits(message)) return;
        this.#listeners.delete(look);
        resolve(message);
      };
      this.#listeners.add(look);
    });
  }

  /** The result of a command: MAV_RESULT of its acknowledgement. */
  async command(command: common.MavCmd, ...params: readonly number[]): Promise<number> {
    const answer = this.next(common.CommandAck, (a) => a.command === command);
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = params;
    this.send(common.CommandLong, {
      targetSystem: 1,
      targetComponent: 1,
      command,
      _param1: a,
      _param2: b,
      _param3: c,
      _param4: d,
      _param5: e,
      _param6: f,
      _param7: g,
    });
    return (await answer).result;
  }

  /** Main and sub mode of the next heartbeat that shows them, armed or not. */
  async shows(main: number, sub: number, armed: boolean): Promise<void> {
    await this.next(minimal.Heartbeat, (h) => {
      const is = (h.baseMode & minimal.MavModeFlag.SAFETY_ARMED) !== 0;
      return ((h.customMode >> 16) & 255) === main && h.customMode >>> 24 === sub && is === armed;
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.close(() => {
        resolve();
      });
    });
  }

  #hear(message: MavLinkData): void {
    if (message instanceof minimal.Heartbeat)
      this.send(minimal.Heartbeat, { type: minimal.MavType.GCS, autopilot: minimal.MavAutopilot.INVALID });
    if (message instanceof common.LocalPositionNed) {
      this.position = message;
      this.onPosition();
    }
    for (const listener of [...this.#listeners]) listener(message);
  }
}
