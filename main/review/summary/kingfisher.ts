import { MissionState, StepRecord } from "#contract/mission";
import { type RecordMessage, type RecordTopic, recordTopics } from "#contract/record";
import type { ReviewFinding, ReviewLane, ReviewMessage, ReviewSummary, ReviewTrack } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import type { LogReader } from "../reader";
import { safetyFindings, safetySpans } from "./kingfisher-safety";
import { lane, type Mark, plain, type Seen, type Span, spansOf, type Tone } from "./lanes";
import { type Story, sortFindings } from "./story";

interface Timed<T> {
  readonly at_s: number;
  readonly value: T;
}

/** Messages of one topic that fit their schema; others (another version, damage) are counted by the caller's length. */
export function* typed<T extends RecordTopic>(
  reader: LogReader,
  topic: T,
): Iterable<Timed<RecordMessage<T>>> {
  const schema = recordTopics[topic];
  for (const { at_s, value } of reader.records(topic)) {
    const parsed = schema.safeParse(value);
    if (parsed.success) yield { at_s, value: parsed.data as RecordMessage<T> };
  }
}

/** Our own flights: the whole mission is in the record. */
export function kingfisherStory(reader: LogReader): Story {
  const end_s = reader.duration_s;
  const toSeconds = stationClock(reader);
  const steps = stepsOf(reader, toSeconds);
  const vehicle = [...typed(reader, "/kingfisher/vehicle")];
  const decisions = [...typed(reader, "/kingfisher/decision")];
  const alerts = [...typed(reader, "/kingfisher/alert")];
  const emergencies = [...typed(reader, "/kingfisher/emergency")];
  const safety = [...typed(reader, "/kingfisher/s_safe")];
  const mode = spansOf(
    vehicle.map(
      ({ at_s, value }): Seen => ({
        at_s,
        label: value.mode_label,
        tone: value.failsafe ? "warning" : "neutral",
      }),
    ),
    end_s,
  );
  const lanes: ReviewLane[] = [
    lane("mode", "Mode", mode),
    lane(
      "armed",
      "Armed",
      spansOf(
        vehicle.map(({ at_s, value }) => flightState(at_s, value)),
        end_s,
      ),
    ),
    lane("skills", "Skills", skillSpans(steps, toSeconds, end_s)),
    lane("approvals", "Approvals", [], decisions.map(decisionMark)),
    lane("alerts", "Alerts", [], alertMarks(alerts)),
    lane("s_safe", "S_safe", safetySpans(safety, end_s)),
  ];
  return {
    title: reader.meta["name"] ?? "Flight",
    lanes,
    steps,
    messages: messagesOf(reader, alerts, emergencies),
    findings: sortFindings([
      ...safetyFindings(safety, vehicle),
      ...decisionFindings(decisions),
      ...stepFindings(steps, toSeconds),
      ...vehicleFindings(vehicle),
      ...emergencyFindings(emergencies),
      ...missionFindings(reader),
    ]),
    track: trackOf(vehicle),
    meta: {},
  };
}

/** Messages carry the station's clock; its zero is in the recording's metadata. */
export function stationClock(reader: LogReader): (at_ms: number) => number {
  const now_ms = Number(reader.meta["started_now_ms"]);
  const utc_ms = Number(reader.meta["started_utc_ms"]);
  const start_ms = reader.start_utc_ms ?? utc_ms;
  if (!Number.isFinite(now_ms) || !Number.isFinite(utc_ms)) return () => Number.NaN;
  return (at_ms) => (at_ms - now_ms + utc_ms - start_ms) / 1000;
}

type Vehicle = Timed<RecordMessage<"/kingfisher/vehicle">>;

function flightState(at_s: number, value: Vehicle["value"]): Seen {
  if (!value.connected) return { at_s, label: "Link lost", tone: "warning" };
  if (!value.armed) return { at_s, label: "Disarmed", tone: "neutral" };
  return { at_s, label: value.landed === "on_ground" ? "Armed" : "In flight", tone: "intent" };
}

/** The last record of each step says how it ended; a mission state stands in when the recording was cut before that. */
function stepsOf(reader: LogReader, toSeconds: (at_ms: number) => number): ReviewSummary["steps"] {
  const found = new Map<string, { at_s: number; record: StepRecord }>();
  const add = (at_s: number, record: StepRecord): void => {
    const began_s = toSeconds(record.started_at_ms ?? record.proposal.created_at_ms);
    found.set(record.proposal.id, { at_s: Number.isFinite(began_s) ? began_s : at_s, record });
  };
  let last: MissionState | null = null;
  for (const { value } of reader.records("/kingfisher/mission")) {
    const parsed = MissionState.safeParse(value);
    if (parsed.success) last = parsed.data;
  }
  for (const record of last?.steps ?? []) add(0, record);
  for (const { at_s, value } of typed(reader, "/kingfisher/step")) add(at_s, value);
  return [...found.values()].sort((a, b) => a.at_s - b.at_s);
}

