/** PX4's nav_state (msg/versioned/VehicleStatus.msg) in the words its users know. */
const PX4_NAV: Readonly<Record<number, string>> = {
  0: "Manual",
  1: "Altitude",
  2: "Position",
  3: "Mission",
  4: "Hold",
  5: "Return",
  6: "Position slow",
  10: "Acro",
  12: "Descend",
  13: "Termination",
  14: "Offboard",
  15: "Stabilized",
  17: "Takeoff",
  18: "Land",
  19: "Follow",
  20: "Precision land",
  21: "Orbit",
  22: "VTOL takeoff",
};
export const px4NavName = (nav_state: number): string => PX4_NAV[nav_state] ?? `Mode ${nav_state}`;

const PX4_MAIN: Readonly<Record<number, string>> = {
  1: "Manual",
  2: "Altitude",
  3: "Position",
  4: "Auto",
  5: "Acro",
  6: "Offboard",
  7: "Stabilized",
  8: "Rattitude",
  10: "Termination",
  11: "Altitude cruise",
};
const PX4_AUTO: Readonly<Record<number, string>> = {
  1: "Ready",
  2: "Takeoff",
  3: "Hold",
  4: "Mission",
  5: "Return",
  6: "Land",
  8: "Follow",
  9: "Precision land",
  10: "VTOL takeoff",
};

/** PX4's HEARTBEAT.custom_mode: main mode in bits 16-23, sub mode in bits 24-31 (px4_custom_mode.h). */
export function px4CustomName(custom_mode: number): string {
  const main = (custom_mode >>> 16) & 255;
  const sub = custom_mode >>> 24;
  if (main === 4) return PX4_AUTO[sub] ?? "Auto";
  return PX4_MAIN[main] ?? `Mode ${main}.${sub}`;
}

/** ArduCopter's flight modes (ArduCopter/mode.h). */
const COPTER: Readonly<Record<number, string>> = {
  0: "Stabilize",
  1: "Acro",
  2: "Altitude hold",
  3: "Auto",
  4: "Guided",
  5: "Loiter",
  6: "Return",
  7: "Circle",
  9: "Land",
  11: "Drift",
  13: "Sport",
  14: "Flip",
  15: "Autotune",
  16: "Position hold",
  17: "Brake",
  18: "Throw",
  20: "Guided no GPS",
  21: "Smart return",
  22: "Flow hold",
  23: "Follow",
  25: "System identification",
  27: "Auto return",
};
/** ArduPlane's flight modes (ArduPlane/mode.h). */
const PLANE: Readonly<Record<number, string>> = {
  0: "Manual",
  1: "Circle",
  2: "Stabilize",
  5: "Fly by wire A",
  6: "Fly by wire B",
  7: "Cruise",
  10: "Auto",
  11: "Return",
  12: "Loiter",
  13: "Takeoff",
  15: "Guided",
  17: "Q stabilize",
  18: "Q hover",
  19: "Q loiter",
  20: "Q land",
  21: "Q return",
};
/** MAV_TYPE of fixed wings and VTOLs, which share ArduPlane's numbers. */
const isPlane = (mav_type: number): boolean => mav_type === 1 || (mav_type >= 19 && mav_type <= 25);

export const ardupilotModeName = (mode: number, mav_type: number): string =>
  (isPlane(mav_type) ? PLANE : COPTER)[mode] ?? `Mode ${mode}`;

const TYPES: Readonly<Record<number, string>> = {
  1: "fixed wing",
  2: "quadrotor",
  3: "coaxial helicopter",
  4: "helicopter",
  10: "rover",
  13: "hexarotor",
  14: "octorotor",
  15: "tricopter",
};
export const vehicleTypeName = (mav_type: number): string =>
  TYPES[mav_type] ?? (isPlane(mav_type) ? "VTOL" : `vehicle type ${mav_type}`);
