import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../platform/clock";
import type { RunningApp } from "./app-under-load";

/** How often each was carried through while the keys were pressed. */
export interface ServicesDone {
  readonly parameters: number;
  readonly logs: number;
  readonly missions: number;
}

const items = 300;
const look_ms = 200;

const waypoints = Array.from({ length: items }, (_, i) => ({
  command: 16,
  frame: 6,
  params: [0, null, 0, null] as [number, null, number, null],
  x: 473_977_418 + i,
  y: 85_455_939,
  z: 1.5,
  autocontinue: true,
  label: "",
  position_enu_m: null,
}));

/**
 * All parameters, the newest log and a mission of 300 items over and over, all three at once, asked for as the screens do.
 * The function it returns ends them and says how often each came through.
 */
export async function keepServicesBusy(
  { ask }: Pick<RunningApp, "ask">,
  clock: Clock,
): Promise<() => Promise<ServicesDone>> {
  const folder = await mkdtemp(join(tmpdir(), "kingfisher-bench-logs-"));
  const pause = (): Promise<void> =>
    new Promise((done) => {
      clock.after(look_ms, done);
    });
  let over = false;
  const again = async (what: string, once: (round: number) => Promise<void>): Promise<number> => {
    let done = 0;
    while (!over) {
      await once(done);
      done += 1;
    }
    if (done < 2) throw new Error(`bench estop: ${what} did not run beside the keys`);
    return done - 1;
  };
  const must = (what: string, answer: { readonly ok: boolean; readonly reason?: string }): void => {
    if (!answer.ok) throw new Error(`bench estop: ${what}: ${answer.reason ?? ""}`);
  };
  const running = Promise.all([
    again("parameters", async () => {
      must("parameters", await ask("parameters.refresh", {}));
      while (!over && (await ask("link.detail", {})).parameters.state !== "complete") await pause();
    }),
    again("logs", async (round) => {
      const listed = await ask("logs.list", {});
      must("logs", listed);
      const newest = listed.ok ? listed.value.at(-1) : undefined;
      if (newest === undefined) throw new Error("bench estop: the vehicle has no log to download");
      const into = join(folder, String(round));
      await mkdir(into);
      const begun = await ask("logs.download", { id: newest.id, folder: into });
      must("log download", begun);
      const id = begun.ok ? begun.value.transfer : "";
      for (;;) {
        const transfer = (await ask("link.detail", {})).transfers.find((one) => one.id === id);
        if (over || transfer === undefined || transfer.state !== "running") break;
        await pause();
      }
      await ask("transfer.cancel", { transfer: id });
      await ask("transfer.dismiss", { transfer: id });
    }),
    again("missions", async () => {
      must("mission", await ask("plan.write", { mission: waypoints, fence: null, rally: null }));
    }),
  ]);
  running.catch(() => {});
  return async () => {
    over = true;
    try {
      const [parameters, logs, missions] = await running;
      return { parameters, logs, missions };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}
