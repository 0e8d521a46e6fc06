import type { LockstepClock } from "../platform/lockstep-clock";
import type { Sight } from "./sight";
import type { VehicleLink } from "./vehicle-link";

/** From now on the embedded vehicle drives the clock; each step waits for the datagrams and pictures sent in it. */
export async function joinBarrier(
  clock: LockstepClock,
  port: number,
  link: VehicleLink,
  sight: Sight,
  onLost: (why: string) => void,
): Promise<void> {
  await clock.join(port, {
    whenDatagrams: (total) => link.hub.whenReceived(total),
    whenFrames: (total) => sight.whenFrames(total, clock.now_ms()),
    datagramsSent: () => link.hub.datagrams().sent,
    onLost,
  });
}
