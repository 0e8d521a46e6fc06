import { type Check, measured, unmeasured } from "./check";

const label = "Link";

/** Age of the vehicle's last heartbeat on the station's clock. */
export const linkFresh: Check = ({ context: { vehicle, limits }, now_ms }) => {
  if (vehicle.heartbeat_at_ms === null)
    return unmeasured("link_fresh", label, "No heartbeat from the vehicle yet");
  const age_ms = now_ms - vehicle.heartbeat_at_ms;
  const finding = measured({
    id: "link_fresh",
    label,
    value: age_ms,
    needed: limits.link_age_max_ms,
    unit: "ms",
    sense: "at_most",
    detail: `Last heartbeat ${Math.round(age_ms).toString()} ms ago`,
  });
  return vehicle.connected
    ? finding
    : { ...finding, status: "fail", detail: "The link to the vehicle is lost" };
};
