import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Snapshot } from "#contract/ipc";
import type { ApprovalCard } from "#contract/mission";
import type { ApprovalMode } from "../../main/dispatch/approvals";
import { LockstepClock } from "../../main/platform/lockstep-clock";
import { openLogger } from "../../main/platform/logger";
import { homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";

export interface LockstepStation {
  readonly station: Station;
  readonly folder: string;
  /** Resolves at the first change of mission, card, vehicle or emergency for which `holds` is true. */
  until(holds: (s: Snapshot) => boolean): Promise<Snapshot>;
  /** The next card whose token differs from `after`. */
  card(after?: ApprovalCard): Promise<ApprovalCard>;
  /** Waits out the dwell of simulated time, then approves. */
  approve(card: ApprovalCard): Promise<void>;
  close(): Promise<void>;
}

/** A whole station and its embedded vehicle on simulated time: real processes, real sockets, no waiting. */
export async function lockstepStation(
  options: { approvals?: ApprovalMode; embeddedArgs?: readonly string[]; address?: string } = {},
): Promise<LockstepStation> {
  const folder = await mkdtemp(join(tmpdir(), "kingfisher-scenario-"));
  const home = homePaths({ KINGFISHER_HOME: folder });
  const station = await createStation({
    clock: new LockstepClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "scenario" }),
    address: options.address ?? "sim://office?seed=1",
    approvals: options.approvals ?? "ask",
    embeddedArgs: options.embeddedArgs ?? [],
  });
  const until = (holds: (s: Snapshot) => boolean): Promise<Snapshot> =>
    new Promise((resolve) => {
      const look = (): void => {
        const now = station.snapshot();
        if (!holds(now)) return;
        unlisten();
        resolve(now);
      };
      const unlisten = station.on((name) => {
        if (name === "vehicle" || name === "mission" || name === "approval" || name === "station") look();
      });
      look();
    });
  const card = async (after?: ApprovalCard): Promise<ApprovalCard> => {
    const seen = await until((s) => s.approval !== null && s.approval.token !== after?.token);
    if (seen.approval === null) throw new Error("Invariant: waited for a card");
    return seen.approval;
  };
  await until(
    (s) =>
      s.vehicle.connected &&
      s.vehicle.position_enu_m !== null &&
      s.perception !== null &&
      s.vehicle.arming.every((i) => i.severity !== "blocks"),
  );
  return {
    station,
    folder,
    until,
    card,
    approve: async (shown) => {
      await until((s) => s.station.now_ms >= shown.dwell_until_ms);
      const taken = await station.handlers["approval.decide"]({ kind: "approve", token: shown.token });
      if (!taken.ok) throw new Error(taken.reason);
    },
    close: async () => {
      await station.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
