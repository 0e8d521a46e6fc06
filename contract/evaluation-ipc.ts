import { z } from "zod";
import {
  EvaluationManifest,
  EvaluationProgress,
  EvaluationTable,
  PublishedFigure,
  SuiteInfo,
} from "./evaluation";
import { nothing, Outcome, outcomeOf } from "./outcome";

/** What the station's evaluation desk is doing: at most one run at a time, in a process of its own. */
export const EvaluationState = z.strictObject({
  running: z
    .strictObject({
      folder: z.string(),
      manifest: EvaluationManifest.pick({ suite: true, policy: true, seed: true, trials: true }),
      /** Null while its process is starting. */
      progress: EvaluationProgress.nullable(),
      stopping: z.boolean(),
    })
    .nullable(),
  /** How the last run of this start of the program ended; null before the first. */
  ended: z
    .strictObject({
      folder: z.string(),
      how: z.enum(["finished", "stopped", "failed"]),
      why: z.string(),
    })
    .nullable(),
  /** Why no run may be started now; null when one may. */
  blocked: z.string().nullable(),
});
export type EvaluationState = z.infer<typeof EvaluationState>;

/** One run's folder on this machine. */
export const EvaluationRun = z.strictObject({
  folder: z.string(),
  manifest: EvaluationManifest,
  done: z.number().int(),
  passed: z.number().int(),
  modified_utc_ms: z.number(),
});
export type EvaluationRun = z.infer<typeof EvaluationRun>;

export const EvaluationRunDetail = z.strictObject({
  run: EvaluationRun,
  /** Null when no sitting of the run has ended yet. */
  table: EvaluationTable.nullable(),
  published: z.array(PublishedFigure).readonly(),
  trials: z
    .array(
      z.strictObject({
        trial: z.number().int(),
        variant: z.string(),
        passed: z.boolean(),
        /** The recording's folder; null when there is none. */
        recording: z.string().nullable(),
      }),
    )
    .readonly(),
});
export type EvaluationRunDetail = z.infer<typeof EvaluationRunDetail>;

const folder = z.strictObject({ folder: z.string() });

export const evaluationEvents = { evaluation: EvaluationState } as const;

export const evaluationRequests = {
  "evaluation.state": { input: nothing, output: EvaluationState },
  "evaluation.suites": { input: nothing, output: outcomeOf(z.array(SuiteInfo).readonly()) },
  "evaluation.runs": { input: nothing, output: z.array(EvaluationRun).readonly() },
  "evaluation.open": { input: folder, output: outcomeOf(EvaluationRunDetail) },
  "evaluation.start": {
    input: z.strictObject({
      suite: z.string(),
      policy: z.string(),
      trials: z.number().int().min(1).max(10_000),
      seed: z.number().int().min(0).max(1_000_000),
      jobs: z.number().int().min(1).max(64),
    }),
    output: Outcome,
  },
  "evaluation.resume": { input: folder, output: Outcome },
  "evaluation.stop": { input: nothing, output: Outcome },
} as const;
