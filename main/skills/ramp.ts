import { wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { Limits } from "#contract/safety";

/** Time from standstill to full speed. PX4 follows position setpoints without smoothing them, so they are smoothed here. */
const ramp_s = 1;

/** Share of the way (0 to 1) after `t_s` of a trapezoidal speed profile over `length` at most `speed`. */
export function rampShare(length: number, speed: number, t_s: number): number {
  if (!(length > 0)) return 1;
  if (!(t_s > 0)) return 0;
  const acceleration = speed / ramp_s;
  const top = Math.min(speed, Math.sqrt(length * acceleration));
  const rise_s = top / acceleration;
  const total_s = length / top + rise_s;
  if (t_s >= total_s) return 1;
  const left_s = total_s - t_s;
  if (t_s <= rise_s) return (acceleration * t_s ** 2) / 2 / length;
  if (left_s <= rise_s) return 1 - (acceleration * left_s ** 2) / 2 / length;
  return (top * (t_s - rise_s / 2)) / length;
}

/** Setpoint on the way from `start` to `end`, `t_s` after setting off: along the line, the heading turning beside it. */
export function rampPose(start: PoseYaw, end: PoseYaw, t_s: number, limits: Limits): PoseYaw {
  const a = start.position_enu_m;
  const b = end.position_enu_m;
  const length_m = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  const share = rampShare(length_m, limits.speed_max_m_s, t_s);
  const turn_rad = wrapPi(end.yaw_enu_rad - start.yaw_enu_rad);
  const turned = rampShare(Math.abs(turn_rad), limits.yaw_rate_max_rad_s, t_s);
  if (share >= 1 && turned >= 1) return end;
  return {
    position_enu_m: [
      a[0] + (b[0] - a[0]) * share,
      a[1] + (b[1] - a[1]) * share,
      a[2] + (b[2] - a[2]) * share,
    ],
    yaw_enu_rad: wrapPi(start.yaw_enu_rad + turn_rad * turned),
  };
}
