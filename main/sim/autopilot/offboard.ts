import { num } from "./fields";
import type { Incoming } from "./port";
import { emptySetpoint, type TrajectorySetpoint } from "./position-control";
import type { Vec3 } from "./vector";

const frameLocalNed = 1;
const frameBodyNed = 8;

/**
 * A setpoint from SET_POSITION_TARGET_LOCAL_NED, or null when PX4 would refuse it: another frame than LOCAL_NED (1) or
 * BODY_NED (8, velocities and accelerations turned by the heading), or nothing left to control.
 */
export function setpointFrom(message: Incoming, yaw_rad: number): TrajectorySetpoint | null {
  const frame = num(message, "coordinate_frame");
  if (frame !== frameLocalNed && frame !== frameBodyNed) return null;
  const mask = num(message, "type_mask");
  const read = (names: readonly [string, string, string], firstBit: number): Vec3 => {
    const one = (i: 0 | 1 | 2): number =>
      (mask >> (firstBit + i)) & 1 ? Number.NaN : num(message, names[i]);
    return [one(0), one(1), one(2)];
  };
  const body = frame === frameBodyNed;
  const turned = (v: Vec3): Vec3 => {
    if (!body) return v;
    const [c, s] = [Math.cos(yaw_rad), Math.sin(yaw_rad)];
    return [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]];
  };
  // A position in the body frame means nothing to PX4.
  const position: Vec3 = body ? emptySetpoint.position : read(["x", "y", "z"], 0);
  const velocity = turned(read(["vx", "vy", "vz"], 3));
  const acceleration = turned(read(["afx", "afy", "afz"], 6));
  if ([...position, ...velocity, ...acceleration].every((v) => Number.isNaN(v))) return null;
  const yaw = mask & 1024 ? Number.NaN : num(message, "yaw");
  const rate = mask & 2048 ? 0 : num(message, "yaw_rate");
  return {
    position,
    velocity,
    acceleration,
    yaw_rad: yaw,
    yaw_rate_rad_s: Number.isFinite(rate) ? rate : 0,
  };
}

/** Sticks from MANUAL_CONTROL: x pitch, y roll, r yaw in thousandths; z throttle from 0 to 1000. */
export function sticksFrom(
  message: Incoming,
): { roll: number; pitch: number; yaw: number; throttle: number } | null {
  const unit = (v: number): number => Math.max(-1, Math.min(1, v / 1000));
  const values = ["x", "y", "z", "r"].map((f) => num(message, f));
  if (values.some((v) => v === 32767)) return null;
  const [x = 0, y = 0, z = 0, r = 0] = values;
  return { pitch: unit(x), roll: unit(y), throttle: unit(2 * z - 1000), yaw: unit(r) };
}
