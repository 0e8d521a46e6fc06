import type { ExportFormat, ExportOrder, ReviewSummary } from "#contract/review";
import type { Range } from "./range";

/** What can be written, in words of those who will read it. */
export const formats: readonly {
  readonly id: ExportFormat;
  readonly title: string;
  readonly what: string;
}[] = [
  {
    id: "report",
    title: "Report (HTML)",
    what: "One page that explains the flight, with figures and pictures; opens anywhere.",
  },
  { id: "pdf", title: "Report (PDF)", what: "The same page, printed." },
  { id: "csv", title: "CSV", what: "One table for each topic." },
  {
    id: "parquet",
    title: "Parquet",
    what: "One partitioned data set that DuckDB, Spark and Trino read as it is.",
  },
  { id: "mcap", title: "MCAP", what: "For Foxglove and other robotics tools." },
  { id: "tlog", title: "Telemetry log", what: "MAVLink with times, for other ground stations." },
  { id: "kml", title: "KML", what: "The path on a globe." },
  { id: "hdf5", title: "Robomimic HDF5", what: "Demonstrations for imitation learning." },
  { id: "lerobot", title: "LeRobot", what: "Episodes for LeRobot's trainers." },
];

/** Formats that know single topics; the others take what they are made of. */
const by_topic: ReadonlySet<ExportFormat> = new Set(["csv", "parquet", "mcap"]);
export const takesTopics = (format: ExportFormat): boolean => by_topic.has(format);

export interface Wish {
  readonly format: ExportFormat;
  readonly folder: string;
  /** Only the stretch shown on the timeline. */
  readonly shown_only: boolean;
  readonly topics: "all" | "plotted";
}

/** The order for a wish; null is everything, so that nothing is cut by a rounded number. */
export function orderOf(
  wish: Wish,
  range: Range,
  plotted: readonly string[],
  overwrite: boolean,
): ExportOrder {
  return {
    format: wish.format,
    folder: wish.folder,
    from_s: wish.shown_only ? range.from_s : null,
    to_s: wish.shown_only ? range.to_s : null,
    topics: takesTopics(wish.format) && wish.topics === "plotted" ? plotted : null,
    overwrite,
  };
}

/** Beside the recording: a folder for a flight is its own, a file lies in one. */
export function nearby({ path }: Pick<ReviewSummary, "path">): string {
  const cut = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return cut > 0 ? `${path.slice(0, cut)}/export` : "export";
}
