import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { around, gapFindings } from "./findings";
import { changesOf, hasTopic, lane, type Mark, type Seen, spansOf } from "./lanes";
import { mavlinkHealth } from "./mavlink-health";
import { ardupilotModeName, px4CustomName, vehicleTypeName } from "./modes";
import { type Story, sortFindings } from "./story";
import { eulerColumns, globalColumns, joinTrack, nedColumns, quatColumns } from "./track";

const ARMED = 128;
const MAV_STATE_CRITICAL = 5;
const MAV_AUTOPILOT_PX4 = 12;
const MAV_AUTOPILOT_ARDUPILOT = 3;

/** Telemetry logs of any MAVLink vehicle. */
export function mavlinkStory(reader: LogReader): Story {
  const end_s = reader.duration_s;
  const autopilot = changesOf(reader, "HEARTBEAT", "autopilot")[0]?.value ?? 0;
  const type = changesOf(reader, "HEARTBEAT", "type").at(-1)?.value ?? 0;
  const modeName = (custom: number): string =>
    autopilot === MAV_AUTOPILOT_PX4 ? px4CustomName(custom) : ardupilotModeName(custom, type);
  const modes = changesOf(reader, "HEARTBEAT", "custom_mode").map(
    ({ at_s, value }): Seen => ({ at_s, label: modeName(value), tone: "neutral" }),
  );
  const armed = changesOf(reader, "HEARTBEAT", "base_mode").map(
    ({ at_s, value }): Seen =>
      value & ARMED ? { at_s, label: "Armed", tone: "intent" } : { at_s, label: "Disarmed", tone: "neutral" },
  );
  const states = changesOf(reader, "HEARTBEAT", "system_status").map(
    ({ at_s, value }): Seen => ({
      at_s,
      label: value >= MAV_STATE_CRITICAL ? "Failsafe" : "",
      tone: "warning",
    }),
  );
  const failsafe = spansOf(states, end_s);
  return {
    title: `${autopilotName(autopilot)} ${type === 0 ? "vehicle" : vehicleTypeName(type)}`,
    lanes: [
      lane("mode", "Mode", spansOf(modes, end_s)),
      lane("armed", "Armed", spansOf(armed, end_s)),
      lane("failsafe", "Failsafe", failsafe),
      lane("messages", "Messages", [], messageMarks(reader)),
    ],
    steps: [],
    messages: [],
    findings: sortFindings([
      ...failsafe.map(
        (span): ReviewFinding => ({
          at_s: span.from_s,
          severity: "warning",
          title: "Failsafe",
          detail: `the vehicle reported a critical state for ${(span.to_s - span.from_s).toFixed(1)} s`,
          rule: "failsafe",
          evidence: {
            topic: "HEARTBEAT",
            field: "system_status",
            from_s: span.from_s,
            to_s: span.to_s,
            limit: MAV_STATE_CRITICAL,
          },
        }),
      ),
      ...gapFindings(reader, "HEARTBEAT", 3),
      ...mavlinkHealth(reader, autopilot === MAV_AUTOPILOT_PX4),
      ...commandFindings(reader),
      ...messageFindings(reader),
    ]),
    track: trackOf(reader),
    meta: { autopilot: autopilotName(autopilot), type: vehicleTypeName(type) },
  };
}

const autopilotName = (autopilot: number): string =>
  autopilot === MAV_AUTOPILOT_PX4 ? "PX4" : autopilot === MAV_AUTOPILOT_ARDUPILOT ? "ArduPilot" : "MAVLink";

const SERIOUS = new Set(["emergency", "alert", "critical", "error"]);

/** One mark a message that an operator would have looked up for. */
export function messageMarks(reader: LogReader): Mark[] {
  return reader.messages
    .filter(({ severity }) => severity !== "debug")
    .map(({ at_s, severity, text }) => ({
      at_s,
      label: text,
      tone: SERIOUS.has(severity) ? "warning" : severity === "warning" ? "caution" : "neutral",
    }));
}

export function messageFindings(reader: LogReader): ReviewFinding[] {
  return reader.messages.flatMap(({ at_s, severity, text, source }) =>
    SERIOUS.has(severity)
      ? [
          {
            at_s,
            // A check that is not passed yet keeps the vehicle on the ground; it is no fault of the flight.
            severity: source.includes("arming_check") ? ("advisory" as const) : ("warning" as const),
            title: text,
            detail: `${severity} message from ${source}`,
            rule: source.includes("arming_check") ? "arming_check" : "message",
            evidence: null,
          },
        ]
      : [],
  );
}

const RESULTS = [
  "accepted",
  "temporarily rejected",
  "denied",
  "unsupported",
  "failed",
  "in progress",
  "cancelled",
];

function commandFindings(reader: LogReader): ReviewFinding[] {
  if (!hasTopic(reader, "COMMAND_ACK")) return [];
  const out: ReviewFinding[] = [];
  for (const { at_s, value } of reader.records("COMMAND_ACK")) {
    const { command, result } = value as { command: number; result: number };
    if (result === 0 || result === 5) continue;
    out.push({
      at_s,
      severity: "caution",
      title: `Command ${command} ${RESULTS[result] ?? `result ${result}`}`,
      detail: "the vehicle refused what it was asked",
      rule: "command_refused",
      evidence: around("COMMAND_ACK", "result", at_s),
    });
  }
  return out;
}

function trackOf(reader: LogReader): Story["track"] {
  const position =
    nedColumns(reader, "LOCAL_POSITION_NED", ["x", "y", "z"]) ??
    globalColumns(reader, "GLOBAL_POSITION_INT", ["lat", "lon", "relative_alt"], 1e-7, 1e-3);
  if (!position) return null;
  const attitude =
    quatColumns(reader, "ATTITUDE_QUATERNION", ["q1", "q2", "q3", "q4"]) ??
    eulerColumns(reader, "ATTITUDE", ["roll", "pitch", "yaw"], 1);
  return joinTrack(position, attitude);
}
