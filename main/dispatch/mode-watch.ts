import type { FlightMode, VehicleState } from "#contract/vehicle";

/** Remembers which mode changes were ours. Pure; fed with every new vehicle state. */
export interface ModeWatch {
  readonly mode: FlightMode;
  readonly armed: boolean;
  /** Modes that we asked for, newest last. The newest stays ours; older ones only while they may still arrive late. */
  readonly asked: readonly { readonly mode: FlightMode; readonly at_ms: number }[];
  readonly arm_asked_at_ms: number | null;
  readonly disarmed_at_ms: number | null;
}

export const initialModeWatch: ModeWatch = {
  mode: "unknown",
  armed: false,
  asked: [],
  arm_asked_at_ms: null,
  disarmed_at_ms: null,
};

/** Heartbeats come once a second, acknowledgements may be repeated: a change can show this much after it was asked for. */
const late_ms = 5000;
/** PX4 1.17 leaves a landing that is over for the mode flown before it: with the disarming, or in the next heartbeat. */
const after_landing_ms = 2500;
/** Modes that the autopilot enters by itself at the end of one that we asked for. */
const successors: Readonly<Partial<Record<FlightMode, readonly FlightMode[]>>> = {
  takeoff: ["hold"],
  return: ["land"],
};

export const askedFor = (watch: ModeWatch, mode: FlightMode, now_ms: number): ModeWatch => ({
  ...watch,
  asked: [...watch.asked.slice(-3), { mode, at_ms: now_ms }],
});

export const askedToArm = (watch: ModeWatch, now_ms: number): ModeWatch => ({
  ...watch,
  arm_asked_at_ms: now_ms,
});

export interface ModeStep {
  readonly watch: ModeWatch;
  /** Somebody else flies now; null when all changes were ours or do not matter. */
  readonly taken: { readonly by: "pilot" | "vehicle_failsafe"; readonly why: string } | null;
}

/**
 * A mode change that we did not command means that the pilot (or another station) flies: the pilot wins. While the
 * vehicle reports a failsafe it is the vehicle itself. `engaged`: a skill runs or setpoints are streamed; a change on
 * the ground, disarmed, with nothing going on, is nobody's takeover.
 */
export function watchMode(
  watch: ModeWatch,
  vehicle: VehicleState,
  engaged: boolean,
  now_ms: number,
): ModeStep {
  const disarmed_at_ms = vehicle.armed ? null : watch.armed ? now_ms : watch.disarmed_at_ms;
  const next: ModeWatch = { ...watch, mode: vehicle.mode, armed: vehicle.armed, disarmed_at_ms };
  if (vehicle.mode === "unknown") return { watch: { ...next, mode: watch.mode }, taken: null };
  const armedByOther = vehicle.armed && !watch.armed && !engaged && !armAsked(watch, now_ms);
  if (armedByOther) return { watch: next, taken: { by: "pilot", why: "armed, but not by this station" } };
  if (vehicle.mode === watch.mode || !(vehicle.armed || engaged)) return { watch: next, taken: null };
  if (disarmed_at_ms !== null && now_ms - disarmed_at_ms <= after_landing_ms)
    return { watch: next, taken: null };
  if (isOurs(watch, vehicle.mode, now_ms)) return { watch: next, taken: null };
  const why = `mode changed to ${vehicle.mode_label}`;
  // The first mode ever seen is no change.
  if (watch.mode === "unknown") return { watch: next, taken: null };
  return { watch: next, taken: { by: vehicle.failsafe ? "vehicle_failsafe" : "pilot", why } };
}

const armAsked = (watch: ModeWatch, now_ms: number): boolean =>
  watch.arm_asked_at_ms !== null && now_ms - watch.arm_asked_at_ms <= late_ms;

function isOurs(watch: ModeWatch, mode: FlightMode, now_ms: number): boolean {
  const newest = watch.asked.at(-1)?.mode;
  if (newest === undefined) return false;
  if (same(mode, newest) || (successors[newest] ?? []).includes(mode)) return true;
  return watch.asked.some((a) => same(mode, a.mode) && now_ms - a.at_ms <= late_ms);
}

/** ArduPilot's name for following setpoints is guided. */
const same = (mode: FlightMode, asked: FlightMode): boolean =>
  mode === asked || (mode === "guided" && asked === "offboard");
