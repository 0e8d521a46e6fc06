import type { FrameReport, TrackedObject } from "#contract/perception";
import type { SeenObject } from "../twin/scene/seen-objects";
import { age, fixed, small_length, type Units } from "../ui/format";

export interface Fit {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The whole picture inside the panel, centred, never cropped: what the camera saw is all there. Pixels. */
export function fit(
  panel: { width: number; height: number },
  picture: { width: number; height: number },
): Fit {
  if (!(panel.width > 0 && panel.height > 0 && picture.width > 0 && picture.height > 0))
    return { left: 0, top: 0, width: 0, height: 0 };
  const scale = Math.min(panel.width / picture.width, panel.height / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { left: (panel.width - width) / 2, top: (panel.height - height) / 2, width, height };
}

export type Mark = "plain" | "target" | "selected" | "caution" | "stop";

/** One detection on the picture: its box as shares of the picture, its words, its meaning. */
export interface Detection {
  readonly id: string;
  readonly text: string;
  readonly mark: Mark;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

/** Boxes of the frame, with what the monitor thinks of each object. Those without a box are not on the picture. */
export function detectionsOf(
  report: FrameReport,
  objects: readonly SeenObject[],
  selected: string | null,
  units: Units,
): readonly Detection[] {
  const known = new Map(objects.map((o) => [o.id, o]));
  return report.objects.flatMap((track) => {
    if (track.box_px === null || !track.seen) return [];
    const [x, y, w, h] = track.box_px;
    const box = {
      left: x / report.width,
      top: y / report.height,
      width: w / report.width,
      height: h / report.height,
    };
    return [{ id: track.id, box, ...say(track, known.get(track.id), selected, units) }];
  });
}

function say(
  track: TrackedObject,
  object: SeenObject | undefined,
  selected: string | null,
  units: Units,
): { text: string; mark: Mark } {
  const name = `${track.label} ${fixed(track.confidence, 2)}`;
  const moved =
    object?.moved === true ? `${track.label} moved ${small_length(object.displacement_m, units)}` : null;
  if (object?.alarm === "stop") return { text: moved ?? name, mark: "stop" };
  if (object?.alarm === "caution" || moved !== null) return { text: moved ?? name, mark: "caution" };
  if (object?.state === "exempt")
    return { text: `${track.label} · target · ${fixed(track.confidence, 2)}`, mark: "target" };
  return { text: name, mark: track.id === selected ? "selected" : "plain" };
}

/** "can 4.1 s" for each object that should be there and is not in the picture. */
export function missingOf(objects: readonly SeenObject[], now_ms: number): readonly string[] {
  return objects
    .filter((o) => o.state === "not_seen")
    .map((o) => `${o.label} ${age(now_ms - o.last_seen_at_ms)}`);
}

export interface Freshness {
  readonly state: "live" | "late" | "frozen";
  readonly age_ms: number;
}

/**
 * Whether the picture on the screen is now. Late from three frame periods (at least 0.4 s), frozen from six (at least 1 s):
 * a still picture must never pass for a quiet room.
 */
export function freshness(captured_at_ms: number, now_ms: number, frames_per_s: number): Freshness {
  const age_ms = now_ms - captured_at_ms;
  const period_ms = frames_per_s > 0 ? 1000 / frames_per_s : 1000;
  if (!(age_ms <= Math.max(1000, 6 * period_ms))) return { state: "frozen", age_ms };
  return { state: age_ms <= Math.max(400, 3 * period_ms) ? "live" : "late", age_ms };
}

/** Facts of the header: "640×480 · 10 fps · 41 ms". */
export function feedFacts(report: FrameReport | null): string {
  if (report === null) return "";
  const { width, height, frames_per_s, latency_ms } = report;
  return `${width}×${height} · ${fixed(frames_per_s, 0)} fps · ${fixed(latency_ms, 0)} ms`;
}

const urgency = { stop: 0, caution: 1, none: 2 } as const;

/** Alarms first, then what moved, then what is not seen; equals by name, so that rows keep their place. */
export function byUrgency(objects: readonly SeenObject[]): readonly SeenObject[] {
  const rank = (o: SeenObject): number =>
    urgency[o.alarm] * 4 + (o.moved ? 0 : 2) + (o.state === "not_seen" ? 0 : 1);
  return [...objects].sort((a, b) => rank(a) - rank(b) || (a.label < b.label ? -1 : 1));
}

/** An object's state in few words. */
export function objectState(o: SeenObject, now_ms: number, units: Units): string {
  if (o.state === "not_seen") return `not seen ${age(now_ms - o.last_seen_at_ms)}`;
  if (o.state === "settling") return "settling";
  if (o.state === "exempt") return "target";
  return `${o.moved ? "moved" : "Δ"} ${small_length(o.displacement_m, units)}`;
}
