import type { Enu } from "#contract/frames";
import { distance } from "./points";

/** Positions of the last three seconds. */
export interface DriftWatch {
  readonly since_ms: number | null;
  readonly samples: readonly { readonly at_ms: number; readonly position: Enu }[];
}
export const startDrift: DriftWatch = { since_ms: null, samples: [] };

const window_ms = 3000;
export const drift_max_m = 0.1;
/** 50 Hz telemetry would fill the window with 150 samples; a tenth of that has the same mean. */
const sample_every_ms = 200;

export function watchDrift(watch: DriftWatch, position: Enu, now_ms: number): DriftWatch {
  const last = watch.samples.at(-1);
  if (last !== undefined && now_ms - last.at_ms < sample_every_ms) return watch;
  const samples = [
    ...watch.samples.filter((s) => now_ms - s.at_ms <= window_ms),
    { at_ms: now_ms, position },
  ];
  return { since_ms: watch.since_ms ?? now_ms, samples };
}

/** How far the 3 s mean is off `hold`, when that is more than 10 cm; null while it is not, or the window is not full yet. */
export function drifted(watch: DriftWatch, hold: Enu): number | null {
  const newest = watch.samples.at(-1);
  if (newest === undefined || watch.since_ms === null || newest.at_ms - watch.since_ms < window_ms)
    return null;
  const mean = (axis: 0 | 1 | 2): number =>
    watch.samples.reduce((sum, s) => sum + s.position[axis], 0) / watch.samples.length;
  const off_m = distance([mean(0), mean(1), mean(2)], hold);
  return off_m <= drift_max_m ? null : off_m;
}
