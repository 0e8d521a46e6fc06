import { useMemo, useRef } from "react";
import {
  useNow,
  usePerceptionStore,
  useSafetyStore,
  useSettingsStore,
  useStores,
  useUiStore,
} from "../stores/context";
import { seenObjects } from "../twin/scene/seen-objects";
import { age } from "../ui/format";
import { Panel } from "../ui/Panel";
import { DepthLegend } from "./DepthLegend";
import { Detections } from "./Detections";
import css from "./Feeds.module.css";
import { detectionsOf, type Fit, feedFacts, fit, freshness, missingOf } from "./layout";
import { type Shown, type Stream, usePicture } from "./usePicture";
import { useSize } from "./useSize";

interface Props {
  readonly camera: string;
  readonly stream: Stream;
}

export function Feed({ camera, stream }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const shown = usePicture(canvas, camera, stream);
  const report = usePerceptionStore((s) => (s.report?.camera === camera ? s.report : null));
  const size = useSize(panel);
  const place = fit(size, shown ?? { width: 0, height: 0 });
  const name = camera.charAt(0).toUpperCase() + camera.slice(1);
  const title = `${name} ${stream}`;
  const facts = stream === "colour" ? feedFacts(report) : depthFacts(report?.depth_range_m);
  return (
    <Panel title={title} right={<span>{facts}</span>} className={css.feed}>
      <div
        ref={panel}
        className={css.picture}
        style={{ aspectRatio: shown === null ? "4 / 3" : `${shown.width} / ${shown.height}` }}
      >
        <canvas
          ref={canvas}
          className={css.canvas}
          role="img"
          aria-label={`${title} picture`}
          style={{ left: place.left, top: place.top, width: place.width, height: place.height }}
        />
        {shown === null && <p className={css.waiting}>Waiting for the first {stream} picture</p>}
        {shown !== null && stream === "colour" && <Overlay camera={camera} place={place} />}
        {shown !== null && stream === "depth" && report !== null && (
          <DepthLegend range_m={report.depth_range_m} />
        )}
        {shown !== null && <Freshness shown={shown} frames_per_s={report?.frames_per_s ?? 0} />}
      </div>
    </Panel>
  );
}

function Overlay({ camera, place }: { readonly camera: string; readonly place: Fit }) {
  const stores = useStores();
  const report = usePerceptionStore((s) => (s.report?.camera === camera ? s.report : null));
  const safety = useSafetyStore((s) => s);
  const units = useSettingsStore((s) => s.appearance.units);
  const selected = useUiStore((s) => s.selected_object);
  const objects = useMemo(() => seenObjects(safety, report), [safety, report]);
  if (report === null) return null;
  const missing = missingOf(objects, stores.clock.now_ms());
  return (
    <>
      <Detections
        detections={detectionsOf(report, objects, selected, units)}
        place={place}
        onSelect={(id) => stores.ui.setState({ selected_object: id })}
      />
      {missing.length > 0 && <p className={css.missing}>○ not seen: {missing.join(", ")}</p>}
      {!report.localised && <p className={css.unlocated}>▲ no pose at exposure: nothing localised</p>}
    </>
  );
}

/** Nothing while live; the age when late; a veil and a word when frozen. */
function Freshness({ shown, frames_per_s }: { readonly shown: Shown; readonly frames_per_s: number }) {
  const now_ms = useNow(200);
  const captured_at_ms = shown.captured_at_ms.current;
  // Drawn, but its time not noted yet: the next look will see it.
  if (Number.isNaN(captured_at_ms)) return null;
  const fresh = freshness(captured_at_ms, now_ms, frames_per_s);
  if (fresh.state === "live") return null;
  return (
    <div
      className={css.freshness}
      data-state={fresh.state}
      role={fresh.state === "frozen" ? "status" : undefined}
    >
      <span>
        {fresh.state === "frozen" ? `■ frozen ${age(fresh.age_ms)}` : `▲ late ${age(fresh.age_ms)}`}
      </span>
    </div>
  );
}

const depthFacts = (range_m: readonly [number, number] | undefined): string =>
  range_m === undefined ? "" : `${range_m[0].toFixed(2)} – ${range_m[1].toFixed(1)} m`;
