import type { ReviewSummary } from "#contract/review";
import { momentLink } from "#contract/review-link";
import type { ReviewOutcome } from "./cli-outcome";
import { timesOf } from "./report/html";

/** What a log is and what was found in it; `at_s` is the moment a link points at. */
export function summaryOutcome(summary: ReviewSummary, at_s: number | null): ReviewOutcome {
  const { completeness } = summary;
  const joined = summary.sources.slice(1).map(({ key, format, offset }) => {
    const sure =
      offset.correlation === null ? "" : `, ${offset.signal} correlation ${offset.correlation.toFixed(2)}`;
    return `joined ${key}: ${format} at ${offset.offset_s.toFixed(3)} s (${offset.how}${sure})`;
  });
  const lines = [
    `${summary.title} · ${summary.format}`,
    `${timesOf(summary)} · ${summary.duration_s.toFixed(1)} s · ${summary.message_count} messages in ${summary.topics.length} topics`,
    ...joined,
    `${completeness.state}${completeness.notes.length > 0 ? `: ${completeness.notes.join("; ")}` : ""}`,
    `audit: ${summary.audit.state}, ${summary.audit.detail}`,
    ...summary.findings.map(
      (f) => `${f.at_s.toFixed(1).padStart(8)} s  ${f.severity}: ${f.title} (${f.detail})`,
    ),
    ...(at_s === null ? [] : [`the link points at ${at_s.toFixed(1)} s`]),
  ];
  const { lanes, steps, topics, messages, ...rest } = summary;
  const json = {
    ...rest,
    topics: topics.map(({ name, type, count }) => ({ name, type, count })),
    messages,
    lanes,
    steps: steps.map(({ at_s: began_s, record }) => ({
      at_s: began_s,
      skill: record.proposal.call.skill,
      status: record.status,
      decision: record.decision,
      reasoning: record.proposal.trace.reasoning,
      link: momentLink({ path: summary.path, at_s: began_s }),
    })),
    at_s,
  };
  return { exit: 0, text: lines.join("\n"), json };
}
