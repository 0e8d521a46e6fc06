import { idleMission } from "#contract/mission";
import type { SafetyState } from "#contract/safety";
import type { StationStatus } from "#contract/station";

/** What the stores hold until the station has spoken: nothing is known, nothing is claimed. */
export const unknownStation: StationStatus = {
  address: "",
  vehicle_kind: "none",
  simulation: false,
  scene: "",
  seed: null,
  recording: null,
  now_ms: 0,
  utc_ms: 0,
  emergency: [],
  site: null,
  pushable: [],
};

export const noMission = idleMission("");

export const nothingWatched: SafetyState = {
  profile: "flight",
  score: null,
  level: "unknown",
  worst: null,
  worst_displacement_m: 0,
  seen: 0,
  total: 0,
  objects: [],
  frame_seq: null,
  at_ms: 0,
};
