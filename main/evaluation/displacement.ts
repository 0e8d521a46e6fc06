import { type Enu, enu, flu, rotate, rotateInverse } from "#contract/frames";
import type { GraderHello, GraderTruth } from "#contract/grader-wire";
import type { ObjectDisplacement, SafetyState } from "#contract/safety";
import { type Evidence, missionTruths, truthAt } from "./evidence";

/** What the monitor promises to stop for, and what it must never stop for. Metres. */
const moved_m = 0.05;
const still_m = 0.02;
/** S_safe below this holds the flight. */
const stopScore = 70;
/** A detection later than this after the fact is no detection in flight. */
const inTime_ms = 2000;
/** A monitored thing is the true one whose middle lies nearest, no further than this from it on the ground. */
const match_m = 0.15;

/** A thing whose middle is nearer to the picture's edge than this share of its width may be cut by it. */
const cut_share = 0.06;

/** An object that truly moved by 5 cm during the mission. */
export interface TrueMove {
  readonly name: string;
  readonly reached_ms: number;
  /**
   * The camera looked its way then or later, well inside its picture and within its depth range; whether something stood in
   * between is not asked.
   */
  readonly in_view: boolean;
  /** From the time it had moved and was in view to the monitor's word, ms; null when it was not told in time. */
  readonly delay_ms: number | null;
}

export interface DisplacementGrade {
  readonly moves: readonly TrueMove[];
  /** Things the monitor would have stopped for though nothing there had moved by 2 cm. */
  readonly false_alarms: readonly string[];
  /** Simulated seconds in which the monitor watched anything. */
  readonly watched_s: number;
}

/** Compares what the displacement monitor said with what truly moved. Pure. */
export function gradeDisplacement(evidence: Evidence): DisplacementGrade {
  const alarms = firstAlarms(evidence);
  const moves = trueMoves(evidence).map(({ view_ms, ...move }): TrueMove => {
    const from_ms = view_ms ?? move.reached_ms;
    const told = alarms.find(
      (a) => a.name === move.name && a.at_ms - from_ms <= inTime_ms && a.at_ms > move.reached_ms - inTime_ms,
    );
    return {
      ...move,
      in_view: view_ms !== null,
      delay_ms: told === undefined ? null : told.at_ms - from_ms,
    };
  });
  const false_alarms = alarms.filter((a) => a.moved_m < still_m).map((a) => a.name ?? a.label);
  return { moves, false_alarms, watched_s: watched_s(evidence) };
}

/** How far the thing that truly moved most has moved during the mission, metres. */
export function mostMoved_m(evidence: Evidence): number {
  const truths = missionTruths(evidence);
  const [first, last] = [truths[0], truths.at(-1)];
  return evidence.hello.objects.reduce(
    (most, _, i) => Math.max(most, distance(last?.objects[i]?.p, first?.objects[i]?.p)),
    0,
  );
}

interface Moved {
  readonly name: string;
  readonly reached_ms: number;
  /** The first time that it had moved and was in view; null when it never was. */
  readonly view_ms: number | null;
}

function trueMoves(evidence: Evidence): readonly Moved[] {
  const truths = missionTruths(evidence);
  return evidence.hello.objects.flatMap(({ name }, i) => {
    const start = truths[0]?.objects[i];
    const reached = truths.find((t) => distance(t.objects[i]?.p, start?.p) >= moved_m);
    if (reached === undefined) return [];
    const { camera } = evidence.hello;
    const seen = truths.find(
      (t) =>
        t.t_ms >= reached.t_ms && camera !== null && looksAt(t, camera, middleOf(evidence, t, i), cut_share),
    );
    return [{ name, reached_ms: reached.t_ms, view_ms: seen?.t_ms ?? null }];
  });
}

interface Alarm {
  readonly label: string;
  /** The true object it is about; null for a thing that does not exist. */
  readonly name: string | null;
  readonly at_ms: number;
  /** How far that object truly was from where it stood when the monitor learned its place. */
  readonly moved_m: number;
}

