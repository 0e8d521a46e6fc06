import { enu } from "#contract/frames";
import type { TrackedObject } from "#contract/perception";
import { describeObject } from "./describe";
import type { Detection } from "./measure";

interface Track {
  readonly id: string;
  readonly detection: Detection;
  readonly label: string;
  readonly typical_m: readonly [number, number, number];
  readonly colour: readonly [number, number, number];
  readonly hits: number;
  readonly seen: boolean;
  readonly lastSeen_ms: number;
}

export interface TrackerState {
  readonly tracks: readonly Track[];
  readonly next: number;
}

export const emptyTracker: TrackerState = { tracks: [], next: 1 };

/** An object may be carried this far between two frames and still be the same one. */
const reach_m = 0.3;
const hitsToConfirm = 4;
const forgetUnconfirmed_ms = 1500;

/**
 * Joins one frame's detections to the objects known before, in the world frame: cheapest pairs first, by
 * distance, colour and size. What finds no partner is "not seen": it is never assumed to have stayed.
 */
export function track(state: TrackerState, detections: readonly Detection[], at_ms: number): TrackerState {
  const pairs: { t: number; d: number; cost: number }[] = [];
  state.tracks.forEach((known, t) => {
    detections.forEach((seen, d) => {
      const cost = mismatch(known, seen);
      if (cost !== null) pairs.push({ t, d, cost });
    });
  });
  pairs.sort((a, b) => a.cost - b.cost);
  const partner = new Map<number, number>();
  const taken = new Set<number>();
  for (const { t, d } of pairs) {
    if (partner.has(t) || taken.has(d)) continue;
    partner.set(t, d);
    taken.add(d);
  }
  const kept = state.tracks.flatMap((known, t) => {
    const d = partner.get(t);
    const seen = d === undefined ? undefined : detections[d];
    if (seen !== undefined) return [update(known, seen, at_ms)];
    if (known.hits < hitsToConfirm && at_ms - known.lastSeen_ms > forgetUnconfirmed_ms) return [];
    return [{ ...known, seen: false }];
  });
  let next = state.next;
  const fresh = detections.flatMap((seen, d) => {
    if (taken.has(d) || seen.partial) return [];
    return [
      {
        id: `o${String(next++)}`,
        detection: seen,
        label: describeObject(seen.colour, seen.size_m),
        typical_m: seen.size_m,
        colour: seen.colour,
        hits: 1,
        seen: true,
        lastSeen_ms: at_ms,
      },
    ];
  });
  return { tracks: [...kept, ...fresh], next };
}

function mismatch(known: Track, seen: Detection): number | null {
  const [x, y, z] = known.detection.position_enu_m;
  const distance_m = Math.hypot(
    seen.position_enu_m[0] - x,
    seen.position_enu_m[1] - y,
    seen.position_enu_m[2] - z,
  );
  const colour = Math.hypot(...seen.colour.map((c, i) => c - (known.colour[i] ?? 0))) / 255;
  if (!(distance_m <= reach_m) || colour > 0.45) return null;
  const size =
    Math.abs(Math.log(seen.size_m[0] / known.typical_m[0])) +
    Math.abs(Math.log(seen.size_m[2] / known.typical_m[2]));
  return distance_m / reach_m + colour + 0.2 * Math.min(size, 2);
}

/** Merged with a neighbour, or half hidden: its outline is not its own, so its place is not measured. */
function outlineChanged(known: Track, seen: Detection): boolean {
  const wide = seen.size_m[0] / known.typical_m[0];
  const high = seen.size_m[2] / known.typical_m[2];
  return !(wide > 0.6 && wide < 1.6 && high > 0.6 && high < 1.6);
}

function update(known: Track, seen: Detection, at_ms: number): Track {
  if (seen.partial || (known.hits >= hitsToConfirm && outlineChanged(known, seen)))
    return { ...known, seen: false };
  const keep = Math.min(0.9, known.hits / (known.hits + 1));
  const mix = (old: number, now: number): number => keep * old + (1 - keep) * now;
  const typical_m = [
    mix(known.typical_m[0], seen.size_m[0]),
    mix(known.typical_m[1], seen.size_m[1]),
    mix(known.typical_m[2], seen.size_m[2]),
  ] as const;
  const colour = [
    mix(known.colour[0], seen.colour[0]),
    mix(known.colour[1], seen.colour[1]),
    mix(known.colour[2], seen.colour[2]),
  ] as const;
  const hits = known.hits + 1;
  const label = hits <= hitsToConfirm ? describeObject(colour, typical_m) : known.label;
  return { ...known, detection: seen, typical_m, colour, hits, label, seen: true, lastSeen_ms: at_ms };
}

/** Confirmed objects, most certain first; two of the same words are told apart by a number. */
export function trackedObjects(state: TrackerState): TrackedObject[] {
  const confirmed = state.tracks.filter((t) => t.hits >= hitsToConfirm);
  const uses = new Map<string, number>();
  return confirmed.map((t) => {
    const use = (uses.get(t.label) ?? 0) + 1;
    uses.set(t.label, use);
    return {
      id: t.id,
      label: use === 1 ? t.label : `${t.label} ${String(use)}`,
      confidence: Math.min(0.99, 0.5 + t.hits / 40),
      seen: t.seen,
      last_seen_at_ms: t.lastSeen_ms,
      position_enu_m: enu(...t.detection.position_enu_m),
      size_m: t.typical_m,
      sigma_m: t.detection.sigma_m,
      range_m: t.detection.range_m,
      box_px: t.seen ? t.detection.box_px : null,
      colour: t.colour,
    };
  });
}
