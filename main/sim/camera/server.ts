import { existsSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { type CameraFrame, type CameraHello, CameraSelect, cameraMagic } from "#contract/camera-wire";
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
  /** The cameras it asked for; null until it has, which means the main one. */
  selected: ReadonlySet<string> | null;
  text: string;
}

/** More than any selection takes: who sends more does not speak the protocol. */
const longest = 4096;
/** A selecting reader this far behind misses pictures. */
const mostQueued_bytes = 32 * 1024 * 1024;

/** Serves the cameras to any number of readers: hello, then frames of the main one or of those a reader has selected. */
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

  /** Readers of the main camera. */
  get readers(): number {
    return [...this.#clients].filter((client) => this.#wants(client, this.#hello.camera)).length;
  }

  /** Other cameras that some reader wants. */
  get wanted(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const client of this.#clients)
      for (const name of client.selected ?? []) if (name !== this.#hello.camera) names.add(name);
    return names;
  }

  #wants(client: Client, camera: string): boolean {
    return client.selected === null ? camera === this.#hello.camera : client.selected.has(camera);
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
    const camera = frame.header.camera ?? this.#hello.camera;
    for (const client of this.#clients) {
      if (!this.#wants(client, camera)) continue;
      // Several cameras share a selecting reader's socket: none of them may take another's place.
      const drops = !this.#every && client.selected === null;
      if (drops && client.socket.writableLength > 0) client.waiting = frame;
      else if (!this.#every && client.socket.writableLength > mostQueued_bytes) continue;
      else client.socket.write(packet(frame.header, frame.payload));
    }
  }

  /** Counts a picture now and sends it once it is drawn, in the order of the promises. */
  promise(picture: FrameOut | Promise<FrameOut>): void {
    if (this.readers === 0) return;
    this.#promised++;
    this.view(picture);
  }

  /** A picture of another camera, which the barrier does not count. */
  view(picture: FrameOut | Promise<FrameOut>): void {
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
    const client: Client = { socket, waiting: null, selected: null, text: "" };
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
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      this.#read(client, text);
    });
    socket.write(packet(this.#hello, new Uint8Array(0)));
  }

  #read(client: Client, text: string): void {
    client.text += text;
    for (let end = client.text.indexOf("\n"); end >= 0; end = client.text.indexOf("\n")) {
      const select = selectionOf(client.text.slice(0, end));
      client.text = client.text.slice(end + 1);
      const known = [this.#hello.camera, ...(this.#hello.others ?? []).map((other) => other.camera)];
      if (select === null || select.some((name) => !known.includes(name))) {
        client.socket.destroy();
        return;
      }
      client.selected = new Set(select);
    }
    if (client.text.length > longest) client.socket.destroy();
  }
}

function selectionOf(line: string): readonly string[] | null {
  try {
    const parsed = CameraSelect.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data.cameras : null;
  } catch {
    return null;
  }
}
