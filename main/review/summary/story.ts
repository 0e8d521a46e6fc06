import type { ReviewFinding, ReviewLane, ReviewMessage, ReviewSummary, ReviewTrack } from "#contract/review";

/** What a log tells beyond its columns: what happened, in lanes, findings and steps. One builder per kind of log. */
export interface Story {
  readonly title: string;
  readonly lanes: readonly ReviewLane[];
  readonly findings: readonly ReviewFinding[];
  readonly steps: ReviewSummary["steps"];
  readonly messages: readonly ReviewMessage[];
  readonly track: ReviewTrack | null;
  readonly meta: Readonly<Record<string, string>>;
}

const ORDER = { warning: 0, caution: 1, advisory: 2 } as const;

/** Worst first, then by time. */
export const sortFindings = (findings: readonly ReviewFinding[]): ReviewFinding[] =>
  [...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity] || a.at_s - b.at_s);
