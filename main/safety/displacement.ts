import { type Enu, enu } from "#contract/frames";
import type { FrameReport, TrackedObject } from "#contract/perception";
import type { ObjectDisplacement, SafetyState } from "#contract/safety";
import { applyMotion, type CommonMotion, commonMotion, type Match, noMotion } from "./registration";
import { type MonitorContext, type Sighting, sighting } from "./sighting";
import { add, medianPoint, minus, norm } from "./vec";
import {
  baseline_frames,
  confirmedScore,
  deadband,
  fastPosition,
  judgeable,
  learnBaseline,
  median_frames,
  renewed,
  slowPosition,
  type Watched,
  weigh,
  worseLevel,
} from "./watched";

export interface DisplacementState {
  readonly objects: readonly Watched[];
  readonly exempt: ReadonlySet<string>;
  readonly reset_counter: number | null;
  /** Set after an estimator reset, until baselines have been moved to the new frame. */
  readonly anchoring_since_ms: number | null;
  /** Motion that everything in sight shared in the newest frame. */
  readonly common: CommonMotion;
  readonly frame_seq: number | null;
  readonly at_ms: number;
}

export const initialDisplacement: DisplacementState = {
  objects: [],
  exempt: new Set(),
  reset_counter: null,
  anchoring_since_ms: null,
  common: noMotion,
  frame_seq: null,
  at_ms: 0,
};

/** Not seen for this long: sightings before the gap say nothing of the present. */
const gap_ms = 1000;
/** A track without a baseline that is gone for this long was never an object. */
const forget_ms = 3000;
/** A tracker that loses a pushed object finds it as a new one: it inherits the baseline of the one that vanished nearby. */
const adopt_ms = 3000;
const adopt_m = 0.4;
/** Pictures from around the reset mix both frames. */
const reset_settle_ms = 150;
const anchor_frames = 5;
const anchor_wait_ms = 1500;

/**
 * One picture's worth of the displacement monitor. Pure.
 *
 * Baseline: median of the first 15 confident sightings while they stand still. Displacement: median of 7 (of 3 for what
 * stands far out of the noise), and 3 frames must agree; measured against the motion that everything shares. Hidden,
 * lost, cut off and partly seen objects are "not seen": neither moved nor not moved.
 */
export function stepDisplacement(
  state: DisplacementState,
  report: FrameReport,
  now_ms: number,
  context: MonitorContext = {},
): DisplacementState {
  const counter = context.reset_counter ?? state.reset_counter;
  const jumped = state.reset_counter !== null && counter !== state.reset_counter;
  const since_ms = jumped ? now_ms : state.anchoring_since_ms;
  const usable =
    report.localised && (since_ms === null || report.captured_at_ms >= since_ms + reset_settle_ms);
  const before = jumped ? state.objects.map((o) => ({ ...o, recent: [] })) : state.objects;
  const noticed = notice(before, usable ? report : { ...report, objects: [] }, now_ms, context);
  const next = {
    ...state,
    exempt: context.exempt ?? state.exempt,
    reset_counter: counter,
    anchoring_since_ms: since_ms,
    frame_seq: report.seq,
    at_ms: now_ms,
  };
  if (since_ms !== null) return anchored({ ...next, objects: noticed }, now_ms - since_ms);
  return usable ? judged(next, noticed) : { ...next, objects: noticed };
}

/** Sorts the picture's sightings into the objects that are known, and starts or forgets tracks. */
function notice(
  before: readonly Watched[],
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): readonly Watched[] {
  const tracked = new Map(report.objects.map((o) => [o.id, o]));
  const updated = before.map((o) => update(o, tracked.get(o.id), report, now_ms, context));
  const known = new Set(before.map((o) => o.id));
  let objects: readonly Watched[] = updated;
  for (const o of report.objects)
    if (!known.has(o.id)) objects = introduced(objects, o, report, now_ms, context);
  return objects.filter((o) => o.baseline !== null || now_ms - o.last_seen_at_ms <= forget_ms);
}

