import { medianColumn, passedShare } from "../figures";
import {
  ended,
  greatestTilt_rad,
  holdsWithin,
  onGroundDisarmed,
  staysUpright,
  touchesNothing,
} from "../predicates/flight";
import type { Predicate, Suite, Trial } from "../suite";

/** The flight that every fault falls into: hovering by about the tenth second, then moving. */
const mission = "take off, hold for 12 seconds, move left, move right and land";

interface Fault {
  readonly events: (at_s: string) => readonly string[];
  readonly faults?: string;
  /** What a good end is. */
  readonly predicates: readonly Predicate[];
}

const goesOn = [ended("success"), onGroundDisarmed];
/** Stopped and held, or brought down by the vehicle's own failsafe: never carried on as if nothing were. */
const stops = [ended("stopped", "failed", "refused")];

const faults: Readonly<Record<string, Fault>> = {
  "steady wind": { events: (t) => [`wind:3,1,0@${t}`], predicates: goesOn },
  gusts: { events: (t) => [`wind:2,-1,1@${t}`], predicates: goesOn },
  "one motor fails": { events: (t) => [`motor:3@${t}`], predicates: [] },
  "battery nearly empty": { events: (t) => [`battery:0.06@${t}`], predicates: stops },
  "camera freezes": { events: (t) => [`camera:frozen@${t}`], predicates: stops },
  "no depth": { events: (t) => [`camera:no_depth@${t}`], predicates: stops },
  "position jumps": { events: (t) => [`jump:0.3,0.2@${t}`], predicates: [holdsWithin(8, 2)] },
  "position lost": { events: (t) => [`position:lost@${t}`], predicates: stops },
  "bad link": { events: () => [], faults: "loss=0.1,delay_ms=100,dup=0.05,reorder=0.05", predicates: goesOn },
};

/** Things go wrong in flight: is what follows the safe thing? */
export const faultsSuite: Suite = {
  name: "faults",
  title: "Faults",
  about:
    "Wind, a dead motor, an empty battery, a frozen camera, a lost position, a bad link: whether what follows is safe.",
  variants: Object.keys(faults),
  policies: ["rules"],
  trial_s: 25,
  trial: (variant, draw): Trial => {
    const fault = faults[variant];
    if (fault === undefined) throw new Error(`Invariant: no fault "${variant}"`);
    return {
      variant,
      scene: "office",
      scene_seed: draw.integer(1, 9999),
      catalogue: null,
      command: mission,
      events: fault.events(draw.between(11, 18).toFixed(2)),
      faults: fault.faults ?? null,
      limit_s: 120,
      predicates: [...fault.predicates, staysUpright((45 * Math.PI) / 180), touchesNothing],
      measures: [{ key: "tilt_rad", of: greatestTilt_rad }],
    };
  },
  columns: [passedShare, medianColumn("tilt_rad", "Greatest tilt, median", "rad")],
  figures: () => ({}),
  published: [],
};
