import { createSocket, type RemoteInfo } from "node:dgram";
import { err, ok, type Result } from "#contract/result";
import type { Autopilot, Message } from "./autopilot/port";
import { Codec } from "./mavlink";
import { type Faults, FaultyPath } from "./mavlink-faults";

export interface MavlinkServerOptions {
  readonly system_id: number;
  /** Local port: 18570 plus the instance, as PX4's ground link. 0 takes a free one. */
  readonly bind_port: number;
  readonly bind_address?: string;
  /** Where frames go unasked until somebody sends to us. */
  readonly remote_port: number;
  readonly remote_address?: string;
  readonly faults?: Faults;
  readonly seed: number;
}

/**
 * The embedded vehicle's ground link: UDP, one MAVLink 2 frame per datagram. It sends from the start, takes the first
 * sender as its partner and keeps it; messages of others are heard but not answered (PX4's behaviour). Driven by the
 * sim's clock: nothing is processed or sent outside `exchange`.
 */
export interface MavlinkServer {
  readonly port: number;
  /** Delivers what has arrived to the autopilot, then sends its outbox. `now_ms` is simulated time. */
  exchange(autopilot: Autopilot, now_ms: number): void;
  /** A cut link: what has arrived and what the autopilot has to say is lost. */
  discard(autopilot: Autopilot): void;
  /** Totals since start, for the clock barrier: sent to the partner, received from it. */
  datagrams(): { readonly sent: number; readonly received: number };
  /** Resolves once `total` datagrams have been received from the partner. */
  whenReceived(total: number): Promise<void>;
  /** Frames that failed their checksum or were unknown. */
  readonly bad_frames: number;
  close(): Promise<void>;
}

export function openMavlinkServer(options: MavlinkServerOptions): Promise<Result<MavlinkServer, string>> {
  const server = new UdpServer(options);
  return server.open();
}

class UdpServer implements MavlinkServer {
  readonly #options: MavlinkServerOptions;
  readonly #socket = createSocket({
    type: "udp4",
    // Addresses are numeric already; the default would ask the resolver for each datagram.
    lookup: (host, _options, done) => {
      done(null, host, 4);
    },
  });
  readonly #codec: Codec;
  readonly #inward: FaultyPath | null;
  readonly #outward: FaultyPath | null;
  #partner: { readonly address: string; readonly port: number };
  #latched = false;
  #arrived: Uint8Array[] = [];
  #sent = 0;
  #received = 0;
  #waiting: { readonly total: number; readonly done: () => void }[] = [];
  bad_frames = 0;
  port = 0;

  constructor(options: MavlinkServerOptions) {
    this.#options = options;
    this.#codec = new Codec(options.system_id);
    this.#partner = { address: options.remote_address ?? "127.0.0.1", port: options.remote_port };
    const { faults, seed } = options;
    this.#inward = faults ? new FaultyPath(faults, seed, "in") : null;
    this.#outward = faults ? new FaultyPath(faults, seed, "out") : null;
  }

  open(): Promise<Result<MavlinkServer, string>> {
    const { bind_port, bind_address = "127.0.0.1" } = this.#options;
    return new Promise((resolve) => {
      this.#socket.once("error", (error: NodeJS.ErrnoException) => {
        const why =
          error.code === "EADDRINUSE" ? "is in use" : `cannot be opened (${error.code ?? error.message})`;
        resolve(err(`UDP port ${String(bind_port)} ${why}; choose another with --instance or --bind`));
      });
      this.#socket.bind(bind_port, bind_address, () => {
        this.#socket.removeAllListeners("error");
        // A vanished partner shows up here as an ICMP error; the link simply stays silent.
        this.#socket.on("error", () => undefined);
        this.port = this.#socket.address().port;
        this.#growBuffers();
        resolve(ok(this));
      });
      this.#socket.on("message", (bytes, from) => {
        this.#receive(bytes, from);
      });
    });
  }

  #growBuffers(): void {
    try {
      this.#socket.setRecvBufferSize(1 << 20);
      this.#socket.setSendBufferSize(1 << 20);
    } catch {
      // The system's limit holds then; the counted barrier does not depend on it.
    }
  }

  #receive(bytes: Uint8Array, from: RemoteInfo): void {
    if (!this.#latched) {
      this.#latched = true;
      this.#partner = { address: from.address, port: from.port };
    }
    this.#arrived.push(bytes);
    if (from.address !== this.#partner.address || from.port !== this.#partner.port) return;
    this.#received++;
    const ready = this.#waiting.filter((w) => w.total <= this.#received);
    this.#waiting = this.#waiting.filter((w) => w.total > this.#received);
    for (const w of ready) w.done();
  }

  exchange(autopilot: Autopilot, now_ms: number): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    this.#codec.signing.tick(now_ms);
    this.#codec.protocol = autopilot.mavlink_version ?? 2;
    for (const bytes of this.#through(this.#inward, arrived, now_ms)) {
      const { messages, bad } = this.#codec.decode(bytes);
      this.bad_frames += bad;
      for (const message of messages) autopilot.handle(message);
    }
    const frames = this.#encode(autopilot.outbox()).filter((bytes) => bytes.length > 0);
    for (const bytes of this.#through(this.#outward, frames, now_ms)) {
      this.#sent++;
      this.#socket.send(bytes, this.#partner.port, this.#partner.address);
    }
  }

  discard(autopilot: Autopilot): void {
    this.#arrived = [];
    autopilot.outbox();
  }

  #through(path: FaultyPath | null, datagrams: readonly Uint8Array[], now_ms: number): readonly Uint8Array[] {
    if (!path) return datagrams;
    for (const bytes of datagrams) path.push(bytes, now_ms);
    return path.take(now_ms);
  }

  /** PX4 answers from a second thread: an answer takes its sequence number first and leaves one frame later. */
  #encode(messages: readonly Message[]): Uint8Array[] {
    const frames = messages.map((m) => this.#codec.encode(m));
    for (let i = 0; i + 1 < frames.length; i++) {
      const [a, b] = [frames[i], frames[i + 1]];
      if (messages[i]?.name !== "COMMAND_ACK" || !a || !b) continue;
      frames[i] = b;
      frames[i + 1] = a;
      i++;
    }
    return frames;
  }

  datagrams(): { readonly sent: number; readonly received: number } {
    return { sent: this.#sent, received: this.#received };
  }

  whenReceived(total: number): Promise<void> {
    if (this.#received >= total) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ total, done });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.close(() => {
        resolve();
      });
    });
  }
}
