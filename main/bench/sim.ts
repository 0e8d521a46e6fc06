import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realClock } from "../platform/clock";
import { LockstepClock } from "../platform/lockstep-clock";
import { openLogger } from "../platform/logger";
import { homePaths } from "../platform/paths";
import { runSimBench, type SimBench } from "../sim/bench";
import { createStation } from "../station";

const command = "take off, move forward twice, turn right and land";

/** The vehicle's own figures beside bare MuJoCo, and how fast a whole mission goes with camera, monitor and recording. */
export async function runSimulationBench(
  say: (text: string) => void,
): Promise<SimBench & { readonly mission_realtime_factor: number; readonly mission_simulated_s: number }> {
  const vehicle = await runSimBench();
  say("Flying a whole mission on simulated time");
  const folder = await mkdtemp(join(tmpdir(), "kingfisher-bench-"));
  const home = homePaths({ KINGFISHER_HOME: folder });
  const wall = realClock();
  const station = await createStation({
    clock: new LockstepClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "bench" }),
    address: "sim://office?seed=1",
    approvals: "auto",
  });
  try {
    const until = (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const unlisten = station.on(() => {
          if (!holds()) return;
          unlisten();
          resolve();
        });
      });
    await until(() => {
      const { vehicle: v, perception } = station.snapshot();
      return perception !== null && v.connected && v.arming.every((i) => i.severity !== "blocks");
    });
    const begin = { wall_ms: wall.now_ms(), simulated_ms: station.snapshot().station.now_ms };
    const started = await station.startMission(command);
    if (!started.ok) throw new Error(started.error);
    await until(() => !["reasoning", "awaiting_approval", "executing"].includes(station.mission.phase));
    const simulated_ms = station.snapshot().station.now_ms - begin.simulated_ms;
    return {
      ...vehicle,
      mission_realtime_factor: simulated_ms / (wall.now_ms() - begin.wall_ms),
      mission_simulated_s: simulated_ms / 1000,
    };
  } finally {
    await station.close();
    await rm(folder, { recursive: true, force: true });
  }
}
