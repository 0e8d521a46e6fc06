import type { ArmingIssue } from "#contract/vehicle";

/** One EVENT of the vehicle, in its order. */
export interface VehicleEvent {
  readonly sequence: number;
  readonly id: number;
  /** External log level, 0 emergency … 7 debug, 8 protocol. */
  readonly level: number;
  readonly arguments: readonly number[];
}

/** The vehicle's own description of its events, in words; null for one that it does not describe. */
export type EventWords = (event: VehicleEvent) => { readonly text: string; readonly advice: string } | null;
const wordless: EventWords = () => null;

/** What happened next in the vehicle's own order: an event, or a number of them that are lost for good. */
export type EventNews =
  | { readonly kind: "event"; readonly event: VehicleEvent }
  | { readonly kind: "lost"; readonly count: number };

/** A report of PX4 begins with the arming summary, holds one event per reason and ends with the health summary. */
export interface ArmingReport {
  /** Bits of the navigation states in which it could arm and fly now; null before the first report. */
  readonly can_arm_modes: number | null;
  readonly issues: readonly ArmingIssue[];
  readonly open: {
    readonly can_arm_modes: number | null;
    readonly issues: readonly ArmingIssue[];
    readonly lost: number;
  } | null;
}

export const noArmingReport: ArmingReport = { can_arm_modes: null, issues: [], open: null };

/**
 * PX4's event id of a name: component 1 in the top byte, FNV-1a of the name below it
 * (PX4 src/lib/events, https://docs.px4.io/main/en/concept/events_interface.html).
 */
export function px4EventId(name: string): number {
  let hash = 0x811c9dc5;
  for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return ((hash & 0xff_ffff) | (1 << 24)) >>> 0;
}

const ARMING_SUMMARY = px4EventId("commander_arming_check_summary");
const HEALTH_SUMMARY = px4EventId("commander_health_summary");

/** Reasons that are met most, in our words; others are named by the subsystem that they concern. */
const known = new Map<number, readonly [text: string, advice: string]>(
  (
    [
      ["check_modes_cannot_takeoff", "this mode cannot take off", "switch to another mode first"],
      ["check_modes_angular_velocity", "the rotation rates are not valid", "check the gyroscope"],
      [
        "check_modes_attitude",
        "there is no valid attitude estimate",
        "keep still until the estimator has settled",
      ],
      [
        "check_modes_local_pos",
        "there is no valid position estimate",
        "wait for GPS, vision or motion capture",
      ],
      ["check_modes_global_pos", "there is no valid global position", "wait for GPS, or set an origin"],
      ["check_modes_local_alt", "there is no valid altitude estimate", "check the barometer"],
      ["check_modes_mission", "no valid mission is loaded", "upload one to fly in mission mode"],
      ["check_modes_home_position", "the home position is not set", "wait for a position, or set home"],
      [
        "check_modes_manual_control",
        "there is no remote control",
        "switch it on, or use a mode that needs none",
      ],
      [
        "check_modes_offboard_signal",
        "no setpoints arrive for offboard mode",
        "they start with the first skill",
      ],
      [
        "check_modes_offboard_no_signal",
        "no setpoints arrive for offboard mode",
        "they start with the first skill",
      ],
      ["check_modes_not_supported", "this vehicle does not have this mode", "use another mode"],
      ["check_system_flight_term_active", "flight termination is active", "restart the autopilot"],
      ["check_system_usb_connected", "a USB cable is connected", "unplug it and restart the autopilot"],
      [
        "check_system_no_global_pos",
        "a global position is required",
        "wait for GPS, or change COM_ARM_WO_GPS",
      ],
      ["check_system_no_home_pos", "a home position is required", "wait for GPS, or change COM_ARM_WO_GPS"],
      ["check_system_safety_button", "the safety button has not been pressed", "press it"],
      ["check_system_arm_auth_failed", "arming was not authorised", "ask the authority that has to agree"],
      ["check_estimator_missing_data", "the estimator is still starting", "wait a few seconds"],
      ["check_rc_dl_no_dllink", "the vehicle does not hear a ground station", "check the link"],
      ["check_battery_missing", "a battery is missing", "connect it, and check its configuration"],
      ["check_battery_disconnected", "a battery was disconnected", "check its plug"],
    ] as const
  ).map(([name, text, advice]) => [px4EventId(name), [text, advice]]),
);

