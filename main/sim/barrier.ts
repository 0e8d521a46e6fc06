import { createServer, type Server, type Socket } from "node:net";
import { BarrierDone, type BarrierStep } from "#contract/barrier-wire";
import { err, ok, type Result } from "#contract/result";

/** The sim's end of the clock barrier (contract/barrier-wire.ts): one station at a time, on loopback. */
export class BarrierServer {
  readonly port: number;
  readonly #server: Server;
  #station: Socket | null = null;
  #text = "";
  #answer: ((done: BarrierDone | null) => void) | null = null;
  #arrival: (() => void) | null = null;
  #gone = false;

  static async listen(port: number): Promise<Result<BarrierServer, string>> {
    const server = createServer({ noDelay: true });
    return await new Promise((resolve) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const why = error.code === "EADDRINUSE" ? "is in use" : error.message;
        resolve(err(`barrier port ${port} ${why}`));
      });
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        resolve(ok(new BarrierServer(server, typeof address === "object" && address ? address.port : port)));
      });
    });
  }

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
    server.on("connection", (socket) => {
      if (this.#station !== null) {
        socket.destroy();
        return;
      }
      this.#station = socket;
      socket.setEncoding("utf8");
      socket.on("data", (text: string) => {
        this.#read(text);
      });
      const leave = (): void => {
        this.#gone = true;
        this.#answer?.(null);
        this.#arrival?.();
      };
      socket.on("error", leave);
      socket.on("close", leave);
      this.#arrival?.();
    });
  }

  /** Resolves when a station has connected. */
  async station(): Promise<void> {
    if (this.#station !== null) return;
    await new Promise<void>((resolve) => {
      this.#arrival = resolve;
    });
  }

  /** Announces a step and waits until the station has finished it; null once the station is gone. */
  async step(step: BarrierStep): Promise<BarrierDone | null> {
    const station = this.#station;
    if (station === null || this.#gone) return null;
    return await new Promise((resolve) => {
      this.#answer = resolve;
      station.write(`${JSON.stringify(step)}\n`);
    });
  }

  async close(): Promise<void> {
    this.#station?.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #read(text: string): void {
    this.#text += text;
    for (let end = this.#text.indexOf("\n"); end >= 0; end = this.#text.indexOf("\n")) {
      const line = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 1);
      const parsed = BarrierDone.safeParse(parseJson(line));
      // A station that does not speak the protocol cannot be waited for.
      if (!parsed.success) this.#station?.destroy();
      else this.#answer?.(parsed.data);
    }
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
