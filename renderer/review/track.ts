import type { Enu } from "#contract/frames";
import type { Site } from "#contract/geometry";
import type { NamedTrack, ReviewTrack } from "#contract/review";
import { between, type TimedPose } from "../twin/scene/pose-buffer";
import type { DrawnPath } from "../twin/scene/twin-state";
import { indexAt } from "./series";

const gap_s = 2;

/** The vehicle's pose at a time of the recording: between two samples, or the last known one across a gap. */
export function trackPose(track: ReviewTrack, t_s: number): TimedPose | null {
  const i = Math.max(0, indexAt(track.t_s, t_s));
  const a = sample(track, i);
  const b = sample(track, i + 1);
  if (a === null) return null;
  const span_ms = b === null ? 0 : b.at_ms - a.at_ms;
  if (b === null || t_s * 1000 <= a.at_ms || span_ms > gap_s * 1000 || span_ms <= 0) return a;
  return between(a, b, (t_s * 1000 - a.at_ms) / span_ms, t_s * 1000);
}

function sample(track: ReviewTrack, i: number): TimedPose | null {
  const t_s = track.t_s[i];
  const position_enu_m = track.position_enu_m[i];
  const quat_flu_enu = track.quat_flu_enu[i];
  if (t_s === undefined || position_enu_m === undefined || quat_flu_enu === undefined) return null;
  return { at_ms: t_s * 1000, position_enu_m, quat_flu_enu };
}

/** The flown path up to a time, thinned to what the eye can tell. */
export function flownPath(track: ReviewTrack, until_s: number, most = 1500): readonly Enu[] {
  const end = indexAt(track.t_s, until_s) + 1;
  const stride = Math.max(1, Math.ceil(end / most));
  const out: Enu[] = [];
  for (let i = 0; i < end; i += stride) {
    const p = track.position_enu_m[i];
    if (p !== undefined) out.push(p);
  }
  return out;
}

const drawnRole = {
  setpoint: "setpoint",
  ground_truth: "truth",
  estimate: "estimate",
  sensor: "estimate",
} as const;

/** The whole paths that the operator chose to see beside the flown one. */
export const drawnPaths = (tracks: readonly NamedTrack[], shown: ReadonlySet<string>): readonly DrawnPath[] =>
  tracks
    .filter((t) => shown.has(t.id))
    .map(({ role, track }) => ({
      role: drawnRole[role],
      points: flownPath(track, Number.POSITIVE_INFINITY),
    }));

/** Paths that explain something at first sight: what was commanded, and what was true. */
export const firstShown = (tracks: readonly NamedTrack[]): ReadonlySet<string> =>
  new Set(tracks.filter((t) => t.role === "setpoint" || t.role === "ground_truth").map((t) => t.id));

/** A bare place as large as the flight, for recordings that do not say where they were flown. */
export function trackSite(track: ReviewTrack): Site {
  const low: [number, number, number] = [-2, -2, 0];
  const high: [number, number, number] = [2, 2, 2];
  for (const p of track.position_enu_m) {
    p.forEach((v, i) => {
      if (!Number.isFinite(v)) return;
      low[i] = Math.min(low[i] ?? v, Math.floor(v - 1));
      high[i] = Math.max(high[i] ?? v, Math.ceil(v + 1));
    });
  }
  const start = track.position_enu_m[0] ?? [0, 0, 0];
  return {
    schema: 1,
    name: "",
    seed: null,
    shapes: [],
    fence: { min_enu_m: low, max_enu_m: high },
    pad_enu_m: [start[0], start[1], 0],
  };
}
