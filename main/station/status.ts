import type { EmergencyState, StationStatus } from "#contract/station";
import type { Clock } from "../platform/clock";
import type { StationAddress } from "./address";
import { airframeOf } from "./airframe";
import type { Embedded } from "./embedded";

/** What the station is connected to, from what the session knows of it. */
export function stationStatus(
  session: {
    readonly address: StationAddress;
    readonly clock: Clock;
    readonly recording: string | null;
    readonly emergency: readonly EmergencyState[];
  },
  embedded: Embedded | null,
): StationStatus {
  const { address, clock, recording, emergency } = session;
  return {
    address: address.text,
    vehicle_kind: address.kind,
    simulation: address.kind !== "hardware",
    scene: address.embedded?.scene ?? "",
    seed: address.embedded?.seed ?? null,
    recording,
    now_ms: clock.now_ms(),
    utc_ms: clock.utc_ms(),
    emergency,
    site: embedded?.site ?? null,
    pushable: embedded?.pushable ?? [],
    airframe: airframeOf(address),
  };
}