function skillSpans(
  steps: ReviewSummary["steps"],
  toSeconds: (at_ms: number) => number,
  end_s: number,
): Span[] {
  const spans: Span[] = [];
  for (const { record } of steps) {
    if (record.started_at_ms === null) continue;
    const title = skillLibrary[record.proposal.call.skill].title;
    const failed = record.status !== null && record.status !== "success";
    const from_s = Math.max(0, toSeconds(record.started_at_ms));
    const to_s = record.ended_at_ms === null ? end_s : Math.min(end_s, toSeconds(record.ended_at_ms));
    spans.push({
      from_s,
      to_s: Math.max(from_s, to_s),
      label: failed ? `${title} ✕` : title,
      tone: failed ? "warning" : "machine",
    });
  }
  return spans;
}

type DecisionMessage = Timed<RecordMessage<"/kingfisher/decision">>;

function decisionMark({ at_s, value: { record } }: DecisionMessage): Mark {
  const good = record.kind.includes("approved") || record.kind === "edited";
  const who = record.by === "" ? "" : ` by ${record.by}`;
  const why = record.reason === "" ? "" : `: ${record.reason}`;
  return {
    at_s,
    label: `${record.kind.replaceAll("_", " ")}${who} after ${plain(record.after_ms / 1000)} s${why}`,
    tone: good ? "go" : "caution",
  };
}

const alertTone: Readonly<Record<string, Tone>> = {
  warning: "warning",
  caution: "caution",
  advisory: "neutral",
};
type AlertMessage = Timed<RecordMessage<"/kingfisher/alert">>;

function alertMarks(alerts: readonly AlertMessage[]): Mark[] {
  const counts = new Map<string, number>();
  return alerts.flatMap(({ at_s, value }) => {
    const repeated = value.count <= (counts.get(value.id) ?? 0);
    counts.set(value.id, value.count);
    return repeated ? [] : [{ at_s, label: value.text, tone: alertTone[value.severity] ?? "neutral" }];
  });
}

type EmergencyMessage = Timed<RecordMessage<"/kingfisher/emergency">>;

function messagesOf(
  reader: LogReader,
  alerts: readonly AlertMessage[],
  emergencies: readonly EmergencyMessage[],
): ReviewMessage[] {
  const out: ReviewMessage[] = [];
  for (const { at_s, value } of typed(reader, "/kingfisher/text")) out.push({ at_s, ...value });
  for (const mark of alertMarks(alerts))
    out.push({ at_s: mark.at_s, severity: mark.tone, source: "alert", text: mark.label });
  for (const { at_s, value } of emergencies)
    if (value.state !== "idle")
      out.push({
        at_s,
        severity: value.state === "not_confirmed" ? "warning" : "notice",
        source: "operator",
        text: `${value.action.toUpperCase()} ${value.state.replaceAll("_", " ")}${value.detail === "" ? "" : `: ${value.detail}`}`,
      });
  return out.sort((a, b) => a.at_s - b.at_s);
}

/** The approve button is dead that long after a card appears; press-and-hold adds 0.8 s. */
const DWELL_MS = 1000;

function decisionFindings(decisions: readonly DecisionMessage[]): ReviewFinding[] {
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

function stepFindings(steps: ReviewSummary["steps"], toSeconds: (at_ms: number) => number): ReviewFinding[] {
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

function vehicleFindings(vehicle: readonly Vehicle[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let before: Vehicle | null = null;
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

function emergencyFindings(emergencies: readonly EmergencyMessage[]): ReviewFinding[] {
  return emergencies.flatMap(({ at_s, value }): ReviewFinding[] => {
    const name = value.action.toUpperCase();
    if (value.state === "sent")
      return [{ at_s, severity: "caution", title: `${name} pressed`, detail: value.detail }];
    if (value.state === "not_confirmed")
      return [{ at_s, severity: "warning", title: `${name} not confirmed`, detail: value.detail }];
    return [];
  });
}

function missionFindings(reader: LogReader): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let phase = "";
  for (const { at_s, value } of typed(reader, "/kingfisher/mission")) {
    if (value.phase === phase) continue;
    phase = value.phase;
    if (phase === "pilot")
      out.push({ at_s, severity: "caution", title: "The pilot took over", detail: value.why });
    if (phase === "failed")
      out.push({ at_s, severity: "warning", title: "Mission failed", detail: value.why });
  }
  return out;
}

function trackOf(vehicle: readonly Vehicle[]): ReviewTrack | null {
  const track = { t_s: [] as number[], position_enu_m: [] as Enu[], quat_flu_enu: [] as Quat[] };
  for (const { at_s, value } of vehicle) {
    if (!value.position_enu_m || !value.quat_flu_enu) continue;
    track.t_s.push(at_s);
    track.position_enu_m.push(value.position_enu_m);
    track.quat_flu_enu.push(value.quat_flu_enu);
  }
  return track.t_s.length > 0 ? track : null;
}
type Enu = ReviewTrack["position_enu_m"][number];
type Quat = ReviewTrack["quat_flu_enu"][number];