function update(
  object: Watched,
  tracked: TrackedObject | undefined,
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): Watched {
  const seen =
    tracked === undefined ? null : sighting(tracked, object.baseline?.size_m ?? null, report, context);
  if (tracked === undefined || seen === null) return { ...object, seen: false };
  const fresh = now_ms - object.last_seen_at_ms > gap_ms;
  return {
    ...object,
    label: tracked.label,
    size_m: tracked.size_m,
    colour: tracked.colour,
    position: tracked.position_enu_m,
    last_seen_at_ms: now_ms,
    seen: true,
    recent: [...(fresh ? [] : object.recent), seen].slice(
      object.baseline === null ? -baseline_frames : -median_frames,
    ),
  };
}

function introduced(
  objects: readonly Watched[],
  tracked: TrackedObject,
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): readonly Watched[] {
  const seen = sighting(tracked, null, report, context);
  if (seen === null) return objects;
  const lost = objects.filter((o) => isSameThing(o, tracked, now_ms));
  const heir = lost.length === 1 ? lost[0] : undefined;
  const fresh = started(tracked, seen, now_ms, heir?.baseline ?? null);
  return [...objects.filter((o) => o !== heir), fresh];
}

/** A vanished object with the same look, near enough to have been pushed here. */
function isSameThing(lost: Watched, found: TrackedObject, now_ms: number): boolean {
  if (lost.seen || lost.baseline === null || now_ms - lost.last_seen_at_ms > adopt_ms) return false;
  const colour = Math.hypot(...lost.colour.map((c, i) => c - (found.colour[i] ?? NaN)));
  const scale = Math.max(1, ...lost.colour) > 1 ? 255 : 1;
  const ratio = Math.max(...found.size_m) / Math.max(...lost.baseline.size_m);
  const near = norm(minus(found.position_enu_m, lost.baseline.at)) <= adopt_m;
  return near && colour <= 0.15 * scale && ratio >= 0.7 && ratio <= 1.4;
}

const started = (
  o: TrackedObject,
  seen: Sighting,
  now_ms: number,
  baseline: Watched["baseline"],
): Watched => ({
  id: o.id,
  label: o.label,
  size_m: o.size_m,
  colour: o.colour,
  position: o.position_enu_m,
  last_seen_at_ms: now_ms,
  seen: true,
  recent: [seen],
  baseline,
  scores: [],
  displacement_m: 0,
  offset: enu(0, 0, 0),
  deadband_m: 0,
  level: "ok",
});

function judged(state: Omit<DisplacementState, "objects">, objects: readonly Watched[]): DisplacementState {
  const settled = objects.map((o) => (o.baseline === null ? { ...o, baseline: learnBaseline(o) } : o));
  const subjects = settled.filter((o) => judgeable(o) && !state.exempt.has(o.id));
  const slow = commonMotion(matches(subjects, slowPosition));
  const fast = commonMotion(matches(subjects, fastPosition));
  const weighed = settled.map((o) => {
    const { baseline } = o;
    if (baseline === null || !judgeable(o)) return o;
    const off = (motion: CommonMotion, found: Enu): Enu => minus(found, applyMotion(motion, baseline.at));
    const after = weigh(o, off(slow, slowPosition(o)), off(fast, fastPosition(o)), deadband(o, baseline));
    return renewed(after, minus(applyMotion(slow, baseline.at), baseline.at));
  });
  return { ...state, objects: weighed, common: slow };
}

const matches = (objects: readonly Watched[], position: (o: Watched) => Enu): readonly Match[] =>
  objects.flatMap((o) =>
    o.baseline === null
      ? []
      : [{ expected: o.baseline.at, found: position(o), tolerance_m: deadband(o, o.baseline) }],
  );

/**
 * After an estimator reset the frame has moved, not the objects (PX4-Autopilot#7491, #11970). Waits until everything in
 * sight has been seen again, then moves all baselines by the shift: the common one when three or more agree, so that a
 * push in that very moment still shows; each object's own when there are fewer, keeping what it had moved before.
 */
