import { z } from "zod";
import type { GraderEvent, GraderHello, GraderTruth } from "#contract/grader-wire";
import type { RecordMessage } from "#contract/record";
import type { SafetyState } from "#contract/safety";

const Pose = z.looseObject({
  position_enu_m: z.tuple([z.number(), z.number(), z.number()]).readonly().nullable(),
  yaw_rad: z.number().nullable(),
});

/** What the station itself says of a flight: the document of `fly --json`. */
export const Flown = z.looseObject({
  outcome: z.string(),
  why: z.string(),
  skills: z.array(z.looseObject({ id: z.string(), status: z.string(), detail: z.string() })).readonly(),
  final_pose: Pose,
  armed: z.boolean(),
  landed: z.string(),
  started_at_ms: z.number().nullable(),
  ended_at_ms: z.number(),
  recording: z.string().nullable(),
});
export type Flown = z.infer<typeof Flown>;

/** What the station wrote down: the parts of its recording that are graded. */
export interface Recorded {
  readonly safety: readonly SafetyState[];
  readonly alerts: readonly RecordMessage<"/kingfisher/alert">[];
}

/** Reads one of our recordings; the composition root hands in review's reader. */
export type ReadRecording = (folder: string) => Promise<Recorded | null>;

/** Everything a trial is graded by: what was true, what the station said, what it wrote down. All on simulated time. */
export interface Evidence {
  readonly hello: GraderHello;
  /** From the first to the end of the mission, every `period_ms`. */
  readonly truths: readonly GraderTruth[];
  readonly events: readonly GraderEvent[];
  readonly flown: Flown;
  readonly recorded: Recorded;
}

/** The truth in force at a time: the newest at or before it, or the first. */
export function truthAt({ truths }: Pick<Evidence, "truths">, t_ms: number): GraderTruth {
  let low = 0;
  let high = truths.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((truths[middle]?.t_ms ?? Number.POSITIVE_INFINITY) <= t_ms) low = middle;
    else high = middle - 1;
  }
  const found = truths[low];
  if (found === undefined) throw new Error("Invariant: a graded trial has truths");
  return found;
}

/** From the start of the mission to its end. */
export function missionTruths(evidence: Evidence): readonly GraderTruth[] {
  const from_ms = evidence.flown.started_at_ms ?? 0;
  return evidence.truths.filter((t) => t.t_ms >= from_ms && t.t_ms <= evidence.flown.ended_at_ms);
}

export const lastTruth = (evidence: Evidence): GraderTruth => truthAt(evidence, evidence.flown.ended_at_ms);
