import { useEffect, useRef, useState } from "react";
import type { ReviewSource } from "#contract/review";
import { useCursorMoves, useDesk, useDeskState, useSummary } from "./hooks";
import { isPlaying } from "./playback";
import css from "./Review.module.css";

/** Further apart than this, the video is set to the cursor; nearer it keeps its own pace, which looks smoother. */
const slip_s = 0.15;

/** A joined video: it plays, stops and is scrubbed with everything else. */
export function RecordedVideo({ source }: { readonly source: ReviewSource }) {
  const desk = useDesk();
  const { id } = useSummary();
  const video = useRef<HTMLVideoElement>(null);
  const playing = useDeskState((s) => isPlaying(s.playback));
  const speed = useDeskState((s) => s.playback.speed);
  const [url, setUrl] = useState<string | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(() => {
    let alive = true;
    void desk.ask("review.media", { id, source: source.key }).then((answer) => {
      if (!alive) return;
      if (answer.ok) setUrl(answer.value.url);
      else setReason(answer.reason);
    });
    return () => {
      alive = false;
    };
  }, [desk, id, source.key]);
  useEffect(() => {
    const shown = video.current;
    if (shown === null) return;
    shown.playbackRate = speed;
    if (playing) void shown.play().catch(() => undefined);
    else shown.pause();
  }, [playing, speed, url]);
  useCursorMoves((cursor_s) => {
    const shown = video.current;
    if (shown === null) return;
    const wanted_s = Math.max(0, cursor_s - source.offset.offset_s);
    if (Math.abs(shown.currentTime - wanted_s) > (playing ? slip_s : 0.01)) shown.currentTime = wanted_s;
  });
  return (
    <div className={css.picture}>
      {url !== null && (
        <video
          ref={video}
          className={css.video}
          src={url}
          muted
          preload="auto"
          aria-label={`Video ${source.title} at the cursor`}
          onError={() => setReason("This video cannot be played: its coding is not known here.")}
        />
      )}
      {reason !== null && (
        <p className={css.quiet} role="alert">
          {reason}
        </p>
      )}
    </div>
  );
}
