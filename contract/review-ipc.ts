import { z } from "zod";
import {
  ArchiveComparison,
  ArchiveFlight,
  ArchiveIndexed,
  ArchiveMetric,
  ArchiveQuery,
  ArchiveTrend,
  SqlResult,
} from "./archive";
import { nothing, Outcome, outcomeOf } from "./outcome";
import {
  ExportOrder,
  ExportResult,
  FlightEntry,
  LogOffer,
  NamedTrack,
  ReviewJob,
  ReviewSeries,
  ReviewSpectrum,
  ReviewSummary,
  ReviewTrack,
} from "./review";
import { LayoutFile, OpenedWorkspace, PlotLayout, RecentFile, ReviewWorkspace } from "./review-workspace";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "must be bytes");
const path = z.strictObject({ path: z.string() });
const review = z.strictObject({ id: z.string() });
const field = { id: z.string(), topic: z.string(), field: z.string() };
const stretch = { from_s: z.number().nullable(), to_s: z.number().nullable() };
/** Null is the home's own folder of flights. */
const archive = { folder: z.string().nullable() };

export const reviewEvents = {
  /** Long work under way; each answers its own request when it ends. */
  jobs: z.array(ReviewJob).readonly(),
  /** Null when there is nothing to offer. */
  log_offer: LogOffer.nullable(),
} as const;

/** Review, archive, exports and the vehicle's own logs. Topics of joined logs are written `key:topic`. */
export const reviewRequests = {
  "review.flights": { input: nothing, output: z.array(FlightEntry) },
  "review.recent": { input: nothing, output: z.array(RecentFile) },
  "review.recent_clear": { input: nothing, output: nothing },
  /** Opens the system's file dialog; null when cancelled. */
  "review.pick": { input: nothing, output: z.strictObject({ path: z.string().nullable() }) },
  /** A log, a flight's folder, or a link to a moment (`kingfisher://review?…`). */
  "review.open": { input: path, output: outcomeOf(ReviewSummary) },
  "review.close": { input: review, output: nothing },
  /** Lays another log over an open review; its offset is remembered, else found. */
  "review.join": {
    input: z.strictObject({ id: z.string(), path: z.string() }),
    output: outcomeOf(ReviewSummary),
  },
  "review.leave": {
    input: z.strictObject({ id: z.string(), source: z.string() }),
    output: outcomeOf(ReviewSummary),
  },
  /** Sets a source's offset and remembers it; null finds it again. */
  "review.offset": {
    input: z.strictObject({ id: z.string(), source: z.string(), offset_s: z.number().nullable() }),
    output: outcomeOf(ReviewSummary),
  },
  "review.series": {
    input: z.strictObject({ ...field, ...stretch, points: z.number().int().min(10).max(20_000) }),
    output: outcomeOf(ReviewSeries),
  },
  "review.spectrum": {
    input: z.strictObject({ ...field, ...stretch, window: z.enum(["hann", "rectangular"]) }),
    output: outcomeOf(ReviewSpectrum),
  },
  "review.track": { input: review, output: outcomeOf(ReviewTrack) },
  /** Every path the logs tell: estimates, setpoints, ground truth. */
  "review.tracks": { input: review, output: outcomeOf(z.array(NamedTrack).readonly()) },
  /** The newest image of a topic at or before `at_s`. */
  "review.image": {
    input: z.strictObject({ id: z.string(), topic: z.string(), at_s: z.number() }),
    output: outcomeOf(
      z.strictObject({ at_s: z.number(), index: z.number().int(), media_type: z.string(), bytes }),
    ),
  },
  /** The newest message of a topic at or before `at_s`, decoded: for the scene at the cursor and for reading raw values. */
  "review.message": {
    input: z.strictObject({ id: z.string(), topic: z.string(), at_s: z.number() }),
    output: outcomeOf(z.strictObject({ at_s: z.number(), index: z.number().int(), message: z.unknown() })),
  },
  /** Address from which the page may play a joined video. */
  "review.media": {
    input: z.strictObject({ id: z.string(), source: z.string() }),
    output: outcomeOf(z.strictObject({ url: z.string() })),
  },
  /** Ready-made and saved layouts that this review can fill, the most telling first. */
  "review.layouts": { input: review, output: outcomeOf(z.array(PlotLayout).readonly()) },
  /** With `path` null into the home's layouts, where `review.layouts` finds it. */
  "review.layout_save": {
    input: z.strictObject({ path: z.string().nullable(), layout: PlotLayout, overwrite: z.boolean() }),
    output: outcomeOf(path),
  },
  "review.layout_open": { input: path, output: outcomeOf(LayoutFile) },
  "review.workspace_save": {
    input: z.strictObject({
      path: z.string().nullable(),
      workspace: ReviewWorkspace,
      overwrite: z.boolean(),
    }),
    output: outcomeOf(path),
  },
  "review.workspace_open": { input: path, output: outcomeOf(OpenedWorkspace) },
  /** "pdf" is printed by the window's process; everything else by the review process. */
  "review.export": {
    input: z.strictObject({ id: z.string(), order: ExportOrder }),
    output: outcomeOf(ExportResult),
  },
  /** Ends a job of the `jobs` event; what it had written is taken away again. */
  "jobs.cancel": { input: z.strictObject({ job: z.string() }), output: Outcome },
  /** Reads what is new in the folder, forgets what is gone; `rebuild` reads everything again. */
  "archive.index": {
    input: z.strictObject({ ...archive, rebuild: z.boolean() }),
    output: outcomeOf(ArchiveIndexed),
  },
  "archive.search": {
    input: z.strictObject({ ...archive, query: ArchiveQuery }),
    output: outcomeOf(z.strictObject({ total: z.number(), flights: z.array(ArchiveFlight).readonly() })),
  },
  "archive.compare": {
    input: z.strictObject({ ...archive, flights: z.array(z.string()).min(1).max(50).readonly() }),
    output: outcomeOf(ArchiveComparison),
  },
  "archive.metrics": { input: z.strictObject(archive), output: outcomeOf(z.array(ArchiveMetric).readonly()) },
  "archive.trend": {
    input: z.strictObject({ ...archive, metric: z.string(), query: ArchiveQuery }),
    output: outcomeOf(ArchiveTrend),
  },
  /**
   * Read-only SQL. Tables: `flights`, `findings`, `steps`, `messages`, `topics`, and every topic by its name
   * (`SELECT flight, max(-z) FROM vehicle_local_position GROUP BY flight`).
   */
  "archive.sql": {
    input: z.strictObject({
      ...archive,
      sql: z.string().min(1).max(20_000),
      limit: z.number().int().min(1).max(100_000),
      timeout_s: z.number().positive().max(600),
    }),
    output: outcomeOf(SqlResult),
  },
  "log_offer.current": { input: nothing, output: LogOffer.nullable() },
  /** Fetches one log of the offer into the flight's folder. Answers at the end; progress is in the `log_offer` event. */
  "log_offer.fetch": {
    input: z.strictObject({ offer: z.string(), log: z.number().int() }),
    output: outcomeOf(path),
  },
  /** Stops a fetch under way, keeping what came for a next try; else takes the offer away. */
  "log_offer.dismiss": { input: z.strictObject({ offer: z.string() }), output: Outcome },
} as const;
