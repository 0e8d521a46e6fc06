import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import type { LinkProblem, Transport, TransportEvents } from "./port";
import { socketProblem } from "./problems";

export interface UdpOptions {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  /** Null: wait for peers and answer them (udpin). Else the peer at `host:port`, from this local port (udpout). */
  readonly bind: number | null;
}

/** A peer that has been silent for so long gets no broadcasts any more. */
const PEER_TIMEOUT_ms = 30_000;
const RECEIVE_BUFFER = 4 << 20;

export class UdpTransport implements Transport {
  readonly kind = "datagram";
  readonly #options: UdpOptions;
  readonly #clock: Clock;
  readonly #peers = new Map<string, { host: string; port: number; last_ms: number; fixed: boolean }>();
  #socket: Socket | undefined;
  #cancelExpiry: Cancel = () => {};

  constructor(options: UdpOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  async open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    const { address, host, port, bind } = this.#options;
    const resolved = await resolve(host, address);
    if (!resolved.ok) return resolved;
    const { ip, family } = resolved.value;
    const any = family === 6 ? "::" : "0.0.0.0";
    let bound = await this.#bind(
      bind === null ? { host: ip, port } : { host: any, port: bind },
      family,
      address,
    );
    if (!bound.ok && bind !== null && !address.includes("bind=")) {
      bound = await this.#bind({ host: any, port: 0 }, family, address);
    }
    if (!bound.ok) return bound;
    const socket = bound.value;
    this.#socket = socket;
    if (bind !== null) {
      this.#peers.set(key(ip, port), { host: ip, port, last_ms: Number.POSITIVE_INFINITY, fixed: true });
    }
    socket.on("message", (bytes, from) => {
      const name = key(from.address, from.port);
      const peer = this.#peers.get(name);
      if (peer === undefined) {
        this.#peers.set(name, {
          host: from.address,
          port: from.port,
          last_ms: this.#clock.now_ms(),
          fixed: false,
        });
      } else if (!peer.fixed) peer.last_ms = this.#clock.now_ms();
      events.data(bytes, name);
    });
    // ICMP "port unreachable" arrives here when the vehicle's process is gone; silence says the same to the operator.
    socket.on("error", () => {});
    this.#cancelExpiry = this.#clock.every(5000, () => {
      this.#expire();
    });
    return ok(undefined);
  }

  write(bytes: Uint8Array, to: string | undefined): number {
    const socket = this.#socket;
    if (socket === undefined) return 0;
    const one = to === undefined ? undefined : this.#peers.get(to);
    const peers = to === undefined ? [...this.#peers.values()] : one === undefined ? [] : [one];
    for (const peer of peers) socket.send(bytes, peer.port, peer.host, () => {});
    return peers.length;
  }

  close(): Promise<void> {
    this.#cancelExpiry();
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined) return Promise.resolve();
    return new Promise((done) => {
      socket.close(() => {
        done();
      });
    });
  }

  #expire(): void {
    const now_ms = this.#clock.now_ms();
    for (const [name, peer] of this.#peers) {
      if (!peer.fixed && now_ms - peer.last_ms > PEER_TIMEOUT_ms) this.#peers.delete(name);
    }
  }

  #bind(
    at: { host: string; port: number },
    family: 4 | 6,
    address: string,
  ): Promise<Result<Socket, LinkProblem>> {
    const socket = createSocket({ type: family === 6 ? "udp6" : "udp4", recvBufferSize: RECEIVE_BUFFER });
    return new Promise((settle) => {
      const fail = (error: Error): void => {
        socket.close();
        settle(err(socketProblem(error, address)));
      };
      socket.once("error", fail);
      socket.bind(at.port, at.host, () => {
        socket.removeListener("error", fail);
        settle(ok(socket));
      });
    });
  }
}

const key = (host: string, port: number): string => `${host}:${String(port)}`;

async function resolve(
  host: string,
  address: string,
): Promise<Result<{ ip: string; family: 4 | 6 }, LinkProblem>> {
  try {
    const found = await lookup(host);
    return ok({ ip: found.address, family: found.family === 6 ? 6 : 4 });
  } catch (error) {
    return err(socketProblem(error, address));
  }
}
