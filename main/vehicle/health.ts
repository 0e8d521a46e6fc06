import type { ArmingIssue, Health, VehicleState } from "#contract/vehicle";

const PREARM_CHECK = 0x1000_0000;

/** MAV_SYS_STATUS_SENSOR bits worth a line, with what to do when one is bad. */
const sensors: readonly (readonly [bit: number, name: string, advice: string])[] = [
  [0x1, "gyroscope", "keep the vehicle still and calibrate the gyroscope"],
  [0x2, "accelerometer", "calibrate the accelerometer"],
  [0x4, "compass", "move away from metal, then calibrate the compass"],
  [0x8, "barometer", "check the barometer's cover and restart the autopilot"],
  [0x20, "GPS", "wait for a fix under open sky, or fly with another position source"],
  [0x40, "optical flow", "check light and texture below the vehicle"],
  [0x80, "vision position", "check that the vision or motion-capture stream arrives"],
  [0x100, "range finder", "check the range finder's view and wiring"],
  [0x400, "rate control", "restart the autopilot"],
  [0x800, "attitude control", "restart the autopilot"],
  [0x4000, "position control", "wait for a position estimate"],
  [0x8000, "motor outputs", "check the motor and ESC configuration"],
  [0x1_0000, "remote control", "switch the transmitter on and check its binding"],
  [0x10_0000, "geofence", "bring the vehicle inside its fence"],
  [0x20_0000, "attitude estimate", "keep the vehicle still until the estimator has settled"],
  [0x100_0000, "logging", "check the autopilot's memory card"],
  [0x200_0000, "battery", "charge or replace the battery"],
  [0x2000_0000, "obstacle avoidance", "check the companion computer"],
  [0x4000_0000, "propulsion", "check the motors and ESCs"],
];

export function subsystemsOf(present: number, enabled: number, health: number): VehicleState["subsystems"] {
  return sensors
    .filter(([bit]) => (present & bit) !== 0)
    .map(([bit, name]) => ({ name, health: healthOf(bit, enabled, health) }));
}

function healthOf(bit: number, enabled: number, health: number): Health {
  if ((health & bit) !== 0) return "good";
  return (enabled & bit) !== 0 ? "bad" : "unknown";
}

/** Every reason that SYS_STATUS gives, at once. Ids begin with "sensor:"; `ready` is null when the vehicle does not say. */
export function sensorIssues(
  present: number,
  enabled: number,
  health: number,
): { readonly ready: boolean | null; readonly issues: readonly ArmingIssue[] } {
  const tells = (present & enabled & PREARM_CHECK) !== 0;
  const ready = tells ? (health & PREARM_CHECK) !== 0 : null;
  const issues = sensors
    .filter(([bit]) => (present & enabled & bit) !== 0 && (health & bit) === 0)
    .map(([, name, advice]): ArmingIssue => {
      const severity = ready === true ? "warns" : "blocks";
      return { id: `sensor:${name}`, severity, text: `${name} is not healthy`, advice };
    });
  if (ready === false) {
    issues.push({
      id: "sensor:prearm",
      severity: "blocks",
      text: "the vehicle's own pre-flight checks fail",
      advice: issues.length === 0 ? "see the vehicle's messages for the reason" : "resolve the points above",
    });
  }
  return { ready, issues };
}

/** The reason in a text of an autopilot that refuses to arm; null for any other text. */
export function armingReason(text: string): string | null {
  const match = /^(?:preflight fail(?:ure)?|prearm|arm|arming denied)[:!]\s*(.+)$/i.exec(text.trim());
  return match?.[1] ?? null;
}

export function textIssue(id: string, reason: string): ArmingIssue {
  return {
    id,
    severity: "blocks",
    text: reason,
    advice: "as the vehicle reported it; resolve it and look again",
  };
}
