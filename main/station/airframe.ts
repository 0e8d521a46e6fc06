import type { VehicleFile } from "#contract/airframe";
import { defaultVehicle, loadVehicle } from "../platform/vehicle-file";
import type { StationAddress } from "./address";

/** Read once: a file does not change under a running station. */
const files = new Map<string, VehicleFile | null>();

/**
 * The embedded vehicle's file: what the judge and the twin know of the aircraft. Null where nobody has said what flies (the
 * operator's figures hold then), and for a name without a file, which the vehicle itself refuses when it starts.
 */
export function airframeOf({ embedded }: StationAddress): VehicleFile | null {
  if (embedded === null) return null;
  const id = embedded.vehicle ?? defaultVehicle;
  let file = files.get(id);
  if (file === undefined) {
    const loaded = loadVehicle(id);
    file = loaded.ok ? loaded.value : null;
    files.set(id, file);
  }
  return file;
}
