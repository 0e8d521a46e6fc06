import type { Site } from "#contract/geometry";
import type { FlightEntry, NamedTrack, ReviewSummary, ReviewTrack } from "#contract/review";
import type { Bookmark, PlotLayout, PlotLine, PlotSpec, RecentFile } from "#contract/review-workspace";
import { type Playback, startPlayback } from "./playback";
import type { Range } from "./range";
import type { TimeMode } from "./time";

export type Phase =
  | { readonly kind: "empty" }
  | { readonly kind: "loading"; readonly path: string }
  | { readonly kind: "error"; readonly path: string; readonly reason: string }
  | { readonly kind: "open"; readonly summary: ReviewSummary };

/** The file that this review is kept in. */
export interface WorkspaceFile {
  readonly path: string;
  /** A newer Kingfisher wrote it: it is only read. */
  readonly read_only: boolean;
}

/** What the last action on files came to: one line, until it is dismissed or the next one. */
export interface Said {
  readonly text: string;
  readonly bad: boolean;
}

export interface DeskState {
  readonly phase: Phase;
  /** Null while the list has not been told. */
  readonly flights: readonly FlightEntry[] | null;
  readonly recent: readonly RecentFile[];
  readonly playback: Playback;
  readonly range: Range;
  readonly track: ReviewTrack | null;
  readonly tracks: readonly NamedTrack[];
  readonly site: Site | null;
  readonly layouts: readonly PlotLayout[];
  /** Null once the operator has changed the plots by hand. */
  readonly layout: string | null;
  readonly plots: readonly PlotSpec[];
  /** The plot that takes the next field; null makes a new one. */
  readonly into: number | null;
  /** The field whose spectrum is shown. */
  readonly spectrum: PlotLine | null;
  readonly time_mode: TimeMode;
  /** The other end of a measurement; legends then show differences. */
  readonly mark_s: number | null;
  readonly bookmarks: readonly Bookmark[];
  readonly notes: string;
  readonly file: WorkspaceFile | null;
  readonly said: Said | null;
  /** A log is being laid over this review. */
  readonly joining: boolean;
}

export const closed: Omit<DeskState, "flights" | "recent" | "time_mode"> = {
  phase: { kind: "empty" },
  playback: startPlayback({ from_s: 0, to_s: 0 }),
  range: { from_s: 0, to_s: 1 },
  track: null,
  tracks: [],
  site: null,
  layouts: [],
  layout: null,
  plots: [],
  into: null,
  spectrum: null,
  mark_s: null,
  bookmarks: [],
  notes: "",
  file: null,
  said: null,
  joining: false,
};
