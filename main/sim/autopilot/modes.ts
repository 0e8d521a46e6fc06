/** Where PX4's commander can be (its navigation states), and their MAVLink custom modes. */
export type NavState =
  | "manual"
  | "altitude"
  | "position"
  | "acro"
  | "stabilized"
  | "offboard"
  | "takeoff"
  | "loiter"
  | "mission"
  | "return"
  | "land"
  | "descend"
  | "termination";

interface ModeInfo {
  readonly main: number;
  readonly sub: number;
  /** base_mode bits beside "custom mode enabled" (1) and "armed" (128). */
  readonly base: number;
  readonly title: string;
  /** MAV_STANDARD_MODE, for CURRENT_MODE. */
  readonly standard: number;
}

const auto = 4 | 8 | 16;
const manual = 64;

/** Numbers of px4_custom_mode: main mode in bits 16 to 23 of custom_mode, sub mode in bits 24 to 31. */
export const modes: Readonly<Record<NavState, ModeInfo>> = {
  manual: { main: 1, sub: 0, base: manual | 16, title: "Manual", standard: 0 },
  altitude: { main: 2, sub: 0, base: manual | 16, title: "Altitude", standard: 3 },
  position: { main: 3, sub: 0, base: manual | 16, title: "Position", standard: 1 },
  acro: { main: 5, sub: 0, base: manual, title: "Acro", standard: 0 },
  stabilized: { main: 7, sub: 0, base: manual | 16, title: "Stabilized", standard: 0 },
  offboard: { main: 6, sub: 0, base: 16, title: "Offboard", standard: 0 },
  takeoff: { main: 4, sub: 2, base: auto, title: "Takeoff", standard: 8 },
  loiter: { main: 4, sub: 3, base: auto, title: "Hold", standard: 0 },
  mission: { main: 4, sub: 4, base: auto, title: "Mission", standard: 6 },
  return: { main: 4, sub: 5, base: auto, title: "Return", standard: 5 },
  land: { main: 4, sub: 6, base: auto, title: "Land", standard: 7 },
  descend: { main: 4, sub: 6, base: auto, title: "Descend", standard: 7 },
  termination: { main: 10, sub: 0, base: manual, title: "Termination", standard: 0 },
};

export const navStates = Object.keys(modes) as readonly NavState[];

export const customMode = (state: NavState): number =>
  ((modes[state].sub << 24) | (modes[state].main << 16)) >>> 0;

/** The mode that a station asks for with SET_MODE or MAV_CMD_DO_SET_MODE; null for one PX4 does not have. */
export function modeFromNumbers(main: number, sub: number): NavState | null {
  if (main === 4 && (sub === 0 || sub === 1)) return "loiter";
  for (const [state, info] of Object.entries(modes) as [NavState, ModeInfo][]) {
    if (state !== "descend" && info.main === main && (main !== 4 || info.sub === sub)) return state;
  }
  return null;
}
