import { err, ok, type Result } from "#contract/result";

/** What kind of thing is at the other end; terms of flight differ (architecture.md). */
export type VehicleKind = "embedded" | "foreign_simulator" | "hardware";

export interface StationAddress {
  readonly text: string;
  readonly kind: VehicleKind;
  /** Set for `sim://`: what the embedded vehicle is started with. */
  readonly embedded: EmbeddedPlace | null;
}

export interface EmbeddedPlace {
  readonly scene: string;
  readonly seed: number;
  /** Another asset catalogue than the scene's own (`second`: its second pack), another aircraft than the default. */
  readonly catalogue: string | null;
  readonly vehicle: string | null;
  /** Which of its cameras, and how large a picture. */
  readonly camera_mount: string | null;
  readonly camera_size: string | null;
}

const known = ["seed", "catalogue", "vehicle", "camera-mount", "camera-size"];

/**
 * Everything that is not `sim://` is hardware, unless the caller says that a foreign simulator is there
 * (`--simulated`). A replay moves nothing, whatever is said.
 */
export function parseStationAddress(text: string, simulated: boolean): Result<StationAddress, string> {
  if (!text.startsWith("sim://"))
    return ok({ text, kind: simulated ? "foreign_simulator" : "hardware", embedded: null });
  const match = /^sim:\/\/([a-z0-9_-]*)(?:\?(.*))?$/i.exec(text);
  if (match === null) return err(`${text}: a simulator address looks like sim://office?seed=1`);
  const scene = match[1] === undefined || match[1] === "" ? "office" : match[1];
  const query = new URLSearchParams(match[2] ?? "");
  const unknown = [...query.keys()].find((key) => !known.includes(key));
  if (unknown !== undefined) return err(`${text}: unknown option "${unknown}"; known: ${known.join(", ")}`);
  const seed = query.get("seed") ?? "1";
  if (!/^\d{1,9}$/.test(seed))
    return err(`${text}: the seed must be a whole number from 0 to 999999999, not "${seed}"`);
  for (const name of ["catalogue", "vehicle"]) {
    const value = query.get(name);
    if (value !== null && !/^[a-z0-9-]+$/.test(value))
      return err(`${text}: the ${name} must be a name like those in resources, not "${value}"`);
  }
  const camera_mount = query.get("camera-mount");
  if (camera_mount !== null && camera_mount !== "body" && camera_mount !== "wrist")
    return err(`${text}: camera-mount must be body or wrist, not "${camera_mount}"`);
  const camera_size = query.get("camera-size");
  if (camera_size !== null && !/^\d{2,4}x\d{2,4}$/.test(camera_size))
    return err(`${text}: camera-size must look like 640x480, not "${camera_size}"`);
  const [catalogue, vehicle] = [query.get("catalogue"), query.get("vehicle")];
  const embedded = { scene, seed: Number(seed), catalogue, vehicle, camera_mount, camera_size };
  return ok({ text, kind: "embedded", embedded });
}
