import { existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type CameraFrame, type CameraHello, cameraMagic } from "#contract/camera-wire";
import { err, ok, type Result } from "#contract/result";
import type { FrameOut } from "./camera";

/** Packs one packet of the camera socket (contract/camera-wire.ts). */
export function packet(header: CameraHello | CameraFrame, payload: Uint8Array): Buffer {
  const text = Buffer.from(JSON.stringify(header), "utf8");
  const out = Buffer.allocUnsafe(12 + text.length + payload.length);
  out.writeUInt32LE(cameraMagic, 0);
  out.writeUInt32LE(text.length, 4);
  out.writeUInt32LE(payload.length, 8);
  text.copy(out, 12);
  out.set(payload, 12 + text.length);
  return out;
}

interface Client {
  readonly socket: Socket;
  /** The frame that waits for a slow reader; a newer one takes its place. */
  waiting: FrameOut | null;
}

/** Serves one camera to any number of readers: hello, then frames. */
export class CameraServer {
  readonly #server: Server;
  readonly #clients = new Set<Client>();
  readonly #hello: CameraHello;
  readonly #every: boolean;
  #promised = 0;
  #order = Promise.resolve();

  /** `every` (simulated time): no frame is ever dropped, whatever the reader's speed. */
  static async listen(
    path: string,
    hello: CameraHello,
    every: boolean,
  ): Promise<Result<CameraServer, string>> {
    if (process.platform !== "win32" && existsSync(path)) rmSync(path, { force: true });
    const server = createServer();
    const camera = new CameraServer(server, hello, every);
    return await new Promise((resolve) => {
      server.once("error", (error) => {
        resolve(err(`camera socket ${path}: ${error.message}`));
      });
      server.listen(path, () => {
        resolve(ok(camera));
      });
    });
  }

  private constructor(server: Server, hello: CameraHello, every: boolean) {
    this.#server = server;
    this.#hello = hello;
    this.#every = every;
    server.on("connection", (socket) => {
      this.#admit(socket);
    });
  }

  /** Frames sent or promised since start: what the clock barrier counts. */
  get frames(): number {
    return this.#promised;
  }

  get readers(): number {
    return this.#clients.size;
  }

  /** On simulated time the world begins when somebody looks, so that one seed exposes the same pictures. */
  async reader(): Promise<void> {
    if (this.#clients.size > 0) return;
    await new Promise<void>((resolve) => {
      this.#server.once("connection", () => {
        resolve();
      });
    });
  }

  #send(frame: FrameOut): void {
    for (const client of this.#clients) {
      if (!this.#every && client.socket.writableLength > 0) client.waiting = frame;
      else client.socket.write(packet(frame.header, frame.payload));
    }
  }

  /** Counts a picture now and sends it once it is drawn, in the order of the promises. */
  promise(picture: FrameOut | Promise<FrameOut>): void {
    if (this.#clients.size === 0) return;
    this.#promised++;
    this.#order = this.#order.then(async () => {
      this.#send(await picture);
    });
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
  }

  #admit(socket: Socket): void {
    const client: Client = { socket, waiting: null };
    this.#clients.add(client);
    socket.on("error", () => {
      socket.destroy();
    });
    socket.on("close", () => {
      this.#clients.delete(client);
    });
    socket.on("drain", () => {
      const next = client.waiting;
      client.waiting = null;
      if (next !== null) socket.write(packet(next.header, next.payload));
    });
    socket.resume();
    socket.write(packet(this.#hello, new Uint8Array(0)));
  }
}
