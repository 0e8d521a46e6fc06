import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "./frames";
import { StepRecord } from "./mission";

/** All times of a review are seconds since the start of the recording (`t_s`); `start_utc_ms` places it in the world. */
export const ReviewTopic = z.strictObject({
  name: z.string(),
  type: z.string(),
  count: z.number().int(),
  fields: z.array(z.strictObject({ path: z.string(), numeric: z.boolean(), unit: z.string() })).readonly(),
});
export type ReviewTopic = z.infer<typeof ReviewTopic>;

export const LaneTone = z.enum(["neutral", "machine", "intent", "go", "caution", "warning"]);

export const ReviewLane = z.strictObject({
  id: z.string(),
  label: z.string(),
  spans: z
    .array(z.strictObject({ from_s: z.number(), to_s: z.number(), label: z.string(), tone: LaneTone }))
    .readonly(),
  marks: z.array(z.strictObject({ at_s: z.number(), label: z.string(), tone: LaneTone })).readonly(),
});
export type ReviewLane = z.infer<typeof ReviewLane>;

export const ReviewFinding = z.strictObject({
  at_s: z.number(),
  severity: z.enum(["warning", "caution", "advisory"]),
  title: z.string(),
  detail: z.string(),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

export const ReviewMessage = z.strictObject({
  at_s: z.number(),
  severity: z.string(),
  source: z.string(),
  text: z.string(),
});
export type ReviewMessage = z.infer<typeof ReviewMessage>;

/** A vehicle parameter as it was at the start, and how it changed during the recording. */
export const ReviewParameter = z.strictObject({
  name: z.string(),
  value: z.number(),
  changes: z.array(z.strictObject({ at_s: z.number(), value: z.number() })).readonly(),
});
export type ReviewParameter = z.infer<typeof ReviewParameter>;

export const ReviewSummary = z.strictObject({
  id: z.string(),
  path: z.string(),
  title: z.string(),
  format: z.string(),
  completeness: z.strictObject({
    state: z.enum(["complete", "truncated", "damaged", "empty"]),
    /** What is missing and where, one line each. */
    notes: z.array(z.string()).readonly(),
  }),
  duration_s: z.number(),
  start_utc_ms: z.number().nullable(),
  /** Vehicle boot time at the start, when known, so that boot time can be shown. */
  start_boot_ms: z.number().nullable(),
  topics: z.array(ReviewTopic).readonly(),
  message_count: z.number().int(),
  messages: z.array(ReviewMessage).readonly(),
  lanes: z.array(ReviewLane).readonly(),
  findings: z.array(ReviewFinding).readonly(),
  steps: z.array(z.strictObject({ at_s: z.number(), record: StepRecord })).readonly(),
  image_topics: z.array(z.strictObject({ topic: z.string(), count: z.number().int() })).readonly(),
  has_track: z.boolean(),
  audit: z.strictObject({ state: z.enum(["verified", "broken", "absent"]), detail: z.string() }),
  parameters: z.array(ReviewParameter).readonly(),
  meta: z.record(z.string(), z.string()),
});
export type ReviewSummary = z.infer<typeof ReviewSummary>;

/** Downsampled min/max-true: every extreme of the range survives. Where nothing was dropped min equals max. */
export const ReviewSeries = z.strictObject({
  topic: z.string(),
  field: z.string(),
  unit: z.string(),
  t_s: z.array(z.number()).readonly(),
  min: z.array(z.number().nullable()).readonly(),
  max: z.array(z.number().nullable()).readonly(),
  raw_count: z.number().int(),
});
export type ReviewSeries = z.infer<typeof ReviewSeries>;

/** The vehicle's path for the twin. */
export const ReviewTrack = z.strictObject({
  t_s: z.array(z.number()).readonly(),
  position_enu_m: z.array(EnuSchema).readonly(),
  quat_flu_enu: z.array(QuatFluEnuSchema).readonly(),
});
export type ReviewTrack = z.infer<typeof ReviewTrack>;

export const FlightEntry = z.strictObject({
  path: z.string(),
  name: z.string(),
  size_bytes: z.number(),
  modified_utc_ms: z.number(),
});
export type FlightEntry = z.infer<typeof FlightEntry>;
