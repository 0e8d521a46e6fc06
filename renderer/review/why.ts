import type { StepRecord } from "#contract/mission";
import type { ReviewFinding, ReviewSummary } from "#contract/review";
import type { GateCheck } from "#contract/safety";
import { skillLibrary } from "#contract/skills";
import { fixed, length, quantity, type Units, words } from "../ui/format";
import { statesAt } from "./lanes";
import { duration } from "./time";

type Step = ReviewSummary["steps"][number];

/** One part of the explanation, in the order it happened. */
export interface Paragraph {
  readonly title: string;
  readonly lines: readonly string[];
  readonly tone: "neutral" | "machine" | "caution" | "warning";
}

export interface Explanation {
  readonly title: string;
  readonly at_s: number;
  readonly step: Step;
  readonly parts: readonly Paragraph[];
}

/** When a step began and ended, seconds of the recording. `at_s` of a step is its beginning. */
export function stepSpan({ at_s, record }: Step): { readonly from_s: number; readonly to_s: number | null } {
  const { started_at_ms, ended_at_ms } = record;
  if (started_at_ms === null || ended_at_ms === null) return { from_s: at_s, to_s: null };
  return { from_s: at_s, to_s: at_s + (ended_at_ms - started_at_ms) / 1000 };
}

/** The step that was under way at `t_s`, else the last one before it. */
export function stepAt(steps: readonly Step[], t_s: number): Step | null {
  return steps.filter((s) => proposedAt(s) <= t_s + 1e-6).at(-1) ?? null;
}

/** A step begins, for the reader, when it was proposed. */
function proposedAt({ at_s, record }: Step): number {
  const { started_at_ms, proposal } = record;
  return started_at_ms === null ? at_s : at_s - Math.max(0, started_at_ms - proposal.created_at_ms) / 1000;
}

const unhappy = (record: StepRecord): boolean => record.status !== null && record.status !== "success";

/** Everything the record says of the step at the cursor, as an answer: what happened, what was chosen, judged, and then. */
export function explain(summary: ReviewSummary, t_s: number, units: Units): Explanation | null {
  const step = stepAt(summary.steps, t_s);
  if (step === null) return null;
  const { record } = step;
  const stopped = unhappy(record);
  const { to_s } = stepSpan(step);
  const next = summary.steps[summary.steps.indexOf(step) + 1] ?? null;
  const parts: Paragraph[] = [];
  if (stopped || record.status === null) parts.push(whatHappened(summary, step));
  parts.push({
    title: `Step ${record.step} · what the model saw and chose`,
    lines: [`“${record.proposal.trace.reasoning}”`],
    tone: "neutral",
  });
  parts.push(judged(step, units));
  if (record.status === "success")
    parts.push({ title: "Result", lines: [resultLine(step)], tone: "neutral" });
  parts.push(afterwards(summary, step, next));
  return {
    title: stopped ? "Why did it stop here?" : "Reasoning at the cursor",
    at_s: stopped && to_s !== null ? to_s : step.at_s,
    step,
    parts,
  };
}

export function callText(record: StepRecord): string {
  const { skill, args } = record.proposal.call;
  const { title, parameters } = skillLibrary[skill];
  const given = Object.entries(args).map(([name, value]) => {
    const known = parameters[name];
    return known === undefined ? `${words(name)} ${value}` : `${known.label} ${value} ${known.unit}`;
  });
  return [title, ...given].join(" · ");
}

function whatHappened(summary: ReviewSummary, step: Step): Paragraph {
  const { record } = step;
  const { from_s, to_s } = stepSpan(step);
  const end_s = to_s ?? from_s;
  const name = `“${skillLibrary[record.proposal.call.skill].title}”`;
  const lines: string[] = [];
  if (record.decision !== null && record.started_at_ms === null)
    lines.push(`${name} was not flown: ${words(record.decision.kind)}${because(record.decision.reason)}.`);
  else if (record.status === null) lines.push(`${name} was under way when the recording ends.`);
  else lines.push(`${name} ${statusVerb[record.status]} ${duration(end_s)}${because(record.detail)}.`);
  for (const finding of findingsNear(summary.findings, from_s, end_s).filter(
    (f) => f.detail !== record.detail,
  ))
    lines.push(`${duration(finding.at_s)}  ${finding.title}: ${finding.detail}`);
  const safe = statesAt(
    summary.lanes.filter((l) => l.id === "s_safe"),
    end_s,
  )[0];
  if (safe !== undefined && safe.span.tone !== "neutral")
    lines.push(`S_safe at that moment: ${safe.span.label}`);
  return { title: "What happened", lines, tone: record.status === "stopped" ? "warning" : "caution" };
}

