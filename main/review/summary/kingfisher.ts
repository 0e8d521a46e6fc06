import { MissionState, type StepRecord } from "#contract/mission";
import type { ReviewLane, ReviewMessage, ReviewSummary, ReviewTrack } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import { upperBound } from "../bounds";
import type { LogReader } from "../reader";
import { setpointFindings } from "./health-motion";
import { batteryFindings, sagFindings } from "./health-power";
import {
  decisionFindings,
  emergencyFindings,
  governorFindings,
  missionFindings,
  stepFindings,
  vehicleFindings,
} from "./kingfisher-findings";
import { type Timed, typed } from "./kingfisher-record";
import { safetyFindings, safetySpans } from "./kingfisher-safety";
import { lane, type Mark, plain, type Seen, type Span, spansOf, type Tone } from "./lanes";
import { type Story, sortFindings } from "./story";

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
      ...governorFindings(reader),
      ...sagFindings(reader, "/kingfisher/vehicle", "battery.voltage_v", 1),
      ...batteryFindings(reader, "/kingfisher/vehicle", "battery.remaining", 1),
      ...setpointFindings(reader, {
        topic: "/kingfisher/setpoint",
        fields: ["position_enu_m[0]", "position_enu_m[1]", "position_enu_m[2]"],
        flowing: offboardAt(vehicle),
      }),
    ]),
    track: trackOf(vehicle),
    meta: {},
  };
}

/** Whether the vehicle flew our setpoints at a time, and no emergency had frozen them. */
function offboardAt(vehicle: readonly Timed<"/kingfisher/vehicle">[]): (at_s: number) => boolean {
  const times = Float64Array.from(vehicle, ({ at_s }) => at_s);
  return (at_s) => {
    const i = upperBound(times, at_s) - 1;
    return vehicle[i]?.value.mode === "offboard" && vehicle[i + 1]?.value.mode !== "hold";
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

function flightState(at_s: number, value: Timed<"/kingfisher/vehicle">["value"]): Seen {
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
  // Mission states repeat all steps so far: the last one holds them all.
  const last = MissionState.safeParse(reader.message?.("/kingfisher/mission", reader.duration_s)?.message);
  for (const record of last.data?.steps ?? []) add(0, record);
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

function decisionMark({ at_s, value: { record } }: Timed<"/kingfisher/decision">): Mark {
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

function alertMarks(alerts: readonly Timed<"/kingfisher/alert">[]): Mark[] {
  const counts = new Map<string, number>();
  return alerts.flatMap(({ at_s, value }) => {
    const repeated = value.count <= (counts.get(value.id) ?? 0);
    counts.set(value.id, value.count);
    return repeated ? [] : [{ at_s, label: value.text, tone: alertTone[value.severity] ?? "neutral" }];
  });
}

function messagesOf(
  reader: LogReader,
  alerts: readonly Timed<"/kingfisher/alert">[],
  emergencies: readonly Timed<"/kingfisher/emergency">[],
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

function trackOf(vehicle: readonly Timed<"/kingfisher/vehicle">[]): ReviewTrack | null {
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
