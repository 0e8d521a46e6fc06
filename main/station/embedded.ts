import type { ChildProcess } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import { Site } from "#contract/geometry";
import { err, ok, type Result } from "#contract/result";
import { endChild, forkChild } from "../platform/child";
import type { EmbeddedPlace } from "./address";

const Ready = z.looseObject({
  ready: z.literal(true),
  bind: z.number().int(),
  barrier: z.number().int().nullable(),
  pushable: z.array(z.string()),
});

export interface EmbeddedOptions extends EmbeddedPlace {
  readonly speed: "1" | "max";
  /** Further arguments for the vehicle: events, faults, wind. */
  readonly extra: readonly string[];
  readonly onText: (text: string) => void;
  readonly onExit: (why: string) => void;
}

/** The embedded vehicle, running in its own process; everything known of it came through its sockets and its site file. */
export interface Embedded {
  /** Where the station's link listens. */
  readonly link: string;
  readonly cameraSocket: string;
  readonly barrierPort: number | null;
  readonly site: Site;
  readonly pushable: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts the embedded vehicle on free ports. `listen` is called with the link's address before the vehicle is started,
 * so that not one datagram is lost.
 */
export async function startEmbedded(
  options: EmbeddedOptions,
  listen: (address: string) => Promise<Result<void, { message: string }>>,
): Promise<Result<Embedded, string>> {
  const folder = await mkdtemp(join(tmpdir(), "kingfisher-"));
  const port = await freeUdpPort();
  const link = `udpin://127.0.0.1:${String(port)}`;
  const listening = await listen(link);
  if (!listening.ok) return err(listening.error.message);
  const cameraSocket =
    process.platform === "win32" ? `\\\\.\\pipe\\kingfisher-${String(port)}` : join(folder, "camera.sock");
  const siteFile = join(folder, "site.json");
  let said = "";
  const child = forkChild("sim", {
    args: [
      ...["--scene", options.scene, "--seed", String(options.seed), "--speed", options.speed],
      ...(options.catalogue === null ? [] : ["--catalogue", options.catalogue]),
      ...(options.vehicle === null ? [] : ["--vehicle", options.vehicle]),
      ...(options.camera_mount === null ? [] : ["--camera-mount", options.camera_mount]),
      ...(options.camera_size === null ? [] : ["--camera-size", options.camera_size]),
      ...["--port", String(port), "--bind", "0", "--camera-socket", cameraSocket, "--site-out", siteFile],
      ...(options.speed === "max" ? ["--barrier", "0"] : []),
      ...options.extra,
    ],
    onText: (text) => {
      said = (said + text).slice(-2000);
      options.onText(text);
    },
  });
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const ready = await firstLine(child);
  if (ready === null) {
    await cleanUp();
    const reason = said.trim().split("\n").at(-1) ?? "";
    return err(reason === "" ? "The embedded vehicle did not start." : reason);
  }
  const parsed = Ready.parse(JSON.parse(ready));
  const site = Site.parse(JSON.parse(await readFile(siteFile, "utf8")));
  let closing = false;
  child.once("exit", (code, signal) => {
    if (!closing) options.onExit(`The embedded vehicle stopped (${signal ?? `exit ${String(code)}`}).`);
  });
  return ok({
    link,
    cameraSocket,
    barrierPort: parsed.barrier,
    site,
    pushable: parsed.pushable,
    close: async () => {
      closing = true;
      await endChild(child);
      await cleanUp();
    },
  });
}

/** The first line of stdout, or null when the process ends without one. */
function firstLine(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    if (child.stdout === null) {
      resolve(null);
      return;
    }
    const lines = createInterface({ input: child.stdout });
    lines.once("line", resolve);
    child.once("exit", () => {
      resolve(null);
    });
  });
}

/** A port nobody uses now. Another process may take it before the link opens it; then opening says so. */
async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.bind(0, "127.0.0.1", resolve);
  });
  const { port } = socket.address();
  await new Promise<void>((resolve) => {
    socket.close(() => {
      resolve();
    });
  });
  return port;
}
