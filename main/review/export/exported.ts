import type { ExportFormat, ReviewSummary } from "#contract/review";
import type { Job } from "../jobs";
import type { LogReader } from "../reader";
import type { Session } from "../session";

/** What an exporter works on: the wanted part of a review, and the review's own story. */
export interface ExportSource {
  readonly reader: LogReader;
  readonly path: string;
  /** The first log's file; what lies beside it can be exported too. */
  readonly file: string;
  readonly session: Session;
  readonly summary: () => ReviewSummary;
  readonly from_s: number | null;
  readonly to_s: number | null;
}

/** Thrown where a log does not carry what a format needs; the text is one sentence for people. */
export class CannotExport extends Error {}

/** Where an exporter writes: `at` turns a name of the plan into the path to write to now. */
export interface Staging {
  readonly at: (name: string) => string;
}

export interface Exporter {
  /** Names below the folder that will be written, before anything is; throws `CannotExport`. */
  plan(source: ExportSource): readonly string[];
  write(
    source: ExportSource,
    staging: Staging,
    job: Job,
  ): Promise<{ readonly rows: number; readonly notes: readonly string[] }>;
}

export type WrittenFormat = Exclude<ExportFormat, "pdf">;