/** PX4's health components by index (src/lib/events/enums.json). */
const components = [
  "vehicle",
  "barometer",
  "airspeed sensor",
  "GPS",
  "optical flow",
  "vision position",
  "range finder",
  "remote control",
  "motors and ESCs",
  "traffic management",
  "logging",
  "battery",
  "communication",
  "rate control",
  "attitude control",
  "position control",
  "attitude estimate",
  "local position estimate",
  "mission",
  "obstacle avoidance",
  "system",
  "camera",
  "gimbal",
  "payload",
  "global position estimate",
  "storage",
  "parachute",
  "magnetometer",
  "accelerometer",
  "gyroscope",
  "remote identification",
] as const;

const LOG_ERROR = 3;
/** Chunk, errors, warnings, then the modes. */
const CAN_ARM_AT = 9;
/** Modes, then the component. */
const COMPONENT_AT = 4;

/** The report after one more event. Reasons show when their report is complete, all at once. */
export function stepArmingReport(
  report: ArmingReport,
  news: EventNews,
  words: EventWords = wordless,
): ArmingReport {
  if (news.kind === "lost") {
    // Lost outside a report: the summary itself may be gone; what is shown stays, and says that it may be old.
    if (report.open === null) return { ...report, issues: withLost(report.issues, news.count) };
    return { ...report, open: { ...report.open, lost: report.open.lost + news.count } };
  }
  const { event } = news;
  if (event.id === ARMING_SUMMARY) {
    return { ...report, open: { can_arm_modes: uint32(event.arguments, CAN_ARM_AT), issues: [], lost: 0 } };
  }
  if (report.open === null) return report;
  if (event.id === HEALTH_SUMMARY) {
    const { can_arm_modes, issues, lost } = report.open;
    return { can_arm_modes, issues: withLost(issues, lost), open: null };
  }
  return { ...report, open: { ...report.open, issues: [...report.open.issues, issueOf(event, words)] } };
}

/** Only the present mode is at fault, and a take-off brings its own mode and setpoints. */
const aboutTheMode = new Set(
  ["check_modes_cannot_takeoff", "check_modes_offboard_signal", "check_modes_offboard_no_signal"].map(
    px4EventId,
  ),
);

function issueOf(event: VehicleEvent, words: EventWords): ArmingIssue {
  const modes = uint32(event.arguments, 0);
  const own = known.get(event.id);
  const told = own === undefined ? words(event) : null;
  const named = own ?? (told === null ? undefined : [told.text, told.advice]);
  const component = components[event.arguments[COMPONENT_AT] ?? 0] ?? "vehicle";
  const everyMode = modes === 0xffff_ffff;
  return {
    id: `event:${event.id}`,
    severity: everyMode && event.level <= LOG_ERROR && !aboutTheMode.has(event.id) ? "blocks" : "warns",
    text: named?.[0] ?? `${component}: check ${event.id.toString(16)} fails`,
    advice: named?.[1] ?? "look the number up in the vehicle's own list of events",
  };
}

function withLost(issues: readonly ArmingIssue[], lost: number): readonly ArmingIssue[] {
  if (lost === 0) return issues;
  const others = issues.filter((issue) => issue.id !== "event:lost");
  const text =
    lost === 1 ? "one more reason was lost on the way" : `${lost} more reasons were lost on the way`;
  return [...others, { id: "event:lost", severity: "warns", text, advice: "ask for the checks again" }];
}

/** Little-endian; trailing zeros of the arguments may have been cut. */
function uint32(bytes: readonly number[], at: number): number {
  const byte = (i: number): number => bytes[at + i] ?? 0;
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}

/**
 * The pre-arm bit of SYS_STATUS says that something fails, not what. When the events say that it is only the present
 * mode, the bit alone blocks nothing.
 */
export function explained(own: readonly ArmingIssue[], report: ArmingReport): readonly ArmingIssue[] {
  const harmless = report.issues.length > 0 && report.issues.every((issue) => issue.severity === "warns");
  return harmless
    ? own.map((issue) => (issue.id === "sensor:prearm" ? { ...issue, severity: "warns" } : issue))
    : own;
}

/** The reasons of a vehicle from everything that gives some: its own state, its events, its failsafe parameters. */
export function withIssues(
  own: readonly ArmingIssue[],
  ...more: readonly (readonly ArmingIssue[])[]
): readonly ArmingIssue[] {
  const all = [...own, ...more.flat()];
  const unique = all.filter((issue, index) => all.findIndex((other) => other.id === issue.id) === index);
  return unique.sort((a, b) => Number(b.severity === "blocks") - Number(a.severity === "blocks"));
}
