import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { ardupilotHealth } from "./ardupilot-health";
import { around } from "./findings";
import { changesOf, lane, type Mark, type Seen, spansOf } from "./lanes";
import { messageMarks } from "./mavlink";
import { ardupilotModeName } from "./modes";
import { type Story, sortFindings } from "./story";
import { type AttitudeColumns, eulerColumns, globalColumns, joinTrack, nedColumns } from "./track";

const FIXED_WING = 1;
const HEXAROTOR = 13;

/** ArduPilot's onboard logs. */
export function ardupilotStory(reader: LogReader): Story {
  const end_s = reader.duration_s;
  const firmware = reader.meta["firmware"] ?? "";
  const family = firmware.startsWith("ArduPlane") ? FIXED_WING : HEXAROTOR;
  const modes = changesOf(reader, "MODE", "ModeNum").map(
    ({ at_s, value }): Seen => ({ at_s, label: ardupilotModeName(value, family), tone: "neutral" }),
  );
  const armed: Seen[] = [
    { at_s: 0, label: "Disarmed", tone: "neutral" },
    ...changesOf(reader, "ARM", "ArmState").map(
      ({ at_s, value }): Seen =>
        value > 0 ? { at_s, label: "Armed", tone: "intent" } : { at_s, label: "Disarmed", tone: "neutral" },
    ),
  ];
  const errors = errorFindings(reader);
  const failsafes = errors.map(({ at_s, title }): Mark => ({ at_s, label: title, tone: "warning" }));
  const frame = reader.messages.find(({ text }) => text.startsWith("Frame: "))?.text.slice(7) ?? "";
  return {
    title: [firmware.split(" ")[0] || "ArduPilot", frame.toLowerCase()]
      .filter((part) => part !== "")
      .join(" "),
    lanes: [
      lane("mode", "Mode", spansOf(modes, end_s)),
      lane("armed", "Armed", spansOf(armed, end_s)),
      lane("failsafe", "Errors", [], failsafes),
      lane("messages", "Messages", [], messageMarks(reader)),
    ],
    steps: [],
    messages: [],
    findings: sortFindings([...errors, ...ardupilotHealth(reader)]),
    track: trackOf(reader),
    meta: { autopilot: "ArduPilot", frame },
  };
}

/** Subsystems of ERR records (ArduPilot, AP_Logger.h LogErrorSubsystem) that end flights. */
const SUBSYSTEMS: Readonly<Record<number, string>> = {
  2: "Radio",
  3: "Compass",
  5: "Radio failsafe",
  6: "Battery failsafe",
  8: "Ground station failsafe",
  9: "Fence",
  10: "Flight mode",
  11: "GPS",
  12: "Crash check",
  13: "Flip",
  15: "Parachute",
  16: "EKF check",
  17: "EKF failsafe",
  18: "Barometer",
  19: "CPU",
  20: "ADSB",
  21: "Terrain",
  25: "Thrust loss check",
  26: "Sensor failsafe",
  27: "Leak failsafe",
  29: "Dead reckoning",
};

/** Losing the radio or the ground station. */
const LINK_SUBSYSTEMS = new Set([2, 5, 8]);

function errorFindings(reader: LogReader): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  for (const { at_s, value } of reader.records("ERR")) {
    const { Subsys, ECode } = value as { Subsys: number; ECode: number };
    // Code 0 says that an earlier error is resolved.
    if (ECode === 0) continue;
    const name = SUBSYSTEMS[Subsys] ?? `Subsystem ${Subsys}`;
    out.push({
      at_s,
      severity: "warning",
      title: name,
      detail: `error code ${ECode}`,
      rule: LINK_SUBSYSTEMS.has(Subsys) ? "link_gap" : "failsafe",
      evidence: around("ERR", "Subsys", at_s),
    });
  }
  return out;
}

function trackOf(reader: LogReader): Story["track"] {
  const position =
    nedColumns(reader, "XKF1", ["PN", "PE", "PD"]) ??
    nedColumns(reader, "NKF1", ["PN", "PE", "PD"]) ??
    globalColumns(reader, "POS", ["Lat", "Lng", "Alt"], 1, 1);
  if (!position) return null;
  const attitude: AttitudeColumns | null =
    eulerColumns(reader, "ATT", ["Roll", "Pitch", "Yaw"], Math.PI / 180) ??
    eulerColumns(reader, "AHR2", ["Roll", "Pitch", "Yaw"], Math.PI / 180);
  return joinTrack(position, attitude);
}
