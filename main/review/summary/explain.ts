import type { ReviewFinding, ReviewSummary } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import type { LogReader } from "../reader";
import { typed } from "./kingfisher-record";
import { plain } from "./lanes";

type Step = ReviewSummary["steps"][number];

/** One part of an answer to "why did it stop here", in the order it happened. */
export interface Part {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface StopExplained {
  readonly at_s: number;
  readonly title: string;
  readonly step: Step;
  readonly parts: readonly Part[];
}

const NEAR_S = 3;
/** S_safe before a stop is what it was a moment earlier. */
const BEFORE_S = 2;
const statusVerb = {
  success: "ended well",
  failure: "failed",
  timeout: "ran out of time",
  stopped: "was stopped",
} as const;

export const stepTitle = (step: Step): string => skillLibrary[step.record.proposal.call.skill].title;

export function stepEnd_s({ at_s, record }: Step): number | null {
  const { started_at_ms, ended_at_ms } = record;
  return started_at_ms === null || ended_at_ms === null ? null : at_s + (ended_at_ms - started_at_ms) / 1000;
}

/** Every step that did not end well, each answered from the record alone. */
export function explainStops(summary: ReviewSummary, reader: LogReader): StopExplained[] {
  return summary.steps.flatMap((step, i) => {
    const { record } = step;
    const refused = record.started_at_ms === null && record.decision !== null;
    if (!refused && (record.status === null || record.status === "success")) return [];
    const at_s = stepEnd_s(step) ?? step.at_s;
    const parts = [
      { title: "What happened", lines: whatHappened(summary, reader, step, at_s) },
      {
        title: `Step ${record.step} · what the model saw and chose`,
        lines: [
          `“${record.proposal.trace.reasoning}”`,
          `chose ${stepTitle(step)}${argumentsOf(step)} (${record.proposal.policy}, attempt ${record.proposal.attempt})`,
        ],
      },
      { title: "Judged, approved, commanded", lines: [...judged(step), ...commanded(reader, step, at_s)] },
      { title: "Then", lines: [afterwards(summary, summary.steps[i + 1] ?? null, at_s)] },
    ];
    return [{ at_s, title: `Why did “${stepTitle(step)}” stop at ${clock(at_s)}?`, step, parts }];
  });
}

/** 2:54.1 */
export function clock(t_s: number): string {
  const sign = t_s < 0 ? "−" : "";
  const tenths = Math.round(Math.abs(t_s) * 10);
  const s = Math.floor(tenths / 10);
  return `${sign}${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}.${tenths % 10}`;
}

function argumentsOf({ record }: Step): string {
  const given = Object.entries(record.proposal.call.args);
  return given.length === 0 ? "" : ` with ${given.map(([name, value]) => `${name} ${value}`).join(", ")}`;
}

function whatHappened(summary: ReviewSummary, reader: LogReader, step: Step, at_s: number): string[] {
  const { record } = step;
  const name = `“${stepTitle(step)}”`;
  const lines: string[] = [];
  if (record.started_at_ms === null)
    lines.push(
      `${name} was not flown: ${record.decision?.kind.replaceAll("_", " ") ?? "no decision"}${because(record.decision?.reason ?? "")}.`,
    );
  else
    lines.push(
      `${name} ${record.status === null ? "was under way" : statusVerb[record.status]} at ${clock(at_s)}${because(record.detail)}.`,
    );
  for (const finding of near(summary.findings, step.at_s, at_s))
    if (finding.detail !== record.detail)
      lines.push(`${clock(finding.at_s)}  ${finding.title}: ${finding.detail}.`);
  const fall = safetyFall(reader, at_s);
  if (fall !== null) lines.push(fall);
  return lines;
}

const because = (reason: string): string => (reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`);

const near = (findings: readonly ReviewFinding[], from_s: number, to_s: number): ReviewFinding[] =>
  findings
    .filter(({ severity, at_s }) => severity !== "advisory" && at_s >= from_s - 0.5 && at_s <= to_s + NEAR_S)
    .sort((a, b) => a.at_s - b.at_s)
    .slice(0, 6);

/** "S_safe fell from 100 to 59 at 0:14.0, below the stop limit of 70; the largest displacement was 6.2 cm (red cup)." */
export function safetyFall(reader: LogReader, at_s: number): string | null {
  let before: number | null = null;
  let lowest: { score: number; at_s: number; cm: number; label: string } | null = null;
  for (const { at_s: t, value } of typed(reader, "/kingfisher/s_safe")) {
    if (value.score === null) continue;
    if (t < at_s - BEFORE_S) before = value.score;
    else if (t <= at_s + NEAR_S && (lowest === null || value.score < lowest.score)) {
      const worst = value.objects.find(({ id }) => id === value.worst);
      const cm = (worst?.displacement_m ?? value.worst_displacement_m) * 100;
      lowest = { score: value.score, at_s: t, cm, label: worst?.label ?? value.worst ?? "" };
    }
  }
  if (lowest === null || lowest.score >= 90) return null;
  const limit = lowest.score < 70 ? "below the stop limit of 70" : "below the caution limit of 90";
  return `S_safe fell from ${plain(before ?? 100, 0)} to ${plain(lowest.score, 0)} at ${clock(lowest.at_s)}, ${limit}; the largest displacement was ${plain(lowest.cm)} cm (${lowest.label}).`;
}

/** Checks, the least margin, who decided after how long. */
export function judged({ record }: Step): string[] {
  const { checks } = record.verdict;
  const failed = checks.filter(({ status }) => status === "fail");
  const least = checks.find(({ margin, status }) => margin !== null && status !== "fail");
  const { decision } = record;
  const who = decision === null || decision.by === "" ? "" : ` by ${decision.by}`;
  return [
    ...failed.map((check) => `failed: ${check.label}, ${check.detail}`),
    `${checks.length - failed.length} of ${checks.length} checks passed${least === undefined ? "" : `; least margin: ${least.label.toLowerCase()} ${plain(least.value ?? 0, 2)} ${least.unit}, ${least.sense === "at_least" ? "needs" : "at most"} ${plain(least.needed ?? 0, 2)}`}`,
    decision === null
      ? "no decision is recorded"
      : `${decision.kind.replaceAll("_", " ")}${who} after ${plain(decision.after_ms / 1000)} s${because(decision.reason)}`,
  ];
}

/** Setpoints that were streamed, and commands with what the vehicle answered. */
function commanded(reader: LogReader, step: Step, at_s: number): string[] {
  const column = reader.column("/kingfisher/setpoint", "yaw_enu_rad");
  const inside = column ? [...column.t_s].filter((t) => t >= step.at_s - 0.5 && t <= at_s + 0.5) : [];
  const lines: string[] = [];
  const [first] = inside;
  if (first !== undefined)
    lines.push(`setpoints ${clock(first)} to ${clock(inside.at(-1) ?? first)} (${inside.length})`);
  const asked = new Map<string, number>();
  for (const { at_s: t, value } of typed(reader, "/kingfisher/command")) {
    if (t < step.at_s - 0.5 || t > at_s + NEAR_S) continue;
    if (value.result === null) asked.set(value.command, t);
    else {
      const sent_s = asked.get(value.command);
      const after = sent_s === undefined ? "" : ` after ${plain((t - sent_s) * 1000, 0)} ms`;
      lines.push(`${clock(t)}  ${value.command} ${value.result}${after}`);
    }
  }
  for (const { at_s: t, value } of typed(reader, "/kingfisher/emergency"))
    if (t >= step.at_s - 0.5 && t <= at_s + NEAR_S && value.state !== "idle")
      lines.push(
        `${clock(t)}  ${value.action.toUpperCase()} ${value.state.replaceAll("_", " ")}${because(value.detail)}`,
      );
  return lines;
}

function afterwards(summary: ReviewSummary, next: Step | null, at_s: number): string {
  const mode = summary.lanes.find(({ id }) => id === "mode")?.spans.at(-1)?.label;
  if (next === null)
    return `No further step; the recording ends at ${clock(summary.duration_s)}${mode === undefined ? "" : `, the vehicle in ${mode}`}.`;
  const later_s = Math.max(0, next.at_s - at_s);
  return `${plain(later_s)} s later ${next.record.proposal.policy} proposed ${stepTitle(next)}.`;
}
