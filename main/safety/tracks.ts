import { enu } from "#contract/frames";
import type { FrameReport, TrackedObject } from "#contract/perception";
import { type MonitorContext, type Sighting, sighting } from "./sighting";
import { minus, norm } from "./vec";
import { baseline_frames, median_frames, type Watched } from "./watched";

/** Not seen for this long: sightings before the gap say nothing of the present. */
export const gap_ms = 1000;
/** A track without a baseline that is gone for this long was never an object. */
const forget_ms = 3000;
/** A tracker that loses a pushed object finds it as a new one: it inherits the baseline of the one that vanished nearby. */
const adopt_ms = 3000;
const adopt_m = 0.4;
/** Sorts the picture's sightings into the objects that are known, and starts or forgets tracks. */
export function notice(
  before: readonly Watched[],
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): readonly Watched[] {
  const tracked = new Map(report.objects.map((o) => [o.id, o]));
  const updated = before.map((o) => update(o, tracked.get(o.id), report, now_ms, context));
  const known = new Set(before.map((o) => o.id));
  let objects: readonly Watched[] = updated;
  for (const o of report.objects)
    if (!known.has(o.id)) objects = introduced(objects, o, report, now_ms, context);
  return objects.filter((o) => o.baseline !== null || now_ms - o.last_seen_at_ms <= forget_ms);
}

function update(
  object: Watched,
  tracked: TrackedObject | undefined,
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): Watched {
  const seen =
    tracked === undefined ? null : sighting(tracked, object.baseline?.size_m ?? null, report, context);
  if (tracked === undefined || seen === null) return { ...object, seen: false };
  const fresh = now_ms - object.last_seen_at_ms > gap_ms;
  return {
    ...object,
    label: tracked.label,
    size_m: tracked.size_m,
    colour: tracked.colour,
    position: tracked.position_enu_m,
    last_seen_at_ms: now_ms,
    seen: true,
    recent: [...(fresh ? [] : object.recent), seen].slice(
      object.baseline === null ? -baseline_frames : -median_frames,
    ),
  };
}

function introduced(
  objects: readonly Watched[],
  tracked: TrackedObject,
  report: FrameReport,
  now_ms: number,
  context: MonitorContext,
): readonly Watched[] {
  const seen = sighting(tracked, null, report, context);
  if (seen === null) return objects;
  const lost = objects.filter((o) => isSameThing(o, tracked, now_ms));
  const heir = lost.length === 1 ? lost[0] : undefined;
  const fresh = started(tracked, seen, now_ms, heir?.baseline ?? null);
  return [...objects.filter((o) => o !== heir), fresh];
}

/** A vanished object with the same look, near enough to have been pushed here. */
function isSameThing(lost: Watched, found: TrackedObject, now_ms: number): boolean {
  if (lost.seen || lost.baseline === null || now_ms - lost.last_seen_at_ms > adopt_ms) return false;
  const colour = Math.hypot(...lost.colour.map((c, i) => c - (found.colour[i] ?? NaN)));
  const scale = Math.max(1, ...lost.colour) > 1 ? 255 : 1;
  const ratio = Math.max(...found.size_m) / Math.max(...lost.baseline.size_m);
  const near = norm(minus(found.position_enu_m, lost.baseline.at)) <= adopt_m;
  return near && colour <= 0.15 * scale && ratio >= 0.7 && ratio <= 1.4;
}

const started = (
  o: TrackedObject,
  seen: Sighting,
  now_ms: number,
  baseline: Watched["baseline"],
): Watched => ({
  id: o.id,
  label: o.label,
  size_m: o.size_m,
  colour: o.colour,
  position: o.position_enu_m,
  last_seen_at_ms: now_ms,
  seen: true,
  recent: [seen],
  baseline,
  scores: [],
  displacement_m: 0,
  offset: enu(0, 0, 0),
  deadband_m: 0,
  level: "ok",
});
