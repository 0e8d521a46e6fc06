import { z } from "zod";

export const workspaceSchemaVersion = 2;
export const layoutSchemaVersion = 1;

/**
 * One line of a plot: a field of a topic, or with the topic "=" an expression over fields (`{TOPIC.FIELD}` in braces).
 * What was commanded is drawn as the machine's.
 */
export const PlotLine = z.strictObject({
  topic: z.string(),
  field: z.string(),
  label: z.string(),
  role: z.enum(["measured", "commanded"]),
});
export type PlotLine = z.infer<typeof PlotLine>;

export const PlotSpec = z.strictObject({
  title: z.string(),
  lines: z.array(PlotLine).readonly(),
  /** Fixed scale, for scores and shares. */
  scale: z.tuple([z.number(), z.number()]).readonly().nullable(),
  /** Thresholds drawn across. */
  limits: z.array(z.strictObject({ at: z.number(), tone: z.enum(["caution", "warning"]) })).readonly(),
});
export type PlotSpec = z.infer<typeof PlotSpec>;

export const PlotLayout = z.strictObject({
  id: z.string(),
  title: z.string(),
  plots: z.array(PlotSpec).readonly(),
});
export type PlotLayout = z.infer<typeof PlotLayout>;

/** A layout as a file (`*.kingfisher-layout.json`), so that a team can pass it on. */
export const LayoutFile = z.strictObject({ schema: z.literal(layoutSchemaVersion), layout: PlotLayout });
export type LayoutFile = z.infer<typeof LayoutFile>;

/** A remembered moment; `note` may be empty. Seconds on the review's clock. */
export const Bookmark = z.strictObject({
  id: z.string(),
  at_s: z.number(),
  label: z.string(),
  note: z.string(),
});
export type Bookmark = z.infer<typeof Bookmark>;

/**
 * Everything about one review as a file (`*.kingfisher-review.json`). The first log is the reference: its start is zero,
 * and bookmarks, loop and cursor stay right when another log's offset is adjusted. Paths are absolute, or relative to
 * the file's own folder.
 */
export const ReviewWorkspace = z.strictObject({
  schema: z.literal(workspaceSchemaVersion),
  title: z.string(),
  logs: z
    .array(z.strictObject({ path: z.string(), offset_s: z.number() }))
    .min(1)
    .readonly(),
  layout: PlotLayout,
  bookmarks: z.array(Bookmark).readonly(),
  notes: z.string(),
  loop: z.strictObject({ from_s: z.number(), to_s: z.number() }).nullable(),
  range: z.strictObject({ from_s: z.number(), to_s: z.number() }).nullable(),
  cursor_s: z.number(),
  speed: z.number().positive(),
  time_mode: z.enum(["recording", "flight", "boot", "utc", "local"]),
});
export type ReviewWorkspace = z.infer<typeof ReviewWorkspace>;

/** A workspace as it was read: `read_only` when a newer Kingfisher wrote it, `backup` where an older file was kept. */
export const OpenedWorkspace = z.strictObject({
  path: z.string(),
  workspace: ReviewWorkspace,
  read_only: z.boolean(),
  migrated_from: z.number().nullable(),
  backup: z.string().nullable(),
  /** Logs that are not where the file says. */
  missing: z.array(z.string()).readonly(),
});
export type OpenedWorkspace = z.infer<typeof OpenedWorkspace>;

export const RecentFile = z.strictObject({
  path: z.string(),
  title: z.string(),
  opened_utc_ms: z.number(),
  exists: z.boolean(),
});
export type RecentFile = z.infer<typeof RecentFile>;
