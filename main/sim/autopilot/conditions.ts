import type { Estimate } from "./estimator";
import type { FailsafeFlags } from "./failsafe";
import { type Fence, outsideFence } from "./fence";
import type { Parameters } from "./parameters";
import { turn, type Vec3 } from "./vector";

/** BAT_LOW_THR, BAT_CRIT_THR and BAT_EMERGEN_THR on a state of charge. */
export function batteryLevel(remaining: number, p: Parameters): FailsafeFlags["battery"] {
  if (!(remaining >= p.get("BAT_EMERGEN_THR"))) return "emergency";
  if (!(remaining >= p.get("BAT_CRIT_THR"))) return "critical";
  return remaining >= p.get("BAT_LOW_THR") ? "ok" : "low";
}

/** The fence items, and the plain cylinder of GF_MAX_HOR_DIST and GF_MAX_VER_DIST about home. */
export function fenceBreached(position: Vec3, home: Vec3, fence: Fence, p: Parameters): boolean {
  const far = p.get("GF_MAX_HOR_DIST");
  const high = p.get("GF_MAX_VER_DIST");
  const away = Math.hypot(position[0] - home[0], position[1] - home[1]);
  return (
    (far > 0 && away > far) || (high > 0 && home[2] - position[2] > high) || outsideFence(fence, position)
  );
}

/** PX4's failure detector for attitude: tilted beyond FD_FAIL_R for FD_FAIL_R_TTRI. */
export class TumbleDetector {
  #since_us: number | null = null;

  update(estimate: Estimate, armed: boolean, p: Parameters): boolean {
    const up = turn(estimate.attitude, [0, 0, 1])[2];
    const limit_rad = (Math.min(p.get("FD_FAIL_R"), p.get("FD_FAIL_P")) * Math.PI) / 180;
    if (!armed || up > Math.cos(limit_rad)) this.#since_us = null;
    else this.#since_us ??= estimate.time_us;
    return this.#since_us !== null && estimate.time_us - this.#since_us >= p.get("FD_FAIL_R_TTRI") * 1e6;
  }
}
