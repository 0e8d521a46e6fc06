import { createConnection, createServer, type Server, type Socket } from "node:net";
import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import type { LinkProblem, Transport, TransportEvents } from "./port";
import { socketProblem } from "./problems";

export interface TcpOptions {
  readonly address: string;
  readonly host: string;
  readonly port: number;
}

const RECONNECT_ms = 1000;
const CONNECT_TIMEOUT_ms = 5000;

/** Connects to a vehicle or a serial server, and again whenever the connection is lost. */
export class TcpOutTransport implements Transport {
  readonly kind = "stream";
  readonly #options: TcpOptions;
  readonly #clock: Clock;
  #socket: Socket | undefined;
  #cancelRetry: Cancel = () => {};
  #closed = false;

  constructor(options: TcpOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  async open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    const first = await this.#connect();
    if (!first.ok) return first;
    this.#use(first.value, events);
    return ok(undefined);
  }

  write(bytes: Uint8Array): number {
    if (this.#socket === undefined) return 0;
    this.#socket.write(bytes);
    return 1;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry();
    this.#socket?.destroy();
    this.#socket = undefined;
    return Promise.resolve();
  }

  #connect(): Promise<Result<Socket, LinkProblem>> {
    const { host, port, address } = this.#options;
    return new Promise((settle) => {
      const socket = createConnection({ host, port, noDelay: true });
      const give = (error: unknown): void => {
        cancel();
        socket.destroy();
        settle(err(socketProblem(error, address)));
      };
      const cancel = this.#clock.after(CONNECT_TIMEOUT_ms, () => {
        give({ code: "ETIMEDOUT" });
      });
      socket.once("error", give);
      socket.once("connect", () => {
        cancel();
        socket.removeListener("error", give);
        settle(ok(socket));
      });
    });
  }

  #use(socket: Socket, events: TransportEvents): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.on("data", (bytes) => {
      events.data(bytes, "");
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      if (this.#closed) return;
      this.#socket = undefined;
      events.down(`${this.#options.address}: connection lost, trying again`);
      this.#retry(events);
    });
    events.up();
  }

  #retry(events: TransportEvents): void {
    this.#cancelRetry = this.#clock.after(RECONNECT_ms, () => {
      void this.#connect().then((result) => {
        if (this.#closed) {
          if (result.ok) result.value.destroy();
          return;
        }
        if (result.ok) this.#use(result.value, events);
        else this.#retry(events);
      });
    });
  }
}

/** Waits for vehicles or serial servers to connect; each connection is a peer. */
export class TcpInTransport implements Transport {
  readonly kind = "stream";
  readonly #options: TcpOptions;
  readonly #peers = new Map<string, Socket>();
  #server: Server | undefined;

  constructor(options: TcpOptions) {
    this.#options = options;
  }

  open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    const { host, port, address } = this.#options;
    return new Promise((settle) => {
      const server = createServer({ noDelay: true }, (socket) => {
        this.#serve(socket, events);
      });
      server.once("error", (error) => {
        settle(err(socketProblem(error, address)));
      });
      server.listen(port, host, () => {
        this.#server = server;
        settle(ok(undefined));
      });
    });
  }

  write(bytes: Uint8Array, to: string | undefined): number {
    let sent = 0;
    for (const [name, socket] of this.#peers) {
      if (to !== undefined && to !== name) continue;
      socket.write(bytes);
      sent++;
    }
    return sent;
  }

  close(): Promise<void> {
    for (const socket of this.#peers.values()) socket.destroy();
    this.#peers.clear();
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return Promise.resolve();
    return new Promise((done) => {
      server.close(() => {
        done();
      });
    });
  }

  #serve(socket: Socket, events: TransportEvents): void {
    const name = `${socket.remoteAddress ?? "?"}:${String(socket.remotePort ?? 0)}`;
    this.#peers.set(name, socket);
    socket.on("data", (bytes) => {
      events.data(bytes, name);
    });
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#peers.delete(name);
      if (this.#server !== undefined && this.#peers.size === 0) {
        events.down(`${this.#options.address}: nobody is connected`);
      }
    });
    events.up();
  }
}
