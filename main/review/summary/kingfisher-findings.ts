import type { ReviewEvidence, ReviewFinding, ReviewSummary } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import type { LogReader } from "../reader";
import { around } from "./findings";
import { type Timed, typed } from "./kingfisher-record";
import { plain } from "./lanes";

/** The approve button is dead that long after a card appears; press-and-hold adds 0.8 s. */
const DWELL_MS = 1000;
const DECISION = "/kingfisher/decision";
const VEHICLE = "/kingfisher/vehicle";

export function decisionFindings(decisions: readonly Timed<typeof DECISION>[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let automatic = 0;
  for (const { at_s, value } of decisions) {
    const { kind, after_ms, by, reason } = value.record;
    const seconds = plain(after_ms / 1000);
    const add = (
      severity: ReviewFinding["severity"],
      rule: string,
      title: string,
      detail: string,
      limit: number | null = null,
    ): void => {
      out.push({
        at_s,
        severity,
        title,
        detail,
        rule,
        evidence: around(DECISION, "record.after_ms", at_s, limit),
      });
    };
    if (kind === "auto_approved") automatic += 1;
    if (kind === "approved" && after_ms < DWELL_MS)
      add("caution", "approval_too_fast", `Approved in ${seconds} s`, "the dwell is 1 s", DWELL_MS);
    if (kind === "rejected") add("advisory", "rejected", "Rejected by the operator", `${by}: ${reason}`);
    if (kind === "expired")
      add("caution", "approval_expired", "Approval ran out", `nobody answered for ${seconds} s`);
    if (kind === "voided") add("caution", "approval_voided", "Approval voided", reason);
    if (kind === "refused") add("caution", "refused", "Refused by the gate", reason);
  }
  const first = decisions.find(({ value }) => value.record.kind === "auto_approved");
  if (first)
    out.push({
      at_s: first.at_s,
      severity: "advisory",
      title: "Approved automatically",
      detail: `${automatic} of ${decisions.length} decisions without an operator`,
      rule: "approved_automatically",
      evidence: around(DECISION, "record.after_ms", first.at_s),
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
      {
        at_s: ended_s,
        severity: "caution" as const,
        title: `“${title}” ${word}`,
        detail: record.detail,
        rule: "skill",
        evidence: {
          topic: VEHICLE,
          field: "position_enu_m[2]",
          from_s: at_s,
          to_s: ended_s + 2,
          limit: null,
        },
      },
    ];
  });
}

export function vehicleFindings(vehicle: readonly Timed<typeof VEHICLE>[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let before: Timed<typeof VEHICLE> | null = null;
  let lost_s: number | null = null;
  const silence = (to_s: number | null): ReviewEvidence => ({
    topic: VEHICLE,
    field: "heartbeat_at_ms",
    from_s: Math.max(0, (lost_s ?? 0) - 2),
    to_s: to_s ?? (lost_s ?? 0) + 10,
    limit: null,
  });
  for (const now of vehicle) {
    const { at_s, value } = now;
    if (before?.value.connected && !value.connected) lost_s = at_s;
    if (lost_s !== null && value.connected) {
      out.push({
        at_s: lost_s,
        severity: "warning",
        title: "Link lost",
        detail: `silent for ${plain(at_s - lost_s)} s`,
        rule: "link_gap",
        evidence: silence(at_s + 2),
      });
      lost_s = null;
    }
    if (value.failsafe && before?.value.failsafe === false)
      out.push({
        at_s,
        severity: "warning",
        title: "Failsafe",
        detail: `the vehicle went to ${value.mode_label}`,
        rule: "failsafe",
        evidence: around(VEHICLE, "failsafe", at_s),
      });
    const reset = before?.value.reset_counter ?? null;
    if (reset !== null && value.reset_counter !== null && value.reset_counter !== reset)
      out.push({
        at_s,
        severity: "caution",
        title: "Position reset",
        detail: "the estimator jumped to a new position",
        rule: "estimate_reset",
        evidence: around(VEHICLE, "reset_counter", at_s),
      });
    before = now;
  }
  if (lost_s !== null)
    out.push({
      at_s: lost_s,
      severity: "warning",
      title: "Link lost",
      detail: "it did not come back",
      rule: "link_gap",
      evidence: silence(null),
    });
  return out;
}

export function emergencyFindings(emergencies: readonly Timed<"/kingfisher/emergency">[]): ReviewFinding[] {
  return emergencies.flatMap(({ at_s, value }): ReviewFinding[] => {
    const name = value.action.toUpperCase();
    const evidence = around("/kingfisher/emergency", "", at_s);
    const rule = "emergency";
    if (value.state === "sent")
      return [{ at_s, severity: "caution", title: `${name} pressed`, detail: value.detail, rule, evidence }];
    if (value.state === "not_confirmed")
      return [
        { at_s, severity: "warning", title: `${name} not confirmed`, detail: value.detail, rule, evidence },
      ];
    return [];
  });
}

const GOVERNOR = "/kingfisher/governor";
/** Interventions closer together than this are one. */
const ONE_INTERVENTION_S = 1;

/** Times in which the governor flew slower than was planned, because tracking error or clearance left no room. */
export function governorFindings(reader: LogReader): ReviewFinding[] {
  let times = 0;
  let first_s: number | null = null;
  let last_s = Number.NEGATIVE_INFINITY;
  let worst = { at_s: 0, scale: 1, error_m: 0, reason: "" };
  for (const { at_s, value } of typed(reader, GOVERNOR)) {
    if (!(value.scale < 1)) continue;
    if (at_s - last_s > ONE_INTERVENTION_S) times += 1;
    first_s ??= at_s;
    last_s = at_s;
    if (value.scale < worst.scale) worst = { at_s, ...value };
  }
  if (first_s === null) return [];
  const stopped = worst.scale <= 0;
  return [
    {
      at_s: worst.at_s,
      severity: stopped ? "caution" : "advisory",
      title: `Governor slowed ${times} ${times === 1 ? "time" : "times"}`,
      detail: `to ${plain(worst.scale * 100, 0)} % at worst, tracking error ${plain(worst.error_m * 100)} cm: ${worst.reason}`,
      rule: "governor",
      evidence: { topic: GOVERNOR, field: "scale", from_s: first_s, to_s: last_s + 1, limit: 1 },
    },
  ];
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
      const evidence = around("/kingfisher/mission", "", at_s);
      if (at_s - last_s > SAME_S)
        out.push({ at_s, severity, title, detail: value.why, rule: "mission", evidence });
      last_s = at_s;
    }
  }
  return out;
}