/** The first time that each monitored thing fell below the stop score. */
function firstAlarms(evidence: Evidence): readonly Alarm[] {
  const alarms = new Map<string, Alarm>();
  const learned = new Map<string, number>();
  const states = evidence.recorded.safety.filter(
    (s) => s.at_ms >= (evidence.flown.started_at_ms ?? 0) && s.at_ms <= evidence.flown.ended_at_ms,
  );
  for (const state of states)
    for (const object of state.objects) {
      if (object.baseline_enu_m !== null && !learned.has(object.id)) learned.set(object.id, state.at_ms);
      const judged = object.state === "seen" && object.baseline_enu_m !== null && object.score < stopScore;
      if (judged && !alarms.has(object.id))
        alarms.set(object.id, alarmOf(evidence, object, learned.get(object.id) ?? state.at_ms, state));
    }
  return [...alarms.values()];
}

function alarmOf(
  evidence: Evidence,
  object: ObjectDisplacement,
  learned_ms: number,
  state: SafetyState,
): Alarm {
  const then = truthAt(evidence, learned_ms);
  const now = truthAt(evidence, state.at_ms);
  const baseline = object.baseline_enu_m ?? object.position_enu_m;
  const away = then.objects.map((_, i) => {
    const middle = middleOf(evidence, then, i);
    return Math.hypot(middle[0] - baseline[0], middle[1] - baseline[1]);
  });
  const nearest_m = Math.min(match_m, ...away);
  const nearest = away.indexOf(nearest_m);
  return {
    label: object.label,
    name: evidence.hello.objects[nearest]?.name ?? null,
    at_ms: state.at_ms,
    moved_m: nearest < 0 ? 0 : distance(now.objects[nearest]?.p, then.objects[nearest]?.p),
  };
}

function watched_s(evidence: Evidence): number {
  const { safety } = evidence.recorded;
  const [from_ms, to_ms] = [evidence.flown.started_at_ms ?? 0, evidence.flown.ended_at_ms];
  let sum_ms = 0;
  safety.forEach((state, i) => {
    const before = safety[i - 1];
    if (before === undefined || before.at_ms < from_ms || state.at_ms > to_ms) return;
    if (before.seen > 0) sum_ms += state.at_ms - before.at_ms;
  });
  return sum_ms / 1000;
}

const distance = (a: readonly number[] | undefined, b: readonly number[] | undefined): number =>
  a === undefined || b === undefined
    ? Number.NaN
    : Math.hypot(...[0, 1, 2].map((k) => (a[k] ?? Number.NaN) - (b[k] ?? Number.NaN)));

/** The middle of an object's box where it is now. */
function middleOf({ hello }: Pick<Evidence, "hello">, truth: GraderTruth, i: number): Enu {
  const object = hello.objects[i];
  const pose = truth.objects[i];
  if (object === undefined || pose === undefined) throw new Error("Invariant: truths follow the hello");
  const { min, max } = object.bounds_m;
  const offset = rotate(pose.q, flu((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2));
  return enu(pose.p[0] + offset[0], pose.p[1] + offset[1], pose.p[2] + offset[2]);
}

/** Whether a point falls into the picture of a camera on the vehicle, that share of its width from the edge, within its depth range. */
export function looksAt(
  { vehicle }: Pick<GraderTruth, "vehicle">,
  lens: NonNullable<GraderHello["camera"]>,
  point: Enu,
  margin_share = 0,
): boolean {
  const { position_enu_m: at, quat_flu_enu } = vehicle;
  const body = rotateInverse(quat_flu_enu, enu(point[0] - at[0], point[1] - at[1], point[2] - at[2]));
  const mount = lens.mount_position_flu_m;
  const seen = rotateInverse(
    lens.mount_quat,
    enu(body[0] - mount[0], body[1] - mount[1], body[2] - mount[2]),
  );
  const [x, y, z] = seen;
  const { fx, fy, cx, cy, width, height } = lens.intrinsics;
  const [u, v] = [cx + (fx * x) / z, cy + (fy * y) / z];
  const edge = margin_share * width;
  const inside = u >= edge && u < width - edge && v >= edge && v < height - edge;
  return z >= lens.depth_range_m[0] && z <= lens.depth_range_m[1] && inside;
}
