import type { Snapshot } from "#contract/ipc";

/** What has to be true before the picture is taken. */
export interface SmokeView {
  readonly snapshot: Pick<Snapshot, "station" | "vehicle"> | null;
  readonly drawn: ReadonlySet<string>;
}

/** Names everything that is still missing, in the order in which it comes. */
export function missingForSmoke({ snapshot, drawn }: SmokeView): readonly string[] {
  const conditions: readonly (readonly [boolean, string])[] = [
    [snapshot !== null, "the station has not answered"],
    [snapshot?.station.vehicle_kind === "embedded", "the embedded vehicle has not been started"],
    [snapshot?.vehicle.connected === true, "the vehicle is not connected"],
    [drawn.has("twin"), "the twin has not drawn"],
    [drawn.has("camera"), "the camera has not drawn"],
  ];
  return conditions.filter(([met]) => !met).map(([, text]) => text);
}
