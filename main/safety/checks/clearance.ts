import { groundRoles, sweptClearance } from "../../world/swept";
import { type Check, measured, unmeasured } from "./check";
import { flownPath, leaving, vehicleShape } from "./swept-path";

const label = "Clearance";

/** Smallest gap between the swept vehicle and the site's known structure. Take-off and landing are meant to touch ground and pad. */
export const clearance: Check = (input) => {
  const { site, limits, simulation } = input.context;
  if (site === null)
    return unmeasured(
      "clearance",
      label,
      "No site is loaded, so no structure is known",
      simulation ? "caution" : "fail",
    );
  const path = flownPath(input);
  if (path.length === 0) return unmeasured("clearance", label, "No path to check");
  const { skill } = input.proposal.call;
  const exempt = skill === "take_off" || skill === "land" ? groundRoles : undefined;
  const gap = (points: typeof path): ReturnType<typeof sweptClearance> =>
    sweptClearance(points, vehicleShape(limits), site.shapes, exempt);
  const closest = gap(path);
  const needed = limits.clearance_m;
  const finding = measured({
    id: "clearance",
    label,
    value: closest.distance_m,
    needed,
    unit: "m",
    sense: "at_least",
    thin: 0.2,
    detail:
      closest.what === null
        ? "No known structure near the path"
        : `${closest.distance_m.toFixed(2)} m to ${closest.what}, needs ${needed.toFixed(2)} m`,
  });
  return leaving(
    finding,
    gap(path.slice(0, 1)).distance_m,
    closest.distance_m,
    gap(path.slice(-1)).distance_m,
    needed,
  );
};
