import type { FlightMode } from "#contract/vehicle";

export interface ModeName {
  readonly mode: FlightMode;
  /** As the vehicle's makers call it. */
  readonly label: string;
}

/** PX4 custom mode: main mode in bits 16-23, sub mode in bits 24-31 (px4_custom_mode.h). */
export const px4CustomMode = (main: number, sub = 0): number => ((main << 16) | (sub << 24)) >>> 0;

const px4Main: Readonly<Record<number, ModeName>> = {
  1: { mode: "manual", label: "Manual" },
  2: { mode: "altitude", label: "Altitude" },
  3: { mode: "position", label: "Position" },
  5: { mode: "acro", label: "Acro" },
  6: { mode: "offboard", label: "Offboard" },
  7: { mode: "stabilized", label: "Stabilized" },
  10: { mode: "other", label: "Termination" },
};
const px4Auto: Readonly<Record<number, ModeName>> = {
  1: { mode: "other", label: "Ready" },
  2: { mode: "takeoff", label: "Takeoff" },
  3: { mode: "hold", label: "Hold" },
  4: { mode: "mission", label: "Mission" },
  5: { mode: "return", label: "Return" },
  6: { mode: "land", label: "Land" },
  8: { mode: "other", label: "Follow me" },
  9: { mode: "land", label: "Precision land" },
  10: { mode: "takeoff", label: "VTOL takeoff" },
};
const px4Position: Readonly<Record<number, ModeName>> = {
  1: { mode: "other", label: "Orbit" },
  2: { mode: "position", label: "Position slow" },
};

/** ArduCopter's numbers (https://ardupilot.org/copter/docs/parameters.html#fltmode1). */
const copter: Readonly<Record<number, ModeName>> = {
  0: { mode: "stabilized", label: "Stabilize" },
  1: { mode: "acro", label: "Acro" },
  2: { mode: "altitude", label: "Alt hold" },
  3: { mode: "auto", label: "Auto" },
  4: { mode: "guided", label: "Guided" },
  5: { mode: "position", label: "Loiter" },
  6: { mode: "return", label: "RTL" },
  7: { mode: "other", label: "Circle" },
  9: { mode: "land", label: "Land" },
  11: { mode: "other", label: "Drift" },
  13: { mode: "other", label: "Sport" },
  14: { mode: "other", label: "Flip" },
  15: { mode: "other", label: "Autotune" },
  16: { mode: "position", label: "PosHold" },
  17: { mode: "hold", label: "Brake" },
  18: { mode: "other", label: "Throw" },
  19: { mode: "other", label: "Avoid ADSB" },
  20: { mode: "guided", label: "Guided no GPS" },
  21: { mode: "return", label: "Smart RTL" },
  22: { mode: "position", label: "FlowHold" },
  23: { mode: "other", label: "Follow" },
  24: { mode: "other", label: "ZigZag" },
  25: { mode: "other", label: "System ID" },
  26: { mode: "other", label: "Autorotate" },
  27: { mode: "return", label: "Auto RTL" },
  28: { mode: "other", label: "Turtle" },
};

export function px4Mode(custom_mode: number): ModeName {
  const main = (custom_mode >>> 16) & 0xff;
  const sub = (custom_mode >>> 24) & 0xff;
  const named = main === 4 ? px4Auto[sub] : main === 3 ? (px4Position[sub] ?? px4Main[3]) : px4Main[main];
  if (named !== undefined) return named;
  if (main === 4 && sub >= 11 && sub <= 18) return { mode: "other", label: `External ${String(sub - 10)}` };
  return { mode: "other", label: `PX4 mode ${String(main)}.${String(sub)}` };
}

/** The mode of a heartbeat. Only copters' modes of ArduPilot are named: planes and rovers use other numbers. */
export function modeOf(autopilot: string, type_id: number, custom_mode: number): ModeName {
  if (autopilot === "px4") return px4Mode(custom_mode);
  const number = String(custom_mode);
  if (autopilot === "ardupilot" && copterTypes.has(type_id)) {
    return copter[custom_mode] ?? { mode: "other", label: `Copter mode ${number}` };
  }
  return { mode: "other", label: `mode ${number}` };
}

const copterTypes = new Set([2, 3, 4, 13, 14, 15, 29, 35]);

const types: Readonly<Record<number, string>> = {
  1: "fixed wing",
  2: "quadrotor",
  3: "coaxial helicopter",
  4: "helicopter",
  10: "rover",
  11: "boat",
  12: "submarine",
  13: "hexarotor",
  14: "octorotor",
  15: "tricopter",
  19: "VTOL tail sitter",
  20: "VTOL quad tail sitter",
  21: "VTOL tilt rotor",
  22: "VTOL",
  29: "dodecarotor",
  35: "decarotor",
  43: "multirotor",
};
/** The frame as the vehicle names it; PX4 1.17 says quadrotor of every multirotor until it is told otherwise. */
export const typeName = (type_id: number): string => types[type_id] ?? `type ${String(type_id)}`;