function anchored(state: DisplacementState, waited_ms: number): DisplacementState {
  const visible = state.objects.filter((o) => o.seen && o.baseline !== null);
  const ready = visible.filter((o) => o.recent.length >= anchor_frames);
  const waiting = ready.length < visible.length || visible.length === 0;
  if (waiting && waited_ms < anchor_wait_ms) return state;
  const shifts = new Map(ready.map((o) => [o.id, shiftOf(o)]));
  const agreed = agreedShift([...shifts.values()]);
  const moved = state.objects.map((o) => {
    const own = shifts.get(o.id);
    const shift = agreed ?? own;
    if (o.baseline === null || shift === undefined) return o;
    const at = add(o.baseline.at, shift);
    return { ...o, baseline: { ...o.baseline, at, origin: add(o.baseline.origin, shift) } };
  });
  return { ...state, objects: moved, anchoring_since_ms: null, common: noMotion };
}

/** How far the frame has moved by this object's account: what it seems to have moved, less what it had moved already. */
function shiftOf(object: Watched): Enu {
  const seems = minus(slowPosition(object), object.baseline?.at ?? object.position);
  return object.level === "ok" ? seems : minus(seems, object.offset);
}

const agree_m = 0.02;
function agreedShift(shifts: readonly Enu[]): Enu | null {
  if (shifts.length < 3) return null;
  const middle = medianPoint(shifts);
  return shifts.filter((s) => norm(minus(s, middle)) <= agree_m).length >= 3 ? middle : null;
}

/** Forgets where things stood: after a person has looked and said so. Null means all of them. */
export const rebaseline = (state: DisplacementState, id: string | null): DisplacementState => ({
  ...state,
  objects: state.objects.map((o) =>
    id === null || o.id === id
      ? {
          ...o,
          baseline: null,
          recent: [],
          scores: [],
          displacement_m: 0,
          offset: enu(0, 0, 0),
          level: "ok" as const,
        }
      : o,
  ),
});

/** How far everything in sight shifted together, metres: an error of the pose estimate that the operator should know of. */
export const commonShift = (state: DisplacementState): number => norm(state.common.shift);

/** What the screen, the gate and the failsafe see. Pass `now_ms` so that a stopped camera shows as "not seen". */
export function safetyView(state: DisplacementState, now_ms: number = state.at_ms): SafetyState {
  const objects = state.objects.map((o) => view(o, state, now_ms));
  const watched = objects.filter((o) => o.state === "seen" || o.state === "not_seen");
  const seen = watched.filter((o) => o.state === "seen");
  const levels = new Map(state.objects.map((o) => [o.id, o.level]));
  const worst = [...seen].sort((a, b) => a.score - b.score || b.displacement_m - a.displacement_m)[0];
  const level = seen.map((o) => levels.get(o.id) ?? "ok").reduce(worseLevel, "ok");
  const moved = worst !== undefined && worst.score < 100 ? worst : null;
  return {
    profile: "flight",
    score: worst?.score ?? null,
    level: worst === undefined ? "unknown" : level,
    worst: moved?.label ?? null,
    worst_displacement_m: moved?.displacement_m ?? 0,
    seen: seen.length,
    total: watched.length,
    objects,
    frame_seq: state.frame_seq,
    at_ms: state.at_ms,
  };
}

function view(o: Watched, state: DisplacementState, now_ms: number): ObjectDisplacement {
  const present = o.seen && now_ms - o.last_seen_at_ms <= gap_ms;
  return {
    id: o.id,
    label: o.label,
    state: state.exempt.has(o.id)
      ? "exempt"
      : o.baseline === null
        ? "settling"
        : present
          ? "seen"
          : "not_seen",
    baseline_enu_m: o.baseline?.at ?? null,
    position_enu_m: o.position,
    size_m: o.size_m,
    colour: o.colour,
    displacement_m: o.displacement_m,
    deadband_m: o.deadband_m,
    score: confirmedScore(o),
    last_seen_at_ms: o.last_seen_at_ms,
  };
}
