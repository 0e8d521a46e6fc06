import { highestTop } from "../../world/fence";
import { type Check, measured, unmeasured } from "./check";
import { flownPath, vehicleShape } from "./swept-path";

const label = "Ceiling";

/** Height of the vehicle's highest point above the pad (above home when no site is loaded). */
export const ceiling: Check = (input) => {
  const { site, vehicle, limits } = input.context;
  const ground_m = site?.pad_enu_m[2] ?? vehicle.home_enu_m?.[2];
  const path = flownPath(input);
  if (ground_m === undefined)
    return unmeasured("ceiling", label, "Neither pad nor home is known to measure height from");
  if (path.length === 0) return unmeasured("ceiling", label, "No path to check");
  const top_m = highestTop(path, vehicleShape(limits)) - ground_m;
  const finding = measured({
    id: "ceiling",
    label,
    value: top_m,
    needed: limits.ceiling_m,
    unit: "m",
    sense: "at_most",
    detail: `Top of the vehicle ${top_m.toFixed(2)} m above the ${site === null ? "home position" : "pad"}, at most ${limits.ceiling_m.toFixed(2)} m`,
  });
  const end = path.slice(-1);
  const descends =
    highestTop(end, vehicleShape(limits)) - ground_m <= limits.ceiling_m &&
    (path[0]?.[2] ?? NaN) - ground_m >= top_m - limits.vehicle_height_m / 2 - 0.01;
  return finding.status === "fail" && descends
    ? { ...finding, status: "caution", detail: `${finding.detail}; it starts too high and descends` }
    : finding;
};
