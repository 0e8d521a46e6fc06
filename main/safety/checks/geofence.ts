import { fenceRoom } from "../../world/fence";
import { type Check, measured, unmeasured } from "./check";
import { flownPath, leaving, vehicleShape } from "./swept-path";

const label = "Fence";
/** Hover wander is 1.5 cm (1 sigma); three sigma and a little. */
export const fence_margin_m = 0.05;

/** Room between the whole vehicle and the site's fence along the path. */
export const geofence: Check = (input) => {
  const { site, limits, simulation } = input.context;
  if (site === null)
    return unmeasured(
      "geofence",
      label,
      "No site is loaded, so there is no fence",
      simulation ? "caution" : "fail",
    );
  const path = flownPath(input);
  if (path.length === 0) return unmeasured("geofence", label, "No path to check");
  const vehicle = vehicleShape(limits);
  const room = fenceRoom(path, vehicle, site.fence);
  const finding = measured({
    id: "geofence",
    label,
    value: room.distance_m,
    needed: fence_margin_m,
    unit: "m",
    sense: "at_least",
    detail: `${room.distance_m.toFixed(2)} m to the ${room.what ?? "fence"}, needs ${fence_margin_m.toFixed(2)} m`,
  });
  const at = (points: typeof path): number => fenceRoom(points, vehicle, site.fence).distance_m;
  return leaving(finding, at(path.slice(0, 1)), room.distance_m, at(path.slice(-1)), fence_margin_m);
};
