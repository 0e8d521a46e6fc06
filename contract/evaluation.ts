import { z } from "zod";

/**
 * The words of evaluation: what a run was asked for, what became of each trial, and the figures that follow. Written to the
 * run's folder by the runner, shown by the window, read by scripts. Times in ms unless the name says seconds, lengths in m,
 * shares 0 to 1.
 */
export const evaluationSchemaVersion = 1;

/** Everything that would change a result. A run is only ever gone on with by the same. */
export const EvaluationManifest = z.strictObject({
  schema: z.literal(evaluationSchemaVersion),
  suite: z.string(),
  policy: z.string(),
  seed: z.number().int(),
  trials: z.number().int().positive(),
  /** `i/n`: this run takes the trials whose number leaves the remainder i-1 when divided by n. */
  shard: z.string(),
  /** Digest of the trials as they were drawn: changes with the suite's definition. */
  plan: z.string(),
  /** Digest of the sources that the program was built from. */
  build: z.string(),
  /** Simulated time gives the same bits only within one JavaScript engine. */
  runtime: z.string(),
});
export type EvaluationManifest = z.infer<typeof EvaluationManifest>;

export const PredicateResult = z.strictObject({
  id: z.string(),
  passed: z.boolean(),
  /** What was measured, in words with units. */
  detail: z.string(),
});
export type PredicateResult = z.infer<typeof PredicateResult>;

/** One line of results.jsonl. Lines of several runs merge by concatenation: each says all that is needed. */
export const TrialResult = z.strictObject({
  schema: z.literal(evaluationSchemaVersion),
  suite: z.string(),
  policy: z.string(),
  /** The run's seed; with `trial` it decides everything that was drawn. */
  seed: z.number().int(),
  trial: z.number().int().nonnegative(),
  variant: z.string(),
  scene: z.string(),
  scene_seed: z.number().int(),
  command: z.string(),
  passed: z.boolean(),
  predicates: z.array(PredicateResult).readonly(),
  /** How the station saw the mission end. */
  outcome: z.string(),
  why: z.string(),
  /** What failed trials are clustered by; null when it passed. */
  cause: z.string().nullable(),
  /** Simulated seconds until the mission had ended. */
  duration_s: z.number(),
  steps: z.number().int(),
  /** One number for the trial (null: could not be measured), or several (every delay of every push). */
  measures: z.record(z.string(), z.union([z.number().nullable(), z.array(z.number()).readonly()])),
  /** The recording's folder, relative to the run's folder; null when there is none. */
  recording: z.string().nullable(),
  /** Real seconds the trial took; in no table, because no two runs agree on it. */
  wall_s: z.number(),
});
export type TrialResult = z.infer<typeof TrialResult>;

/** One cell of the table: a value, its 95 % interval where there is one, and what it was made of. */
export const EvaluationFigure = z.strictObject({
  key: z.string(),
  label: z.string(),
  kind: z.enum(["share", "number"]),
  unit: z.string(),
  /** Null: nothing was measured. */
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** How many it was made of; for a share `hits` of `n`. */
  n: z.number().int(),
  hits: z.number().int().nullable(),
});
export type EvaluationFigure = z.infer<typeof EvaluationFigure>;

export const EvaluationRow = z.strictObject({
  variant: z.string(),
  trials: z.number().int(),
  figures: z.array(EvaluationFigure).readonly(),
});
export type EvaluationRow = z.infer<typeof EvaluationRow>;

/** Failed trials that failed in the same way. */
export const FailureCluster = z.strictObject({
  cause: z.string(),
  trials: z
    .array(
      z.strictObject({
        trial: z.number().int(),
        variant: z.string(),
        detail: z.string(),
      }),
    )
    .readonly(),
});
export type FailureCluster = z.infer<typeof FailureCluster>;

/** A figure that somebody published, to be read beside ours: never the same world, so always with what differs. */
export const PublishedFigure = z.strictObject({
  key: z.string(),
  label: z.string(),
  value: z.number(),
  unit: z.string(),
  source: z.string(),
});
export type PublishedFigure = z.infer<typeof PublishedFigure>;

/** Everything that follows from a run's results, and nothing that differs between two runs of the same settings. */
export const EvaluationTable = z.strictObject({
  schema: z.literal(evaluationSchemaVersion),
  suite: z.string(),
  policy: z.string(),
  seed: z.number().int(),
  trials: z.number().int(),
  done: z.number().int(),
  overall: EvaluationRow,
  rows: z.array(EvaluationRow).readonly(),
  failures: z.array(FailureCluster).readonly(),
});
export type EvaluationTable = z.infer<typeof EvaluationTable>;

export const SuiteInfo = z.strictObject({
  name: z.string(),
  title: z.string(),
  about: z.string(),
  variants: z.array(z.string()).readonly(),
  policies: z.array(z.string()).readonly(),
  /** Real seconds that a trial takes on two ordinary cores, for a first guess of the time left. */
  trial_s: z.number(),
  published: z.array(PublishedFigure).readonly(),
});
export type SuiteInfo = z.infer<typeof SuiteInfo>;

export const EvaluationProgress = z.strictObject({
  total: z.number().int(),
  done: z.number().int(),
  passed: z.number().int(),
  running: z
    .array(z.strictObject({ trial: z.number().int(), variant: z.string(), simulated_s: z.number() }))
    .readonly(),
  elapsed_s: z.number(),
  /** Null until the first trial of this sitting is done. */
  left_s: z.number().nullable(),
});
export type EvaluationProgress = z.infer<typeof EvaluationProgress>;