const statusVerb = {
  success: "ended well at",
  failure: "failed at",
  timeout: "ran out of time at",
  stopped: "was stopped at",
} as const;

const because = (reason: string): string => (reason === "" ? "" : `: ${reason.replace(/\.$/, "")}`);

const near_s = 3;

function findingsNear(
  findings: readonly ReviewFinding[],
  from_s: number,
  to_s: number,
): readonly ReviewFinding[] {
  return findings
    .filter((f) => f.severity !== "advisory" && f.at_s >= from_s - 0.5 && f.at_s <= to_s + near_s)
    .slice(0, 4);
}

function judged({ record }: Step, units: Units): Paragraph {
  const { checks } = record.verdict;
  const failed = checks.filter((c) => c.status === "fail");
  const passed = checks.filter((c) => c.status !== "fail").length;
  const lines: string[] = [];
  for (const check of failed) lines.push(`✕ ${check.label}: ${check.detail}`);
  const least = checks.find((c) => c.margin !== null && c.status !== "fail");
  lines.push(
    `${passed} of ${checks.length} checks passed${least === undefined ? "" : `, least margin ${marginText(least, units)}`}`,
  );
  const { decision } = record;
  if (decision === null) lines.push("no decision is recorded");
  else {
    const who = decision.by === "" ? "" : ` by ${decision.by}`;
    lines.push(
      `${words(decision.kind)}${who} after ${fixed(decision.after_ms / 1000, 1)} s${because(decision.reason)}`,
    );
  }
  return {
    title: "Judged, approved, commanded",
    lines,
    tone: failed.length > 0 ? "warning" : "neutral",
  };
}

/** "clearance 0.31 m of 0.25": what was measured and what was needed. */
export function marginText(check: GateCheck, units: Units): string {
  const value = quantity(check.value, check.unit, units);
  const needed = quantity(check.needed, check.unit, units);
  return `${check.label.toLowerCase()} ${value}, ${check.sense === "at_least" ? "needs" : "at most"} ${needed}`;
}

function resultLine(step: Step): string {
  const { to_s, from_s } = stepSpan(step);
  const took = to_s === null ? "" : ` in ${fixed(to_s - from_s, 1)} s`;
  return `succeeded${took}${because(step.record.detail)}`;
}

function afterwards(summary: ReviewSummary, step: Step, next: Step | null): Paragraph {
  if (next === null) {
    const end = summary.lanes.find((l) => l.id === "mode")?.spans.at(-1);
    const mode = end === undefined ? "" : `; the vehicle was in ${end.label}`;
    return {
      title: "Then",
      lines: [`no further step; the recording ends at ${duration(summary.duration_s)}${mode}`],
      tone: "neutral",
    };
  }
  const { record } = next;
  const after_s = proposedAt(next) - (stepSpan(step).to_s ?? step.at_s);
  const policy = record.proposal.policy;
  return {
    title: "Then",
    lines: [
      `${after_s < 0.05 ? "at once" : `${fixed(after_s, 1)} s later`} ${policy} proposed ${callText(record).toLowerCase()}`,
    ],
    tone: "neutral",
  };
}

/** Facts of a proposal in one line: distance, duration, energy, model, latency. */
export function proposalFacts(record: StepRecord, units: Units): string {
  const p = record.proposal;
  return [
    length(p.distance_m, units),
    `${fixed(p.duration_s, 0)} s`,
    `${fixed(p.energy_wh, 1)} Wh`,
    `tier ${p.tier}`,
    `${p.policy} ${fixed(p.latency_ms, 0)} ms`,
    ...(p.attempt > 1 ? [`attempt ${p.attempt}`] : []),
  ].join(" · ");
}
