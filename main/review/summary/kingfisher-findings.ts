import type { ReviewFinding, ReviewSummary } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import type { LogReader } from "../reader";
import { type Timed, typed } from "./kingfisher-record";
import { plain } from "./lanes";

/** The approve button is dead that long after a card appears; press-and-hold adds 0.8 s. */
const DWELL_MS = 1000;

export function decisionFindings(decisions: readonly Timed<"/kingfisher/decision">[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let automatic = 0;
  for (const { at_s, value } of decisions) {
    const { kind, after_ms, by, reason } = value.record;
    const seconds = plain(after_ms / 1000);
    if (kind === "auto_approved") automatic += 1;
    if (kind === "approved" && after_ms < DWELL_MS)
      out.push({ at_s, severity: "caution", title: `Approved in ${seconds} s`, detail: "the dwell is 1 s" });
    if (kind === "rejected")
      out.push({ at_s, severity: "advisory", title: "Rejected by the operator", detail: `${by}: ${reason}` });
    if (kind === "expired")
      out.push({
        at_s,
        severity: "caution",
        title: "Approval ran out",
        detail: `nobody answered for ${seconds} s`,
      });
    if (kind === "voided") out.push({ at_s, severity: "caution", title: "Approval voided", detail: reason });
    if (kind === "refused")
      out.push({ at_s, severity: "caution", title: "Refused by the gate", detail: reason });
  }
  const first = decisions.find(({ value }) => value.record.kind === "auto_approved");
  if (first)
    out.push({
      at_s: first.at_s,
      severity: "advisory",
      title: "Approved automatically",
      detail: `${automatic} of ${decisions.length} decisions without an operator`,
    });
  return out;
}

export function stepFindings(
  steps: ReviewSummary["steps"],
  toSeconds: (at_ms: number) => number,
): ReviewFinding[] {
  return steps.flatMap(({ at_s, record }) => {
    const { status } = record;
    if (status === null || status === "success") return [];
    const ended_s = record.ended_at_ms === null ? at_s : toSeconds(record.ended_at_ms);
    const title = skillLibrary[record.proposal.call.skill].title;
    const word = status === "timeout" ? "timed out" : status === "stopped" ? "was stopped" : "failed";
    return [
      { at_s: ended_s, severity: "caution" as const, title: `“${title}” ${word}`, detail: record.detail },
    ];
  });
}

export function vehicleFindings(vehicle: readonly Timed<"/kingfisher/vehicle">[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let before: Timed<"/kingfisher/vehicle"> | null = null;
  let lost_s: number | null = null;
  for (const now of vehicle) {
    const { at_s, value } = now;
    if (before?.value.connected && !value.connected) lost_s = at_s;
    if (lost_s !== null && value.connected) {
      out.push({
        at_s: lost_s,
        severity: "warning",
        title: "Link lost",
        detail: `silent for ${plain(at_s - lost_s)} s`,
      });
      lost_s = null;
    }
    if (value.failsafe && before?.value.failsafe === false)
      out.push({
        at_s,
        severity: "warning",
        title: "Failsafe",
        detail: `the vehicle went to ${value.mode_label}`,
      });
    const reset = before?.value.reset_counter ?? null;
    if (reset !== null && value.reset_counter !== null && value.reset_counter !== reset)
      out.push({
        at_s,
        severity: "caution",
        title: "Position reset",
        detail: "the estimator jumped to a new position",
      });
    before = now;
  }
  if (lost_s !== null)
    out.push({ at_s: lost_s, severity: "warning", title: "Link lost", detail: "it did not come back" });
  return out;
}

export function emergencyFindings(emergencies: readonly Timed<"/kingfisher/emergency">[]): ReviewFinding[] {
  return emergencies.flatMap(({ at_s, value }): ReviewFinding[] => {
    const name = value.action.toUpperCase();
    if (value.state === "sent")
      return [{ at_s, severity: "caution", title: `${name} pressed`, detail: value.detail }];
    if (value.state === "not_confirmed")
      return [{ at_s, severity: "warning", title: `${name} not confirmed`, detail: value.detail }];
    return [];
  });
}

const ENDINGS = [
  { phase: "pilot", severity: "caution", title: "The pilot took over" },
  { phase: "failed", severity: "warning", title: "Mission failed" },
] as const;
/** States are repeated while a phase lasts; after a longer silence it is a new one. */
const SAME_S = 1.5;

export function missionFindings(reader: LogReader): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  for (const { phase, severity, title } of ENDINGS) {
    let last_s = -Infinity;
    for (const { at_s, value } of typed(reader, "/kingfisher/mission", `"phase":"${phase}"`)) {
      // The words may also stand in a skill's progress inside the state.
      if (value.phase !== phase) continue;
      if (at_s - last_s > SAME_S) out.push({ at_s, severity, title, detail: value.why });
      last_s = at_s;
    }
  }
  return out;
}
