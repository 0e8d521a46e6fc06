import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startHeartbeat } from "../../main/link/heartbeat";
import { createLinkHub } from "../../main/link/hub";
import type { LinkHub, Received } from "../../main/link/port";
import { openServices, type VehicleServices } from "../../main/link/services";
import { realClock } from "../../main/platform/clock";
import { appRoot } from "../../main/platform/paths";
import type { EventNews } from "../../main/vehicle/arming-events";
import { freePort } from "./free-port";

/** `kingfisher sim` in a process of its own, heard over real UDP by the link alone: no station, no dispatch. */
export interface SimLink {
  readonly hub: LinkHub;
  readonly services: VehicleServices;
  /** Every event so far, in order, none twice. */
  readonly news: readonly EventNews[];
  /** The next message that fits. */
  next(name: string, fits?: (fields: Received["fields"]) => boolean): Promise<Received>;
  /** The vehicle's process is gone at once. */
  kill(): void;
  close(): Promise<void>;
}

export async function simLink(args: readonly string[]): Promise<SimLink> {
  const clock = realClock();
  const port = await freePort();
  const hub = createLinkHub({ clock });
  const opened = await hub.open(`udpin://127.0.0.1:${String(port)}`);
  if (!opened.ok) throw new Error(opened.error.message);
  const next: SimLink["next"] = (name, fits = () => true) =>
    new Promise((resolve) => {
      const unhear = hub.onMessage((received) => {
        if (received.name !== name || !fits(received.fields)) return;
        unhear();
        resolve(received);
      });
    });
  const heard = next("HEARTBEAT");
  const cli = join(appRoot(), "out", "main", "cli.cjs");
  const sim: ChildProcess = spawn(
    process.execPath,
    [cli, "sim", "--port", String(port), "--bind", "0", "--json", ...args],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  const { stdout } = sim;
  if (stdout !== null)
    await new Promise((resolve) => createInterface({ input: stdout }).once("line", resolve));
  const beat = startHeartbeat(hub, clock);
  const awake = clock.every(200, () => {
    beat.alive(true);
  });
  await heard;
  const news: EventNews[] = [];
  const services = openServices({
    wire: hub,
    clock,
    target: { system_id: 1, component_id: 1 },
    autopilot: "px4",
    onEvent: (one) => news.push(one),
  });
  return {
    hub,
    services,
    news,
    next,
    kill: () => {
      sim.kill("SIGKILL");
    },
    close: async () => {
      awake();
      beat.stop();
      services.close();
      await hub.close();
      sim.kill("SIGTERM");
    },
  };
}
