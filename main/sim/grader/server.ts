import { existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type GraderHello, type GraderMessage, graderPeriod_ms } from "#contract/grader-wire";
import { err, ok, type Result } from "#contract/result";
import type { Happening, Simulation } from "../simulation";
import { helloOf, TruthReader } from "./truth";

/** A reader that is this far behind loses truths in real time; on simulated time the world waits for it. */
const backlog_bytes = 4_000_000;

/**
 * Serves the ground truth (contract/grader-wire.ts) to whoever grades. One way: nothing that a reader sends is looked at,
 * and the world runs the same bits with and without readers.
 */
export class GraderServer {
  readonly #server: Server;
  readonly #hello: GraderHello;
  readonly #simulation: Simulation;
  readonly #truth: TruthReader;
  readonly #every: boolean;
  readonly #readers = new Set<Socket>();
  #next_ms: number = graderPeriod_ms;

  /** `every` (simulated time): no truth is ever dropped, whatever the reader's speed. */
  static async listen(
    path: string,
    simulation: Simulation,
    every: boolean,
  ): Promise<Result<GraderServer, string>> {
    if (process.platform !== "win32" && existsSync(path)) rmSync(path, { force: true });
    const server = createServer();
    const grader = new GraderServer(server, simulation, every);
    return await new Promise((resolve) => {
      server.once("error", (error) => {
        resolve(err(`grader socket ${path}: ${error.message}`));
      });
      server.listen(path, () => {
        resolve(ok(grader));
      });
    });
  }

  private constructor(server: Server, simulation: Simulation, every: boolean) {
    this.#server = server;
    this.#hello = helloOf(simulation);
    this.#simulation = simulation;
    this.#truth = new TruthReader(simulation);
    this.#every = every;
    server.on("connection", (socket) => {
      this.#admit(socket);
    });
    simulation.onHappening = (happening) => {
      this.#tell(happening);
    };
  }

  /** After every slice of simulated time: looks at contacts, and tells the truth when it is due. */
  slice(): void {
    // In real time the truth costs nothing while nobody reads it.
    if (!this.#every && this.#readers.size === 0) return;
    this.#truth.look();
    const now_ms = Math.round(this.#simulation.time_s * 1000);
    if (now_ms < this.#next_ms) return;
    this.#next_ms = (Math.floor(now_ms / this.#hello.period_ms) + 1) * this.#hello.period_ms;
    const truth = this.#truth.take();
    for (const reader of this.#readers)
      if (this.#every || reader.writableLength < backlog_bytes) write(reader, truth);
  }

  /** On simulated time the world begins when its grader is there, so that one seed gives one record of the truth. */
  async reader(): Promise<void> {
    if (this.#readers.size > 0) return;
    await new Promise<void>((resolve) => {
      this.#server.once("connection", () => {
        resolve();
      });
    });
  }

  /** On simulated time: resolves at once, or when a slow reader has caught up. */
  async drained(): Promise<void> {
    for (const reader of this.#readers) {
      if (reader.writableLength < backlog_bytes) continue;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          reader.off("drain", go);
          reader.off("close", go);
          resolve();
        };
        reader.on("drain", go);
        reader.on("close", go);
      });
    }
  }

  /** Readers get everything that was written, then the end. */
  async close(): Promise<void> {
    const left = [...this.#readers].map(
      (reader) =>
        new Promise<void>((resolve) => {
          reader.once("close", () => {
            resolve();
          });
          reader.end(line({ kind: "end", t_ms: Math.round(this.#simulation.time_s * 1000) }));
        }),
    );
    await Promise.all(left);
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #tell({ what, to, detail }: Happening): void {
    const t_ms = Math.round(this.#simulation.time_s * 1000);
    for (const reader of this.#readers) write(reader, { kind: "event", t_ms, what, to, detail });
  }

  #admit(socket: Socket): void {
    this.#readers.add(socket);
    socket.on("error", () => {
      socket.destroy();
    });
    socket.on("close", () => {
      this.#readers.delete(socket);
    });
    // Read and thrown away, so that the other end's leaving is noticed.
    socket.resume();
    write(socket, this.#hello);
  }
}

const line = (message: GraderMessage): string => `${JSON.stringify(message)}\n`;

function write(socket: Socket, message: GraderMessage): void {
  if (socket.writable) socket.write(line(message));
}
