import type { Snapshot } from "#contract/ipc";
import { idleMission } from "#contract/mission";
import type { Clock } from "../platform/clock";
import { rulesPolicy } from "../reasoning/rules/policy";
import { initialDisplacement, safetyView } from "../safety/displacement";
import { initialVehicle } from "../vehicle";

/** What the screens show while no vehicle is connected: empty, not invented. */
export function nothingConnected(clock: Clock): Omit<Snapshot, "alerts" | "settings"> {
  return {
    station: {
      address: "",
      vehicle_kind: "none",
      simulation: false,
      scene: "",
      seed: null,
      recording: null,
      now_ms: clock.now_ms(),
      utc_ms: clock.utc_ms(),
      emergency: [],
      site: null,
      pushable: [],
    },
    vehicle: initialVehicle(),
    links: [],
    mission: idleMission(rulesPolicy.name),
    approval: null,
    safety: safetyView(initialDisplacement, clock.now_ms()),
    perception: null,
  };
}
