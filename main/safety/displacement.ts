import { type Enu, enu } from "#contract/frames";
import type { FrameReport } from "#contract/perception";
import type { ObjectDisplacement, SafetyState } from "#contract/safety";
import { applyMotion, type CommonMotion, commonMotion, type Match, noMotion } from "./registration";
import type { MonitorContext } from "./sighting";
import { gap_ms, notice } from "./tracks";
import { add, medianPoint, minus, norm } from "./vec";
import {
  confirmedScore,
  deadband,
  fastPosition,
  judgeable,
  learnBaseline,
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

function judged(state: Omit<DisplacementState, "objects">, objects: readonly Watched[]): DisplacementState {
  const settled = objects.map((o) => (o.baseline === null ? { ...o, baseline: learnBaseline(o) } : o));
  const subjects = settled.filter((o) => judgeable(o) && !state.exempt.has(o.id));
  const slow = commonMotion(matches(subjects, slowPosition));
  const fast = commonMotion(matches(subjects, fastPosition));
  const off = (o: Watched, motion: CommonMotion, found: Enu): Enu =>
    o.baseline === null ? enu(0, 0, 0) : minus(found, applyMotion(motion, o.baseline.at));
  const unrest_m = sceneUnrest(subjects.map((o) => norm(off(o, slow, slowPosition(o)))));
  const weighed = settled.map((o) => {
    const { baseline } = o;
    if (baseline === null || !judgeable(o)) return o;
    const after = weigh(
      o,
      off(o, slow, slowPosition(o)),
      off(o, fast, fastPosition(o)),
      deadband(o, baseline, unrest_m),
    );
    return renewed(after, minus(applyMotion(slow, baseline.at), baseline.at));
  });
  return { ...state, objects: weighed, common: slow };
}

/** No more than this is put down to the pose, so that 5 cm stay 5 cm. */
const unrest_max_m = 0.01;

/**
 * How far the calmer part of the scene is off, metres: what the pose error makes of things that stand. It counts as noise
 * of each of them. Two fifths of the objects have to be off before it rises, and three have to be in sight.
 */
function sceneUnrest(off_m: readonly number[]): number {
  if (off_m.length < 3) return 0;
  const sorted = [...off_m].sort((a, b) => a - b);
  return Math.min(unrest_max_m, sorted[Math.floor(0.4 * (sorted.length - 1))] ?? 0);
}

const matches = (objects: readonly Watched[], position: (o: Watched) => Enu): readonly Match[] =>
  objects.flatMap((o) =>
    o.baseline === null
      ? []
      : [{ expected: o.baseline.at, found: position(o), tolerance_m: deadband(o, o.baseline, 0) }],
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
