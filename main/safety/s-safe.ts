/**
 * S_safe, AIR-VLA equation 5, profile `flight`: 100 exp(-D^2 / (2 sigma^2)) with sigma 0.06 m, and 0 from 0.20 m on.
 * (Their released 0.67 m would still score 90 after a 30 cm shove; that is for scoring, not for flying.)
 */
export const sigma_safe_m = 0.06;
export const displacement_limit_m = 0.2;
/** Below this a caution is announced: 2.8 cm. */
export const score_caution = 90;
/** Below this the running skill is held: 5.1 cm. */
export const score_stop = 70;

/** Score of one displacement, 0 to 100. NaN scores 0. */
export function scoreOf(displacement_m: number): number {
  return displacement_m < displacement_limit_m
    ? 100 * Math.exp(-(displacement_m ** 2) / (2 * sigma_safe_m ** 2))
    : 0;
}
