import type { Enu, QuatFluEnu } from "#contract/frames";

export interface TimedPose {
  /** Station clock. */
  readonly at_ms: number;
  readonly position_enu_m: Enu;
  readonly quat_flu_enu: QuatFluEnu;
}

/**
 * Turns 10-20 Hz samples into a pose for every drawn frame. It plays a little behind (two sample periods), so that it
 * nearly always lies between two samples; past the newest it carries on at the last velocity for at most `carry_ms`, then
 * stands still: a lost link must not look like flight.
 */
export interface PoseBuffer {
  readonly samples: readonly TimedPose[];
  /** Station time minus drawing time: the largest seen recently, because the quickest message tells it best. */
  readonly offset_ms: number | null;
}

export const emptyPoseBuffer: PoseBuffer = { samples: [], offset_ms: null };
const keep_ms = 1500;
const carry_ms = 150;
const jump_m = 1;

export function pushPose(buffer: PoseBuffer, pose: TimedPose, drawn_ms: number): PoseBuffer {
  if (![pose.at_ms, ...pose.position_enu_m, ...pose.quat_flu_enu].every(Number.isFinite)) return buffer;
  const offset = pose.at_ms - drawn_ms;
  const last = buffer.samples.at(-1);
  if (last !== undefined && pose.at_ms === last.at_ms) return buffer;
  const went_back = last !== undefined && pose.at_ms < last.at_ms;
  const jumped = last !== undefined && leap(last.position_enu_m, pose.position_enu_m) > jump_m;
  // A clock that went back or a position reset is a new start, not a flight from there to here.
  const kept = went_back || jumped ? [] : buffer.samples.filter((s) => s.at_ms > pose.at_ms - keep_ms);
  const drift_ms = 0.05;
  return {
    samples: [...kept, pose],
    offset_ms:
      went_back || buffer.offset_ms === null ? offset : Math.max(offset, buffer.offset_ms - drift_ms),
  };
}

/** The pose to draw at `drawn_ms`, and whether a later frame would differ. */
export function poseAt(
  buffer: PoseBuffer,
  drawn_ms: number,
  delay_ms = 110,
): { readonly pose: TimedPose; readonly moving: boolean } | null {
  const newest = buffer.samples.at(-1);
  const first = buffer.samples[0];
  if (newest === undefined || first === undefined) return null;
  const t = drawn_ms + (buffer.offset_ms ?? 0) - delay_ms;
  if (t <= first.at_ms) return { pose: first, moving: buffer.samples.length > 1 };
  for (let i = buffer.samples.length - 1; i > 0; i -= 1) {
    const b = buffer.samples[i];
    const a = buffer.samples[i - 1];
    if (a === undefined || b === undefined || t < a.at_ms) continue;
    if (t <= b.at_ms) return { pose: between(a, b, (t - a.at_ms) / (b.at_ms - a.at_ms), t), moving: true };
    break;
  }
  const before = buffer.samples.at(-2);
  const over_ms = Math.min(t - newest.at_ms, carry_ms);
  if (before === undefined) return { pose: newest, moving: false };
  const span_ms = newest.at_ms - before.at_ms;
  return {
    pose: between(before, newest, 1 + Math.min(over_ms, span_ms) / span_ms, newest.at_ms + over_ms),
    moving: t - newest.at_ms < carry_ms,
  };
}

/** Pose between two samples: straight line and shortest rotation. `u` a little over 1 carries on. */
export function between(a: TimedPose, b: TimedPose, u: number, at_ms: number): TimedPose {
  const lerp = (i: 0 | 1 | 2): number =>
    a.position_enu_m[i] + u * (b.position_enu_m[i] - a.position_enu_m[i]);
  const u_turn = Math.min(1, u);
  return {
    at_ms,
    position_enu_m: [lerp(0), lerp(1), lerp(2)],
    quat_flu_enu: nlerp(a.quat_flu_enu, b.quat_flu_enu, u_turn),
  };
}

/** Normalised linear interpolation along the shorter arc: samples are a few degrees apart, where it equals slerp. */
function nlerp(a: QuatFluEnu, b: QuatFluEnu, u: number): QuatFluEnu {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const s = dot < 0 ? -1 : 1;
  const q = [0, 1, 2, 3].map((i) => (1 - u) * (a[i] ?? 0) + u * s * (b[i] ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  const n = Math.hypot(...q);
  return n < 1e-9 ? b : [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}

const leap = (a: Enu, b: Enu): number => Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
