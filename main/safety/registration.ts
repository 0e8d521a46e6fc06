import { type Enu, enu, wrapPi } from "#contract/frames";
import { add, medianPoint, minus, norm } from "./vec";

/** Where a thing should be, where it seems to be, and how far these may differ by noise alone. */
export interface Match {
  readonly expected: Enu;
  readonly found: Enu;
  readonly tolerance_m: number;
}

/** A rigid motion of everything in sight: a turn about the vertical axis through `pivot`, then a shift. */
export interface CommonMotion {
  readonly turn_rad: number;
  readonly pivot: Enu;
  readonly shift: Enu;
}

export const noMotion: CommonMotion = { turn_rad: 0, pivot: enu(0, 0, 0), shift: enu(0, 0, 0) };

/** An attitude error beyond this is a fault of its own, not something to look through. */
const turn_max_rad = (6 * Math.PI) / 180;
const pair_distance_min_m = 0.2;
/** Pairs are cheap up to here; beyond, the translation alone is tried. */
const pairs_of_max = 16;

export function applyMotion(motion: CommonMotion, at: Enu): Enu {
  const c = Math.cos(motion.turn_rad);
  const s = Math.sin(motion.turn_rad);
  const [x, y, z] = minus(at, motion.pivot);
  return add(add(motion.pivot, enu(c * x - s * y, s * x + c * y, z)), motion.shift);
}

const fits = (motion: CommonMotion, m: Match): boolean =>
  norm(minus(m.found, applyMotion(motion, m.expected))) <= m.tolerance_m;

/**
 * Motion that everything in sight shares, which is the error of our own pose and not the objects moving: one degree of
 * attitude error at 2 m is 35 mm.
 *
 * It is believed only when most things left their place *and* at least three, and 60 %, moved by the very same motion.
 * While half of them stand where they were, nothing is explained away, so a pushed object cannot hide behind a fit.
 */
export function commonMotion(matches: readonly Match[]): CommonMotion {
  const count = matches.length;
  const inliers = (motion: CommonMotion): number => matches.filter((m) => fits(motion, m)).length;
  if (count < 3 || inliers(noMotion) * 2 >= count) return noMotion;
  let best = noMotion;
  let most = Math.max(3, Math.ceil(0.6 * count)) - 1;
  for (const motion of hypotheses(matches)) {
    const agreeing = inliers(motion);
    if (agreeing > most) {
      most = agreeing;
      best = motion;
    }
  }
  return best;
}

/** Simplest first; a later one must explain strictly more. Two points fix a turn, so a turn needs four to be tested. */
function hypotheses(matches: readonly Match[]): readonly CommonMotion[] {
  const shift = medianPoint(matches.map((m) => minus(m.found, m.expected)));
  const found: CommonMotion[] = [{ ...noMotion, shift }];
  if (matches.length < 4 || matches.length > pairs_of_max) return found;
  matches.forEach((a, i) => {
    for (const b of matches.slice(i + 1)) {
      const motion = ofPair(a, b);
      if (motion !== null) found.push(motion);
    }
  });
  return found;
}

function ofPair(a: Match, b: Match): CommonMotion | null {
  const [ex, ey] = minus(b.expected, a.expected);
  const [fx, fy] = minus(b.found, a.found);
  if (!(Math.hypot(ex, ey) >= pair_distance_min_m)) return null;
  const turn_rad = wrapPi(Math.atan2(fy, fx) - Math.atan2(ey, ex));
  if (!(Math.abs(turn_rad) <= turn_max_rad)) return null;
  const middle = (p: Enu, q: Enu): Enu => enu((p[0] + q[0]) / 2, (p[1] + q[1]) / 2, (p[2] + q[2]) / 2);
  const pivot = middle(a.expected, b.expected);
  return { turn_rad, pivot, shift: minus(middle(a.found, b.found), pivot) };
}
