import type { ReviewFinding } from "#contract/review";
import type { Column, LogReader } from "../reader";
import { around } from "./findings";
import { changesOf, plain, told } from "./lanes";

/** PX4 leaves Offboard when nothing came for half a second (COM_OF_LOSS_T 0.5 … 1; it asks for at least 2 Hz). */
const SETPOINT_GAP_S = 0.5;
/** Intervals this much longer than usual, in this share of the stream, are jitter. */
const JITTER_RATIO = 3;
const JITTER_LEAST_S = 0.06;
const JITTER_SHARE = 0.02;
/** Two neighbouring setpoints further apart than this are a jump no vehicle can follow. */
const JUMP_M = 0.5;
const FEWEST = 20;

export interface SetpointStream {
  readonly topic: string;
  /** Position (or velocity) in three fields. */
  readonly fields: readonly [string, string, string];
  /** False outside the times in which the stream has to flow. */
  readonly flowing: (at_s: number) => boolean;
}

/** Setpoints that come irregularly, stop while they are needed, or jump. */
export function setpointFindings(reader: LogReader, stream: SetpointStream): ReviewFinding[] {
  const { topic, fields, flowing } = stream;
  const axes = fields.map((field) => told(reader, topic, field));
  const [first] = axes;
  if (!first || first.t_s.length < FEWEST) return [];
  const intervals: { at_s: number; gap_s: number }[] = [];
  for (let i = 1; i < first.t_s.length; i++) {
    const at_s = first.t_s[i - 1] as number;
    const next_s = first.t_s[i] as number;
    if (flowing(at_s) && flowing(next_s)) intervals.push({ at_s, gap_s: next_s - at_s });
  }
  return [...streamFindings(topic, fields[0], intervals), ...jumpFindings(stream, axes)];
}

function streamFindings(
  topic: string,
  field: string,
  intervals: readonly { at_s: number; gap_s: number }[],
): ReviewFinding[] {
  if (intervals.length < FEWEST) return [];
  const sorted = intervals.map(({ gap_s }) => gap_s).sort((a, b) => a - b);
  const usual_s = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const rule = "setpoint_jitter";
  // A slow stream (a record at 2 Hz, a vehicle that repeats itself) has long intervals that mean nothing.
  const gap_limit_s = Math.max(SETPOINT_GAP_S, 2.5 * usual_s);
  const gaps = intervals.filter(({ gap_s }) => gap_s > gap_limit_s);
  const worst = gaps.reduce<{ at_s: number; gap_s: number } | null>(
    (w, g) => (w === null || g.gap_s > w.gap_s ? g : w),
    null,
  );
  if (worst !== null)
    return [
      {
        at_s: worst.at_s,
        severity: worst.gap_s > 1 ? "warning" : "caution",
        title: "Setpoints stopped",
        detail: `${gaps.length} ${gaps.length === 1 ? "gap" : "gaps"}, the longest ${plain(worst.gap_s, 2)} s; usual is ${plain(usual_s * 1000, 0)} ms`,
        rule,
        evidence: { ...around(topic, field, worst.at_s), to_s: worst.at_s + worst.gap_s + 2 },
      },
    ];
  const limit_s = Math.max(JITTER_LEAST_S, JITTER_RATIO * usual_s);
  const late = intervals.filter(({ gap_s }) => gap_s > limit_s);
  if (late.length / intervals.length < JITTER_SHARE) return [];
  const [from] = late;
  return [
    {
      at_s: from?.at_s ?? 0,
      severity: "caution",
      title: "Setpoint jitter",
      detail: `${plain((late.length / intervals.length) * 100)} % of the setpoints late by more than ${plain(limit_s * 1000, 0)} ms; usual is ${plain(usual_s * 1000, 0)} ms`,
      rule,
      evidence: { topic, field, from_s: from?.at_s ?? 0, to_s: late.at(-1)?.at_s ?? 0, limit: null },
    },
  ];
}

function jumpFindings(stream: SetpointStream, axes: readonly (Column | null)[]): ReviewFinding[] {
  const { topic, fields, flowing } = stream;
  const [x, y, z] = axes;
  if (!x || !y || !z) return [];
  let count = 0;
  let worst = { at_s: 0, jump_m: 0 };
  for (let i = 1; i < x.t_s.length; i++) {
    const at_s = x.t_s[i] as number;
    const before_s = x.t_s[i - 1] as number;
    if (!flowing(at_s) || !flowing(before_s) || at_s - before_s > 0.2) continue;
    const jump_m = Math.hypot(
      ...[x, y, z].map(({ values }) => (values[i] as number) - (values[i - 1] as number)),
    );
    if (!(jump_m > JUMP_M)) continue;
    count += 1;
    if (jump_m > worst.jump_m) worst = { at_s, jump_m };
  }
  // One step is a new goal; several are a source that cannot decide.
  if (count < 3) return [];
  return [
    {
      at_s: worst.at_s,
      severity: "caution",
      title: "Setpoint jumps",
      detail: `${count} jumps of more than ${JUMP_M} m between neighbours, the largest ${plain(worst.jump_m)} m`,
      rule: "setpoint_jitter",
      evidence: around(topic, fields[0], worst.at_s),
    },
  ];
}

/** Counters that rise when an estimate (or the vision that feeds it) starts afresh somewhere else, while `counts` holds. */
export function resetFindings(
  reader: LogReader,
  topic: string,
  counters: readonly (readonly [field: string, title: string])[],
  counts: (at_s: number) => boolean,
  rule: "estimate_reset" | "vision_reset",
): ReviewFinding[] {
  return counters.flatMap(([field, title]) =>
    changesOf(reader, topic, field)
      .slice(1)
      .filter(({ at_s }) => counts(at_s))
      .map(({ at_s, value }) => ({
        at_s,
        severity: "caution" as const,
        title,
        detail:
          rule === "vision_reset"
            ? `vision started afresh (reset ${value})`
            : `the estimate jumped while armed (reset ${value})`,
        rule,
        evidence: around(topic, field, at_s),
      })),
  );
}
