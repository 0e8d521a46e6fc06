import type { Clock } from "../platform/clock";
import type { BarrierServer } from "./barrier";
import type { CameraServer } from "./camera/server";
import type { GraderServer } from "./grader/server";
import type { MavlinkServer } from "./mavlink-server";
import type { Simulation } from "./simulation";

export interface Parts {
  readonly simulation: Simulation;
  readonly mavlink: MavlinkServer;
  readonly camera: CameraServer | null;
  /** Null unless somebody asked for the ground truth. */
  readonly grader?: GraderServer | null;
}

/** One barrier step, and how often the link is served in real time. */
const slice_s = 0.01;

/** Runs one slice: physics, then everything that leaves the vehicle. Messages that arrived are handled first. */
function slice({ simulation, mavlink, camera, grader }: Parts): void {
  const steps = Math.round(slice_s / simulation.world.timestep_s);
  const looking = camera !== null && camera.readers > 0;
  if (simulation.camera !== null && camera !== null) simulation.camera.wanted = camera.wanted;
  for (let i = 0; i < steps; i++) simulation.step(looking);
  if (simulation.linkCut) mavlink.discard(simulation.autopilot);
  else if (!simulation.linkFrozen) mavlink.exchange(simulation.autopilot, simulation.time_s * 1000);
  for (const picture of simulation.pictures()) camera?.promise(picture);
  for (const view of simulation.camera?.takeViews(simulation.time_s) ?? []) camera?.view(view);
  grader?.slice();
}

/**
 * Simulated time driven by the station over the counted barrier, as fast as both can: nobody advances before both have
 * received everything the other sent. Resolves when the station leaves or `stopped` says so.
 */
export async function runLockstep(
  parts: Parts,
  barrier: BarrierServer,
  stopped: () => boolean,
): Promise<void> {
  await barrier.station();
  await Promise.all([parts.camera?.reader(), parts.grader?.reader()]);
  while (!stopped()) {
    slice(parts);
    await parts.grader?.drained();
    const done = await barrier.step({
      kind: "step",
      t_ms: Math.round(parts.simulation.time_s * 1000),
      datagrams: parts.mavlink.datagrams().sent,
      frames: parts.camera?.frames ?? 0,
    });
    if (done === null) return;
    await parts.mavlink.whenReceived(done.datagrams);
  }
}

export interface Pace {
  /** Simulated seconds per second; infinity is as fast as possible. */
  readonly speed: number;
  readonly clock: Clock;
  /** Told when simulated time falls behind; the lost time is given up, never caught up in a rush. */
  readonly onLag: (lag_ms: number) => void;
  readonly stopped: () => boolean;
}

/** Most that one turn may catch up before other work of the process gets a turn. */
const burst_ms = 40;
const giveUp_ms = 400;

/** Simulated time follows the clock. Resolves when `stopped` says so. */
export async function runPaced(parts: Parts, pace: Pace): Promise<void> {
  const { clock, speed } = pace;
  let zero_ms = clock.now_ms();
  const due_ms = (): number =>
    speed === Number.POSITIVE_INFINITY ? 0 : zero_ms + (parts.simulation.time_s * 1000) / speed;
  while (!pace.stopped()) {
    const began_ms = clock.now_ms();
    while (due_ms() <= clock.now_ms() && clock.now_ms() - began_ms < burst_ms) slice(parts);
    // Faster than pictures can be drawn, the flight waits for them.
    await parts.simulation.camera?.drawn(2);
    const lag_ms = speed === Number.POSITIVE_INFINITY ? 0 : clock.now_ms() - due_ms();
    if (lag_ms > giveUp_ms) {
      pace.onLag(lag_ms);
      zero_ms += lag_ms;
    }
    const wait_ms = Math.max(0, Math.min(10, due_ms() - clock.now_ms()));
    await new Promise<void>((resolve) => {
      clock.after(wait_ms, resolve);
    });
  }
}
