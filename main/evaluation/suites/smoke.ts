import { medianColumn, passedShare } from "../figures";
import {
  ended,
  endMeasures,
  endsAt,
  onGroundDisarmed,
  staysUpright,
  touchesNothing,
} from "../predicates/flight";
import type { Suite } from "../suite";

const leg = { ahead_m: 0, left_m: 0, up_m: 0, turn_rad: 0 };

/** The shortest flight there is, to see that everything works. */
export const smokeSuite: Suite = {
  name: "smoke",
  title: "Smoke",
  about: "Take off and land, nothing else: whether everything works.",
  variants: ["take off and land"],
  policies: ["rules"],
  trial_s: 12,
  trial: (variant, draw) => ({
    variant,
    scene: "office",
    scene_seed: draw.integer(1, 9999),
    catalogue: null,
    command: "take off to 1 m and land",
    events: [],
    faults: null,
    limit_s: 90,
    predicates: [ended("success"), endsAt(leg), onGroundDisarmed, staysUpright(), touchesNothing],
    measures: endMeasures(leg),
  }),
  columns: [passedShare, medianColumn("position_error_m", "Position error, median", "m")],
  figures: () => ({}),
  published: [],
};
