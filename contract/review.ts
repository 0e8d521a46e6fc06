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

/** Where a finding can be seen: a field of a topic over a time, with the limit that was broken where there is one. */
export const ReviewEvidence = z.strictObject({
  topic: z.string(),
  /** Empty where the messages themselves are the evidence, not one number of them. */
  field: z.string(),
  from_s: z.number(),
  to_s: z.number(),
  limit: z.number().nullable(),
});
export type ReviewEvidence = z.infer<typeof ReviewEvidence>;

export const ReviewFinding = z.strictObject({
  at_s: z.number(),
  severity: z.enum(["warning", "caution", "advisory"]),
  title: z.string(),
  detail: z.string(),
  /** The rule that fired: "vibration", "clipping", "link_gap", … ("other" for what the log itself complains of). */
  rule: z.string(),
  evidence: ReviewEvidence.nullable(),
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

/** How a log's place on the review's clock was found; "reference" is the log whose start is zero. */
export const OffsetSource = z.enum(["reference", "remembered", "correlated", "clock", "given", "none"]);
export type OffsetSource = z.infer<typeof OffsetSource>;

/** One log of a review. Topics of the reference keep their names; those of the others begin with `key:`. */
export const ReviewSource = z.strictObject({
  key: z.string(),
  path: z.string(),
  title: z.string(),
  format: z.string(),
  completeness: z.strictObject({
    state: z.enum(["complete", "truncated", "damaged", "empty"]),
    notes: z.array(z.string()).readonly(),
  }),
  duration_s: z.number(),
  start_utc_ms: z.number().nullable(),
  /** A video is played by the window from its address (`review.media`); it has no topics. */
  video: z.boolean(),
  offset: z.strictObject({
    /** Added to the log's own times. */
    offset_s: z.number(),
    how: OffsetSource,
    /** 0 to 1 where signals were compared; below about 0.6 it is a guess. */
    correlation: z.number().nullable(),
    /** The quantity that was compared: "turn rate", "height", "speed"; else empty. */
    signal: z.string(),
  }),
});
export type ReviewSource = z.infer<typeof ReviewSource>;

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
  /** End of the last log; zero is the start of the reference. */
  duration_s: z.number(),
  /** Logs laid over this one, the reference first. */
  sources: z.array(ReviewSource).min(1).readonly(),
  /** From the first moment of any log (negative when one began before the reference) to the last. */
  span: z.strictObject({ from_s: z.number(), to_s: z.number() }),
  /** Logs in the same folder that are not part of this review yet. */
  beside: z.array(z.strictObject({ path: z.string(), name: z.string() })).readonly(),
  start_utc_ms: z.number().nullable(),
  /** Vehicle boot time at the start, when known, so that boot time can be shown. */
  start_boot_ms: z.number().nullable(),
  /** First moment in the air: zero of flight time. */
  takeoff_s: z.number().nullable(),
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

/** Paths of one kind of knowledge: what the vehicle believed, was told, and what was true. */
export const TrackRole = z.enum(["estimate", "setpoint", "ground_truth", "sensor"]);
export type TrackRole = z.infer<typeof TrackRole>;

export const NamedTrack = z.strictObject({
  /** Unique within the review. */
  id: z.string(),
  label: z.string(),
  role: TrackRole,
  /** Where it comes from, for the reader. */
  topic: z.string(),
  track: ReviewTrack,
});
export type NamedTrack = z.infer<typeof NamedTrack>;

/** Amplitude spectrum of a stretch of one field, mean removed, averaged over half-overlapping windows (Welch). */
export const ReviewSpectrum = z.strictObject({
  topic: z.string(),
  field: z.string(),
  unit: z.string(),
  window: z.enum(["hann", "rectangular"]),
  sample_rate_hz: z.number(),
  resolution_hz: z.number(),
  windows: z.number().int(),
  frequency_hz: z.array(z.number()).readonly(),
  /** A sine of amplitude A shows as A. */
  amplitude: z.array(z.number()).readonly(),
  /** Largest first, at most five, each above four times the median. */
  peaks: z.array(z.strictObject({ frequency_hz: z.number(), amplitude: z.number() })).readonly(),
});
export type ReviewSpectrum = z.infer<typeof ReviewSpectrum>;

export const exportFormats = [
  "csv",
  "parquet",
  "mcap",
  "tlog",
  "kml",
  "hdf5",
  "lerobot",
  "report",
  "pdf",
] as const;
export const ExportFormat = z.enum(exportFormats);
export type ExportFormat = z.infer<typeof ExportFormat>;

/** What to write of a review. Nothing that exists is replaced unless `overwrite` says so. */
export const ExportOrder = z.strictObject({
  format: ExportFormat,
  folder: z.string().min(1),
  from_s: z.number().nullable(),
  to_s: z.number().nullable(),
  /** Null is all of them. */
  topics: z.array(z.string()).readonly().nullable(),
  overwrite: z.boolean(),
});
export type ExportOrder = z.infer<typeof ExportOrder>;

/** Written whole, or not at all because these files are there already: ask, then order again with `overwrite`. */
export const ExportResult = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("written"),
    format: ExportFormat,
    files: z.array(z.string()).readonly(),
    rows: z.number(),
    bytes: z.number(),
    /** What could not be carried over, one line each. */
    notes: z.array(z.string()).readonly(),
  }),
  z.strictObject({ state: z.literal("exists"), files: z.array(z.string()).readonly() }),
]);
export type ExportResult = z.infer<typeof ExportResult>;

/** Long work of review and archive, while it runs. */
export const ReviewJob = z.strictObject({
  id: z.string(),
  kind: z.enum(["export", "archive", "fetch", "query"]),
  title: z.string(),
  done: z.number(),
  /** Null while it is not known how much there is. */
  total: z.number().nullable(),
  unit: z.string(),
});
export type ReviewJob = z.infer<typeof ReviewJob>;

/** After landing: the vehicle holds logs that could lie beside the flight's recording. */
export const LogOffer = z.strictObject({
  id: z.string(),
  vehicle: z.string(),
  flight: z.string(),
  /** Newest first; the first one is the flight's as far as the clocks tell. */
  logs: z
    .array(z.strictObject({ id: z.number().int(), size_bytes: z.number(), utc_ms: z.number().nullable() }))
    .readonly(),
  state: z.enum(["offered", "fetching", "stored", "failed"]),
  /** While fetching. */
  received_bytes: z.number(),
  /** The stored file, or why there is none. */
  detail: z.string(),
  /** Of a companion computer: what can be fetched, or why nothing can. */
  companion: z.string(),
});
export type LogOffer = z.infer<typeof LogOffer>;

export const FlightEntry = z.strictObject({
  path: z.string(),
  name: z.string(),
  size_bytes: z.number(),
  modified_utc_ms: z.number(),
});
export type FlightEntry = z.infer<typeof FlightEntry>;
