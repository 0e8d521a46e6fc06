import type { Enu } from "#contract/frames";
import type { FrameReport } from "#contract/perception";
import type { SafetyState } from "#contract/safety";
import { age, fixed, small_length, type Units } from "../../ui/format";

/** What the twin and the feeds draw of one perceived object: the monitor's view, with the tracker's confidence. */
export interface SeenObject {
  readonly id: string;
  readonly label: string;
  readonly state: "settling" | "seen" | "not_seen" | "exempt";
  readonly position_enu_m: Enu;
  readonly size_m: readonly [number, number, number];
  readonly colour: readonly [number, number, number];
  readonly baseline_enu_m: Enu | null;
  readonly displacement_m: number;
  readonly deadband_m: number;
  readonly score: number | null;
  readonly moved: boolean;
  readonly alarm: "none" | "caution" | "stop";
  readonly confidence: number | null;
  readonly sigma_m: number | null;
  readonly range_m: number | null;
  readonly last_seen_at_ms: number;
}

/** Profile `flight`: caution below 90, stop below 70 (architecture, "S_safe in flight"). */
const caution_below = 90;
const stop_below = 70;

/** Joins the displacement monitor's objects with the tracker's; those only the tracker knows are settling. */
export function seenObjects(safety: SafetyState | null, report: FrameReport | null): readonly SeenObject[] {
  const tracked = new Map((report?.objects ?? []).map((o) => [o.id, o]));
  const watched = (safety?.objects ?? []).map((o): SeenObject => {
    const track = tracked.get(o.id);
    tracked.delete(o.id);
    const moved = o.state !== "exempt" && o.baseline_enu_m !== null && o.displacement_m > o.deadband_m;
    return {
      id: o.id,
      label: o.label,
      state: o.state,
      position_enu_m: o.position_enu_m,
      size_m: o.size_m,
      colour: o.colour,
      baseline_enu_m: o.baseline_enu_m,
      displacement_m: o.displacement_m,
      deadband_m: o.deadband_m,
      score: o.score,
      moved,
      alarm: alarmOf(o.state, o.score),
      confidence: track?.confidence ?? null,
      sigma_m: track?.sigma_m ?? null,
      range_m: track?.range_m ?? null,
      last_seen_at_ms: o.last_seen_at_ms,
    };
  });
  const others = [...tracked.values()].map(
    (o): SeenObject => ({
      id: o.id,
      label: o.label,
      state: o.seen ? "settling" : "not_seen",
      position_enu_m: o.position_enu_m,
      size_m: o.size_m,
      colour: o.colour,
      baseline_enu_m: null,
      displacement_m: 0,
      deadband_m: 0,
      score: null,
      moved: false,
      alarm: "none",
      confidence: o.confidence,
      sigma_m: o.sigma_m,
      range_m: o.range_m,
      last_seen_at_ms: o.last_seen_at_ms,
    }),
  );
  return [...watched, ...others];
}

function alarmOf(state: SeenObject["state"], score: number): SeenObject["alarm"] {
  if (state === "exempt" || state === "settling") return "none";
  if (!(score >= stop_below)) return "stop";
  return score >= caution_below ? "none" : "caution";
}

/** "banana moved 1.7 cm", "red cup 0.94", "can · not seen 4 s": the words beside an object. */
export function objectText(o: SeenObject, now_ms: number, units: Units): string {
  if (o.state === "not_seen") return `${o.label} · not seen ${age(now_ms - o.last_seen_at_ms)}`;
  if (o.moved) return `${o.label} moved ${small_length(o.displacement_m, units)}`;
  if (o.state === "exempt") return `${o.label} · target`;
  return o.confidence === null ? o.label : `${o.label} ${fixed(o.confidence, 2)}`;
}
