import type { ReviewFinding } from "#contract/review";
import { around } from "./findings";
import type { Timed } from "./kingfisher-record";
import { plain, type Span, type Tone } from "./lanes";

type Safety = Timed<"/kingfisher/s_safe">;
type Vehicle = Timed<"/kingfisher/vehicle">;

const tones: Readonly<Record<Safety["value"]["level"], Tone>> = {
  unknown: "neutral",
  ok: "neutral",
  caution: "caution",
  stop: "warning",
};

/** One span per level, labelled with the lowest score in it: the worst is what counts. */
export function safetySpans(safety: readonly Safety[], end_s: number): Span[] {
  const runs: { from_s: number; level: Safety["value"]["level"]; lowest: number | null }[] = [];
  for (const { at_s, value } of safety) {
    const open = runs.at(-1);
    if (open?.level !== value.level) runs.push({ from_s: at_s, level: value.level, lowest: value.score });
    else if (value.score !== null) open.lowest = Math.min(open.lowest ?? value.score, value.score);
  }
  return runs.map((run, i) => ({
    from_s: run.from_s,
    to_s: runs[i + 1]?.from_s ?? end_s,
    label: run.lowest === null ? "not watched" : String(Math.round(run.lowest)),
    tone: tones[run.level],
  }));
}

/** S_safe falls below 70 at 5 cm and below 90 at 2.8 cm (profile `flight`). */
const STOP_CM = 5;
const CAUTION_CM = 2.8;

/** Each time the level worsens to caution or stop: which object, how far, and how fast the vehicle held. */
export function safetyFindings(safety: readonly Safety[], vehicle: readonly Vehicle[]): ReviewFinding[] {
  const out: ReviewFinding[] = [];
  let level: Safety["value"]["level"] = "unknown";
  for (const [i, { at_s, value }] of safety.entries()) {
    const worsened =
      value.level !== level && (value.level === "stop" || (value.level === "caution" && level !== "stop"));
    level = value.level;
    if (!worsened) continue;
    const worst = value.objects.find((object) => object.id === value.worst);
    const name = worst?.label ?? value.worst ?? "an object";
    // The level is recorded as soon as it changes, while the object is still moving: say how far it got.
    const most_m = furthest(safety, i, value.worst) ?? value.worst_displacement_m;
    const moved = plain(most_m * 100);
    if (value.level === "stop") {
      const held = heldAfter(vehicle, at_s);
      out.push({
        at_s,
        severity: "warning",
        title: "Stopped by displacement",
        detail: `${name} moved ${moved} cm, limit ${plain(STOP_CM)} cm${held}`,
        rule: "displacement",
        evidence: around("/kingfisher/s_safe", "score", at_s, 70),
      });
    } else {
      out.push({
        at_s,
        severity: "caution",
        title: "Something moved",
        detail: `${name} moved ${moved} cm, caution from ${plain(CAUTION_CM)} cm`,
        rule: "displacement",
        evidence: around("/kingfisher/s_safe", "score", at_s, 90),
      });
    }
  }
  return out;
}

/** The largest displacement of an object within 2 s of sample `i`. */
function furthest(safety: readonly Safety[], i: number, id: string | null): number | null {
  const from_s = safety[i]?.at_s ?? 0;
  let most: number | null = null;
  for (let k = i; k < safety.length && (safety[k] as Safety).at_s <= from_s + 2; k++) {
    const object = (safety[k] as Safety).value.objects.find((o) => o.id === id);
    if (object && (most === null || object.displacement_m > most)) most = object.displacement_m;
  }
  return most;
}

function heldAfter(vehicle: readonly Vehicle[], at_s: number): string {
  const before = vehicle.filter((v) => v.at_s <= at_s).at(-1);
  if (before?.value.mode === "hold") return "; the vehicle was holding already";
  const held = vehicle.find((v) => v.at_s > at_s && v.value.mode === "hold");
  return held && held.at_s - at_s < 5
    ? `; the vehicle showed Hold ${plain((held.at_s - at_s) * 1000, 0)} ms later`
    : "";
}
