import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { batteryFindings, counterFindings, stretchFinding } from "./findings";
import { changesOf, lane, type Mark, plain, type Seen, spansOf } from "./lanes";
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
    findings: sortFindings([
      ...errors,
      ...batteryFindings(reader, "BAT", "RemPct", 0.01),
      ...vibrationFindings(reader),
      ...estimatorFindings(reader),
    ]),
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

function errorFindings(reader: LogReader): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  for (const { at_s, value } of reader.records("ERR")) {
    const { Subsys, ECode } = value as { Subsys: number; ECode: number };
    // Code 0 says that an earlier error is resolved.
    if (ECode === 0) continue;
    const name = SUBSYSTEMS[Subsys] ?? `Subsystem ${Subsys}`;
    out.push({ at_s, severity: "warning", title: name, detail: `error code ${ECode}` });
  }
  return out;
}

/** ArduPilot's documentation calls 30 m/s² the start of trouble and 60 certain trouble. */
const VIBRATION_M_S2 = 30;

function vibrationFindings(reader: LogReader): ReviewFinding[] {
  return reader.topics
    .filter(({ type }) => type === "VIBE")
    .flatMap(({ name }) => [
      ...["VibeX", "VibeY", "VibeZ"].flatMap((axis) =>
        stretchFinding(
          reader.column(name, axis),
          (value) => value > VIBRATION_M_S2,
          0.5,
          (total_s, worst) => ({
            severity: worst > 2 * VIBRATION_M_S2 ? "warning" : "caution",
            title: "Vibration",
            detail: `${axis} ${plain(worst)} m/s² at worst, above ${VIBRATION_M_S2} for ${plain(total_s)} s (${name})`,
          }),
        ),
      ),
      ...counterFindings(reader.column(name, "Clip"), (rise) => ({
        severity: rise > 100 ? "warning" : "caution",
        title: "Accelerometer clipping",
        detail: `${rise} samples (${name})`,
      })),
    ]);
}

/** XKF4: variances above 1 make the estimator reject the sensor. */
function estimatorFindings(reader: LogReader): ReviewFinding[] {
  const sensors = { SV: "velocity", SP: "position", SH: "height", SM: "compass" };
  return Object.entries(sensors).flatMap(([field, sensor]) =>
    stretchFinding(
      reader.column("XKF4", field),
      (value) => value >= 1,
      0.5,
      (total_s, worst) => ({
        severity: "caution",
        title: "Estimator rejects a sensor",
        detail: `${sensor} variance ${plain(worst, 2)}, ${plain(total_s)} s in all`,
      }),
    ),
  );
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
