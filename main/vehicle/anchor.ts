import { type Enu, enu, eulerFluEnu, ned, nedToEnu, quatFrdNedToFluEnu, wrapPi } from "#contract/frames";
import { num, nums, type VehicleMessage } from "./message";
import { identitySite, reanchored, type SiteTransform } from "./site-transform";

interface Sample {
  readonly counter: number;
  readonly local_enu_m: Enu;
  readonly velocity_enu_m_s: Enu;
  readonly yaw_enu_rad: number | null;
  readonly yaw_rate_rad_s: number;
  readonly time_s: number;
}

/**
 * Keeps the site where it is when the estimator moves its own frame (vision lost and found again, GPS regained, heading
 * aligned anew). A reset is told by ODOMETRY's reset counter; what position and heading jumped by, beyond what the motion
 * explains, is taken out of the transform. So neither the objects nor the plan seem to move
 * (PX4/PX4-Autopilot#7491, #11970).
 */
export interface Anchor {
  readonly site: SiteTransform;
  readonly last: Sample | null;
  /** How often the frame has moved since the start, and by how much last; NaN when it could not be told. */
  readonly resets: number;
  readonly last_jump_m: number;
  readonly last_turn_rad: number;
}

export const initialAnchor = (site: SiteTransform = identitySite): Anchor => ({
  site,
  last: null,
  resets: 0,
  last_jump_m: 0,
  last_turn_rad: 0,
});

/** Longer without odometry: the jump cannot be told from motion any more. */
const LONGEST_GAP_s = 1;
/** Less than three degrees between two samples is flying. */
const LEAST_TURN_rad = 0.05;

/**
 * `holds`: a world stands on this frame, because the vehicle flies. On the ground the estimator may still be finding its
 * frame (the first motion-capture pose, alignment), and the site goes along with it.
 */
export function stepAnchor(anchor: Anchor, message: VehicleMessage, holds = true): Anchor {
  const next = sampleOf(anchor.last, message);
  if (next === null) return anchor;
  const { last } = anchor;
  if (last === null || last.counter === next.counter) return { ...anchor, last: next };
  const counted = { ...anchor, last: next, resets: anchor.resets + 1 };
  const dt_s = next.time_s - last.time_s;
  if (!(dt_s >= 0 && dt_s <= LONGEST_GAP_s))
    return { ...counted, last_jump_m: Number.NaN, last_turn_rad: Number.NaN };
  const moved = (axis: 0 | 1 | 2): number =>
    next.local_enu_m[axis] - last.local_enu_m[axis] - last.velocity_enu_m_s[axis] * dt_s;
  const jump = enu(moved(0), moved(1), moved(2));
  const turn_rad = turned(last, next, dt_s);
  return {
    ...counted,
    site: holds ? reanchored(anchor.site, jump, turn_rad) : anchor.site,
    last_jump_m: Math.hypot(...jump),
    last_turn_rad: turn_rad,
  };
}

function sampleOf(last: Sample | null, message: VehicleMessage): Sample | null {
  if (message.name !== "ODOMETRY") return null;
  const counter = num(message, "reset_counter");
  const time_us = num(message, "time_usec");
  const p = nums(message, ["x", "y", "z"]);
  if (counter === null || time_us === null || p === null) return null;
  const local_enu_m = nedToEnu(ned(p[0], p[1], p[2]));
  const time_s = time_us / 1e6;
  return {
    counter,
    local_enu_m,
    velocity_enu_m_s: last === null ? enu(0, 0, 0) : velocity(last, local_enu_m, time_s, counter),
    yaw_enu_rad: yawOf(message.fields["q"]),
    // Clockwise seen from above, as FRD has it.
    yaw_rate_rad_s: -(num(message, "yawspeed") ?? 0),
    time_s,
  };
}

function turned(last: Sample, next: Sample, dt_s: number): number {
  if (last.yaw_enu_rad === null || next.yaw_enu_rad === null) return 0;
  const turn_rad = wrapPi(next.yaw_enu_rad - last.yaw_enu_rad - last.yaw_rate_rad_s * dt_s);
  return Math.abs(turn_rad) < LEAST_TURN_rad ? 0 : turn_rad;
}

function yawOf(value: unknown): number | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [w, x, y, z] = value.map(Number) as [number, number, number, number];
  const norm = Math.hypot(w, x, y, z);
  return norm > 0.5 && norm < 1.5 ? eulerFluEnu(quatFrdNedToFluEnu([w, x, y, z])).yaw_rad : null;
}

/** Between two samples of one frame; over a reset, the one before it still holds. */
function velocity(last: Sample, position: Enu, time_s: number, counter: number): Enu {
  const dt_s = time_s - last.time_s;
  if (counter !== last.counter || !(dt_s > 0)) return last.velocity_enu_m_s;
  const rate = (axis: 0 | 1 | 2): number => (position[axis] - last.local_enu_m[axis]) / dt_s;
  return enu(rate(0), rate(1), rate(2));
}
