import { type Enu, enu, ned, nedToEnu } from "#contract/frames";
import { num, nums, type VehicleMessage } from "./message";
import { identitySite, reanchored, type SiteTransform } from "./site-transform";

/**
 * Keeps the site where it is when the estimator moves its own frame (vision lost and found again, GPS regained). A reset is
 * told by ODOMETRY's reset counter; what the position jumped by, beyond what its velocity explains, is taken out of the
 * transform. So neither the objects nor the plan seem to move (PX4/PX4-Autopilot#7491, #11970).
 */
export interface Anchor {
  readonly site: SiteTransform;
  readonly last: {
    readonly counter: number;
    readonly local_enu_m: Enu;
    readonly velocity_enu_m_s: Enu;
    readonly time_s: number;
  } | null;
  /** How often the frame has moved since the start, and by how much last. */
  readonly resets: number;
  readonly last_jump_m: number;
}

export const initialAnchor = (site: SiteTransform = identitySite): Anchor => ({
  site,
  last: null,
  resets: 0,
  last_jump_m: 0,
});

/** Longer without odometry: the jump cannot be told from motion any more. */
const LONGEST_GAP_s = 1;

export function stepAnchor(anchor: Anchor, message: VehicleMessage): Anchor {
  if (message.name !== "ODOMETRY") return anchor;
  const counter = num(message, "reset_counter");
  const time_us = num(message, "time_usec");
  const p = nums(message, ["x", "y", "z"]);
  if (counter === null || time_us === null || p === null) return anchor;
  const local_enu_m = nedToEnu(ned(p[0], p[1], p[2]));
  const time_s = time_us / 1e6;
  const { last } = anchor;
  const velocity_enu_m_s = last === null ? enu(0, 0, 0) : velocity(last, local_enu_m, time_s, counter);
  const next = { counter, local_enu_m, velocity_enu_m_s, time_s };
  if (last === null || last.counter === counter) return { ...anchor, last: next };
  const dt_s = time_s - last.time_s;
  if (!(dt_s >= 0 && dt_s <= LONGEST_GAP_s))
    return { ...anchor, last: next, resets: anchor.resets + 1, last_jump_m: Number.NaN };
  const moved = (axis: 0 | 1 | 2): number =>
    local_enu_m[axis] - last.local_enu_m[axis] - last.velocity_enu_m_s[axis] * dt_s;
  const jump = enu(moved(0), moved(1), moved(2));
  return {
    site: reanchored(anchor.site, jump),
    last: next,
    resets: anchor.resets + 1,
    last_jump_m: Math.hypot(...jump),
  };
}

/** Between two samples of one frame; over a reset, the one before it still holds. */
function velocity(last: NonNullable<Anchor["last"]>, position: Enu, time_s: number, counter: number): Enu {
  const dt_s = time_s - last.time_s;
  if (counter !== last.counter || !(dt_s > 0)) return last.velocity_enu_m_s;
  const rate = (axis: 0 | 1 | 2): number => (position[axis] - last.local_enu_m[axis]) / dt_s;
  return enu(rate(0), rate(1), rate(2));
}
