import { eulerFluEnu, flu, rotate, wrapPi } from "#contract/frames";
import { type Evidence, lastTruth, missionTruths, truthAt } from "../evidence";
import type { Measure, Predicate } from "../suite";

const degrees = (rad: number): string => `${((rad * 180) / Math.PI).toFixed(1)}°`;
const metres = (m: number): string => `${m.toFixed(3)} m`;

/** The station says that the mission ended this way. */
export const ended = (...outcomes: readonly string[]): Predicate => ({
  id: `mission ${outcomes.join(" or ")}`,
  judge: ({ flown }) => ({
    passed: outcomes.includes(flown.outcome),
    detail: flown.why === "" ? flown.outcome : `${flown.outcome}: ${flown.why}`,
  }),
});

/** Where a mission should leave the vehicle, in the frame of its start: ahead, left, up, and turned left. */
export interface Leg {
  readonly ahead_m: number;
  readonly left_m: number;
  readonly up_m: number;
  readonly turn_rad: number;
}

/** How far the true end is off the end that the words asked for, from where the vehicle truly stood. */
export function endError(
  evidence: Evidence,
  leg: Leg,
): { readonly position_m: number; readonly yaw_rad: number } {
  const start = truthAt(evidence, evidence.flown.started_at_ms ?? 0).vehicle;
  const end = lastTruth(evidence).vehicle;
  const yaw = eulerFluEnu(start.quat_flu_enu).yaw_rad;
  const [x, y, z] = start.position_enu_m;
  const wanted = [
    x + leg.ahead_m * Math.cos(yaw) - leg.left_m * Math.sin(yaw),
    y + leg.ahead_m * Math.sin(yaw) + leg.left_m * Math.cos(yaw),
    z + leg.up_m,
  ] as const;
  return {
    position_m: Math.hypot(...([0, 1, 2] as const).map((k) => end.position_enu_m[k] - wanted[k])),
    yaw_rad: Math.abs(wrapPi(eulerFluEnu(end.quat_flu_enu).yaw_rad - yaw - leg.turn_rad)),
  };
}

export const endsAt = (leg: Leg, position_m = 0.15, yaw_rad = (5 * Math.PI) / 180): Predicate => ({
  id: `ends within ${String(position_m)} m and ${degrees(yaw_rad)}`,
  judge: (evidence) => {
    const error = endError(evidence, leg);
    return {
      passed: error.position_m <= position_m && error.yaw_rad <= yaw_rad,
      detail: `${metres(error.position_m)} and ${degrees(error.yaw_rad)} off`,
    };
  },
});

export const endMeasures = (leg: Leg): readonly Measure[] => [
  { key: "position_error_m", of: (evidence) => endError(evidence, leg).position_m },
  { key: "yaw_error_rad", of: (evidence) => endError(evidence, leg).yaw_rad },
];

export const onGroundDisarmed: Predicate = {
  id: "stands on the ground, disarmed",
  judge: (evidence) => {
    const { vehicle, contacts } = lastTruth(evidence);
    const stands = contacts.some(
      (pair) => pair.includes("vehicle") && pair.some((n) => n.startsWith("structure/")),
    );
    const words = [vehicle.armed ? "armed" : "disarmed", stands ? "on the ground" : "not on the ground"];
    return { passed: !vehicle.armed && stands, detail: words.join(", ") };
  },
};

/** The greatest angle between the body's up axis and the vertical. */
export function greatestTilt_rad(evidence: Evidence): number {
  return missionTruths(evidence).reduce((most, { vehicle }) => {
    const up = rotate(vehicle.quat_flu_enu, flu(0, 0, 1))[2];
    return Math.max(most, Math.acos(Math.max(-1, Math.min(1, up))));
  }, 0);
}

export const staysUpright = (most_rad = (35 * Math.PI) / 180): Predicate => ({
  id: `never tilts beyond ${degrees(most_rad)}`,
  judge: (evidence) => {
    const tilt = greatestTilt_rad(evidence);
    return { passed: tilt <= most_rad, detail: `at most ${degrees(tilt)}` };
  },
});

const partsOfVehicle = /^(vehicle|arm\/.+|finger\/.+)$/;

/** Everything the vehicle touched during the mission beside the ground it stands on. */
export function vehicleTouched(evidence: Evidence, allowed: readonly string[]): readonly string[] {
  const touched = new Set<string>();
  for (const { contacts } of missionTruths(evidence))
    for (const [a, b] of contacts) {
      const other = partsOfVehicle.test(a) ? b : partsOfVehicle.test(b) ? a : null;
      if (other !== null && !partsOfVehicle.test(other) && !allowed.includes(other)) touched.add(other);
    }
  return [...touched].sort();
}

export const touchesNothing: Predicate = {
  id: "touches nothing but the floor",
  judge: (evidence) => {
    const touched = vehicleTouched(evidence, ["structure/floor", "structure/pad"]);
    return { passed: touched.length === 0, detail: touched.length === 0 ? "nothing" : touched.join(", ") };
  },
};

/** Fastest way down in the last metre above where it came to stand: a hard landing breaks legs. */
export const landsGently = (most_m_s = 1.2): Predicate => ({
  id: `lands at no more than ${String(most_m_s)} m/s`,
  judge: (evidence) => {
    const floor_m = lastTruth(evidence).vehicle.position_enu_m[2];
    const down = missionTruths(evidence)
      .filter((t) => t.vehicle.position_enu_m[2] < floor_m + 0.3)
      .reduce((most, t) => Math.max(most, -t.vehicle.velocity_enu_m_s[2]), 0);
    return { passed: down <= most_m_s, detail: `${down.toFixed(2)} m/s` };
  },
});

/** The greatest distance from where the vehicle was at a time, until the mission ended. */
export const holdsWithin = (from_s: number, most_m: number): Predicate => ({
  id: `stays within ${String(most_m)} m after ${String(from_s)} s`,
  judge: (evidence) => {
    const from = truthAt(evidence, from_s * 1000).vehicle.position_enu_m;
    const far = missionTruths(evidence)
      .filter((t) => t.t_ms >= from_s * 1000)
      .reduce(
        (most, { vehicle: { position_enu_m: p } }) =>
          Math.max(most, Math.hypot(p[0] - from[0], p[1] - from[1], p[2] - from[2])),
        0,
      );
    return { passed: far <= most_m, detail: `at most ${metres(far)}` };
  },
});
