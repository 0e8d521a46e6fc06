import { z } from "zod";

/** One flight of an archive, as indexed from its file. Figures are null where the log does not carry them. */
export const ArchiveFlight = z.strictObject({
  /** Name in SQL and in exported datasets, unique within the archive. */
  flight: z.string(),
  path: z.string(),
  title: z.string(),
  format: z.string(),
  start_utc_ms: z.number().nullable(),
  duration_s: z.number(),
  size_bytes: z.number(),
  completeness: z.enum(["complete", "truncated", "damaged", "empty"]),
  vehicle: z.string(),
  message_count: z.number(),
  topic_count: z.number(),
  warnings: z.number(),
  cautions: z.number(),
  metrics: z.record(z.string(), z.number()),
});
export type ArchiveFlight = z.infer<typeof ArchiveFlight>;

/** A figure that every flight can have, for comparisons and trends. */
export const ArchiveMetric = z.strictObject({ id: z.string(), label: z.string(), unit: z.string() });
export type ArchiveMetric = z.infer<typeof ArchiveMetric>;

export const ArchiveQuery = z.strictObject({
  /** Words that must all occur in name, title, vehicle, format, findings, messages or mission texts. */
  text: z.string().max(500),
  format: z.string().nullable(),
  completeness: z.enum(["complete", "truncated", "damaged", "empty"]).nullable(),
  from_utc_ms: z.number().nullable(),
  to_utc_ms: z.number().nullable(),
  min_duration_s: z.number().nullable(),
  /** A finding's rule that must have fired. */
  rule: z.string().nullable(),
  /** A topic that the flight must carry. */
  topic: z.string().nullable(),
  sort: z.enum(["start", "duration", "size", "warnings", "name"]),
  descending: z.boolean(),
  limit: z.number().int().min(1).max(1000),
  offset: z.number().int().min(0),
});
export type ArchiveQuery = z.infer<typeof ArchiveQuery>;

/** All flights, newest first. */
export const everyFlight: ArchiveQuery = {
  text: "",
  format: null,
  completeness: null,
  from_utc_ms: null,
  to_utc_ms: null,
  min_duration_s: null,
  rule: null,
  topic: null,
  sort: "start",
  descending: true,
  limit: 200,
  offset: 0,
};

export const ArchiveIndexed = z.strictObject({
  folder: z.string(),
  flights: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Files that look like logs and cannot be read, one line each. */
  unreadable: z.array(z.strictObject({ path: z.string(), reason: z.string() })).readonly(),
});
export type ArchiveIndexed = z.infer<typeof ArchiveIndexed>;

const SqlValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** An answer to SQL; large integers and times come as text where a number cannot hold them. */
export const SqlResult = z.strictObject({
  columns: z.array(z.strictObject({ name: z.string(), type: z.string() })).readonly(),
  rows: z.array(z.array(SqlValue).readonly()).readonly(),
  /** More rows than were asked for. */
  truncated: z.boolean(),
  elapsed_ms: z.number(),
});
export type SqlResult = z.infer<typeof SqlResult>;

/** Flights beside each other: `values[i]` belongs to `flights[i]`. */
export const ArchiveComparison = z.strictObject({
  flights: z.array(ArchiveFlight).readonly(),
  metrics: z
    .array(z.strictObject({ metric: ArchiveMetric, values: z.array(z.number().nullable()).readonly() }))
    .readonly(),
  rules: z
    .array(z.strictObject({ rule: z.string(), title: z.string(), counts: z.array(z.number()).readonly() }))
    .readonly(),
});
export type ArchiveComparison = z.infer<typeof ArchiveComparison>;

export const ArchiveTrend = z.strictObject({
  metric: ArchiveMetric,
  /** In order of time; flights without the figure or a date are left out. */
  points: z
    .array(
      z.strictObject({ flight: z.string(), path: z.string(), start_utc_ms: z.number(), value: z.number() }),
    )
    .readonly(),
  /** Change per 30 days (least squares), null below three points. */
  slope_per_30_days: z.number().nullable(),
});
export type ArchiveTrend = z.infer<typeof ArchiveTrend>;
