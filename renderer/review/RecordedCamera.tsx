import { useEffect, useRef, useState } from "react";
import { FrameReport } from "#contract/perception";
import { SafetyState } from "#contract/safety";
import { Detections } from "../feeds/Detections";
import { handOver, PictureDrawer } from "../feeds/decoder";
import { detectionsOf, fit } from "../feeds/layout";
import { useSize } from "../feeds/useSize";
import { useSettingsStore, useStores, useUiStore } from "../stores/context";
import { seenObjects } from "../twin/scene/seen-objects";
import { age } from "../ui/format";
import { Panel } from "../ui/Panel";
import { useCursor, useCursorMoves, useDesk, useSummary } from "./hooks";
import { Latest } from "./latest";
import { RecordedVideo } from "./RecordedVideo";
import css from "./Review.module.css";
import { useMessage } from "./useMessage";

interface Shown {
  readonly at_s: number;
  readonly index: number;
  readonly width: number;
  readonly height: number;
}

/** The recorded picture at the cursor, with what was detected on it. */
export function RecordedCamera() {
  const { image_topics, sources } = useSummary();
  const videos = sources.filter((s) => s.video);
  const [chosen, setChosen] = useState<string | null>(null);
  const first = image_topics.find((t) => t.count > 0)?.topic ?? videos[0]?.key ?? null;
  const topic = chosen ?? first;
  if (topic === null) return null;
  const video = videos.find((v) => v.key === topic);
  if (video === undefined) return <CameraAt key={topic} topic={topic} onTopic={setChosen} />;
  return (
    <Panel title="Camera" right={<Pick topic={topic} onTopic={setChosen} />}>
      <RecordedVideo key={video.key} source={video} />
    </Panel>
  );
}

function Pick({ topic, onTopic }: { readonly topic: string; readonly onTopic: (topic: string) => void }) {
  const { image_topics, sources } = useSummary();
  const videos = sources.filter((s) => s.video);
  if (image_topics.length + videos.length < 2) return null;
  return (
    <label className={css.pick}>
      <span className="visually-hidden">Camera stream</span>
      <select value={topic} onChange={(e) => onTopic(e.target.value)}>
        {image_topics.map((t) => (
          <option key={t.topic} value={t.topic}>
            {streamName(t.topic)}
          </option>
        ))}
        {videos.map((v) => (
          <option key={v.key} value={v.key}>
            {v.title}
          </option>
        ))}
      </select>
    </label>
  );
}

function CameraAt({ topic, onTopic }: { readonly topic: string; readonly onTopic: (topic: string) => void }) {
  const { image_topics } = useSummary();
  const canvas = useRef<HTMLCanvasElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRecordedPicture(canvas, topic);
  const size = useSize(panel);
  const place = fit(size, shown ?? { width: 0, height: 0 });
  const cursor_s = useCursor(0.2);
  const behind_s = shown === null ? 0 : cursor_s - shown.at_s;
  const right = (
    <>
      {shown !== null && <span>frame {shown.index + 1}</span>}
      <Pick topic={topic} onTopic={onTopic} />
    </>
  );
  return (
    <Panel title={image_topics.length > 1 ? "Camera" : `Camera · ${streamName(topic)}`} right={right}>
      <div ref={panel} className={css.picture}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Recorded picture of ${streamName(topic)} at the cursor`}
          style={{ left: place.left, top: place.top, width: place.width, height: place.height }}
        />
        {shown !== null && <RecordedDetections topic={topic} place={place} />}
        {shown === null && <p className={css.quiet}>Looking for the picture at the cursor</p>}
        {behind_s > 1.5 && (
          <p className={css.behind}>▲ last picture, {age(behind_s * 1000)} before the cursor</p>
        )}
      </div>
    </Panel>
  );
}

/** "/camera/wrist/colour" reads "wrist colour". */
export const streamName = (topic: string): string =>
  topic
    .replace(/^\/?(camera\/)?/, "")
    .replaceAll("/", " ")
    .replaceAll("_", " ");

function RecordedDetections({
  topic,
  place,
}: {
  readonly topic: string;
  readonly place: ReturnType<typeof fit>;
}) {
  const stores = useStores();
  const units = useSettingsStore((s) => s.appearance.units);
  const selected = useUiStore((s) => s.selected_object);
  const report = useMessage("/kingfisher/perception", FrameReport);
  const safety = useMessage("/kingfisher/s_safe", SafetyState);
  if (report === null || !/colou?r/.test(topic)) return null;
  return (
    <Detections
      detections={detectionsOf(report, seenObjects(safety, report), selected, units)}
      place={place}
      onSelect={(id) => stores.ui.setState({ selected_object: id })}
    />
  );
}

/** Draws the picture at the cursor; while scrubbing, the newest wish wins and nothing queues. */
function useRecordedPicture(canvas: React.RefObject<HTMLCanvasElement | null>, topic: string): Shown | null {
  const desk = useDesk();
  const [shown, setShown] = useState<Shown | null>(null);
  const latest = useRef<{ want(at_s: number): void } | null>(null);
  useEffect(() => {
    let media_type = "image/jpeg";
    let size = { width: 0, height: 0 };
    let drawn_index = -1;
    const drawer = new PictureDrawer(
      (bytes) => createImageBitmap(new Blob([bytes as BlobPart], { type: media_type })),
      (bitmap) => {
        const target = canvas.current;
        if (target === null) return;
        size = { width: bitmap.width, height: bitmap.height };
        handOver(target, bitmap);
      },
    );
    const asking = new Latest(
      async (at_s: number) => {
        const image = await desk.image(topic, at_s);
        if (image === null || image.index === drawn_index) return null;
        media_type = image.media_type;
        return (await drawer.show(image.bytes)) ? image : null;
      },
      (image) => {
        if (image === null) return;
        drawn_index = image.index;
        setShown({ at_s: image.at_s, index: image.index, ...size });
      },
    );
    latest.current = asking;
    asking.want(desk.state.getState().playback.cursor_s);
    return () => {
      asking.close();
      drawer.close();
      latest.current = null;
    };
  }, [desk, canvas, topic]);
  useCursorMoves((cursor_s) => latest.current?.want(cursor_s));
  return shown;
}
