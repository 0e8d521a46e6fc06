import { type Enu, enu } from "#contract/frames";
import type { TrackedObject } from "#contract/perception";
import { score_caution, score_stop, scoreOf } from "./s-safe";
import { type Sighting, viewChange } from "./sighting";
import { add, median, medianPoint, minus, norm } from "./vec";

/** Where an object stood when it was first seen well. */
export interface Baseline {
  readonly at: Enu;
  /** The first baseline ever; renewals may not creep away from it. */
  readonly origin: Enu;
  readonly sigma_m: number;
  readonly size_m: TrackedObject["size_m"];
  readonly view: Enu | null;
  /** Pictures that it is the mean of. */
  readonly frames: number;
}

/** One object that must stay where it is. */
export interface Watched {
  readonly id: string;
  readonly label: string;
  readonly size_m: TrackedObject["size_m"];
  readonly colour: TrackedObject["colour"];
  readonly position: Enu;
  readonly last_seen_at_ms: number;
  /** Seen well enough in the newest frame. */
  readonly seen: boolean;
  /** Newest last. While there is no baseline these are what it is learned from. */
  readonly recent: readonly Sighting[];
  readonly baseline: Baseline | null;
  /** Scores of the newest frames; all of them must agree before anything is called moved. */
  readonly scores: readonly number[];
  readonly displacement_m: number;
  /** From where it should be to where it is, metres ENU. */
  readonly offset: Enu;
  readonly deadband_m: number;
  readonly level: "ok" | "caution" | "stop";
}

export const baseline_frames = 15;
export const median_frames = 7;
const fast_frames = 3;
export const agreeing_frames = 3;
export const deadband_min_m = 0.01;
const deadband_sigmas = 3;
/** The short median is used for moves that stand this far out of the noise: 0.2 s sooner at 10 frames a second. */
const fast_sigmas = 8;
/** Baselines are learned again from a view this different, while nothing moved. */
const renew_view_rad = (20 * Math.PI) / 180;
const creep_max_m = 0.04;

/** A baseline from the median of the first confident sightings; null while they are too few or still wander. */
export function learnBaseline(object: Watched): Baseline | null {
  const { recent } = object;
  if (recent.length < baseline_frames) return null;
  const at = medianPoint(recent.map((s) => s.at));
  const off = recent.map((s) => norm(minus(s.at, at)));
  const reported_m = median(recent.map((s) => s.sigma_m));
  if (!(Math.max(...off) <= deadband_min_m + 4 * reported_m)) return null;
  // Distances in three axes have a median of 1.54 sigma; what was really seen may be noisier than what was claimed.
  const sigma_m = Math.max(reported_m, median(off) / 1.54);
  return {
    at,
    origin: at,
    sigma_m,
    size_m: object.size_m,
    view: recent.at(-1)?.view ?? null,
    frames: baseline_frames,
  };
}

/** What noise and a changed view alone can make of a standing object: max(1 cm, 3 sigma), plus the seen side's shift. */
export function deadband(object: Watched, baseline: Baseline, unrest_m: number): number {
  const newest = object.recent.at(-1);
  const sigma_m = Math.hypot(Math.max(newest?.sigma_m ?? 0, baseline.sigma_m), unrest_m);
  // Only the side towards us is seen. Its centre goes around the object's middle with us, by up to half its half width.
  const half_width_m = (baseline.size_m[0] + baseline.size_m[1]) / 4;
  const view_m = half_width_m * Math.sin(viewChange(baseline.view, newest?.view ?? null) / 2);
  return Math.max(deadband_min_m, deadband_sigmas * sigma_m) + view_m;
}

export const slowPosition = (object: Watched): Enu =>
  medianPoint(object.recent.slice(-median_frames).map((s) => s.at));
export const fastPosition = (object: Watched): Enu =>
  medianPoint(object.recent.slice(-fast_frames).map((s) => s.at));
export const judgeable = (object: Watched): boolean =>
  object.seen && object.baseline !== null && object.recent.length >= fast_frames;

const doubt_from_m = 0.03;
const doubt_to_m = 0.048;

/** Takes in how far the two medians are from where the object should be; `deadband_m` is that of this frame. */
export function weigh(object: Watched, slow: Enu, fast: Enu, deadband_m: number): Watched {
  const sigma_m = Math.max(object.recent.at(-1)?.sigma_m ?? 0, object.baseline?.sigma_m ?? 0);
  const quick = norm(fast) > norm(slow) && norm(fast) >= fast_sigmas * sigma_m;
  const offset = quick ? fast : slow;
  const displacement_m = norm(offset);
  // Towards 5 cm the benefit of the doubt goes to the object: one sigma counts as moved there, or half of all 5 cm pushes
  // would be read as 4.9. Below 3 cm it does not: there it would only announce noise.
  const error_m =
    sigma_m * Math.max(0, Math.min(1, (displacement_m - doubt_from_m) / (doubt_to_m - doubt_from_m)));
  const score = displacement_m <= deadband_m ? 100 : scoreOf(displacement_m + error_m);
  const scores = [...object.scores, score].slice(-agreeing_frames);
  const level = levelOf(confirmedScore({ scores }), object.level);
  return { ...object, scores, offset, displacement_m, deadband_m, level };
}

/** The mildest of the newest scores: one frame alone never alarms. 100 until there are enough. */
export const confirmedScore = (object: Pick<Watched, "scores">): number =>
  object.scores.length < agreeing_frames ? 100 : Math.max(...object.scores);

const hysteresis = 3;
function levelOf(score: number, before: Watched["level"]): Watched["level"] {
  if (!(score >= score_stop + (before === "stop" ? hysteresis : 0))) return "stop";
  return score >= score_caution + (before === "ok" ? 0 : hysteresis) ? "ok" : "caution";
}

/** A baseline goes on being averaged for this long: wander during the first second would stay in it forever. */
const refine_frames = 100;

/**
 * Makes the baseline of an object that has not moved better: by averaging at first, later by learning it anew when the
 * view has become a different one. It never creeps further than 4 cm (or the seen side's possible shift) from the first.
 */
export function renewed(object: Watched, common_shift: Enu): Watched {
  const { baseline, recent } = object;
  const newest = recent.at(-1);
  if (baseline === null || newest === undefined || recent.length < median_frames) return object;
  if (object.displacement_m > object.deadband_m || confirmedScore(object) < 100) return object;
  const turned = viewChange(baseline.view, newest.view) >= renew_view_rad;
  if (!turned && baseline.frames >= refine_frames) return object;
  const frames = turned ? median_frames : baseline.frames + 1;
  const step = minus(minus(slowPosition(object), common_shift), baseline.at);
  const share = turned ? 1 : 1 / frames;
  const at = add(baseline.at, enu(step[0] * share, step[1] * share, step[2] * share));
  const half_width_m = (baseline.size_m[0] + baseline.size_m[1]) / 4;
  if (!(norm(minus(at, baseline.origin)) <= Math.max(creep_max_m, half_width_m))) return object;
  return { ...object, baseline: { ...baseline, at, frames, view: turned ? newest.view : baseline.view } };
}

const levels = ["ok", "caution", "stop"] as const;
export const worseLevel = (a: Watched["level"], b: Watched["level"]): Watched["level"] =>
  levels.indexOf(a) >= levels.indexOf(b) ? a : b;
