import { type PointerEvent, useMemo, useRef } from "react";
import type { ReviewLane } from "#contract/review";
import { useSize } from "../feeds/useSize";
import { useCursor, useCursorMoves, useDesk, useDeskState, useSummary } from "./hooks";
import { markBoxes, spanBoxes } from "./lanes";
import { isWhole, panRange, type Range, shareOf, timeAt, zoomRange } from "./range";
import css from "./Timeline.module.css";
import { duration, timeText, timeTicks } from "./time";

/** Lanes under a ruler; dragging anywhere scrubs. */
export function Lanes() {
  const desk = useDesk();
  const summary = useSummary();
  const range = useDeskState((s) => s.range);
  const mode = useDeskState((s) => s.time_mode);
  const loop = useDeskState((s) => s.playback.loop);
  const bookmarks = useDeskState((s) => s.bookmarks);
  const mark_s = useDeskState((s) => s.mark_s);
  const area = useRef<HTMLDivElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const { width } = useSize(area);
  const cursor_s = useCursor(0.1);
  const lanes = summary.lanes.filter((l) => l.spans.length > 0 || l.marks.length > 0);

  const place = (t_s: number): void => {
    if (line.current === null) return;
    const share = shareOf(t_s, desk.state.getState().range);
    line.current.style.display = share >= -0.001 && share <= 1.001 ? "block" : "none";
    line.current.style.left = `${(share * 100).toFixed(3)}%`;
  };
  useCursorMoves(place);
  // The range moved under a cursor that stands still.
  useMemo(() => queueMicrotask(() => place(desk.state.getState().playback.cursor_s)), [range, desk]);

  const seek = (e: PointerEvent<HTMLElement>): void => {
    const box = e.currentTarget.getBoundingClientRect();
    desk.send({
      kind: "seek",
      to_s: timeAt((e.clientX - box.left) / box.width, desk.state.getState().range),
    });
  };
  return (
    <div className={css.lanes} style={{ "--lanes": lanes.length } as React.CSSProperties}>
      <div className={css.names} aria-hidden="true">
        <span />
        {lanes.map((l) => (
          <span key={l.id}>{l.label}</span>
        ))}
      </div>
      <div
        ref={area}
        className={css.area}
        role="slider"
        tabIndex={0}
        aria-label="Cursor"
        aria-valuemin={Math.round(summary.span.from_s * 10) / 10}
        aria-valuemax={Math.round(summary.span.to_s * 10) / 10}
        aria-valuenow={Math.round(cursor_s * 10) / 10}
        aria-valuetext={timeText(mode, cursor_s, summary, 1)}
        onPointerDown={(e) => {
          if (e.button !== 0) return;
          e.currentTarget.setPointerCapture(e.pointerId);
          seek(e);
        }}
        onPointerMove={(e) => {
          if (e.currentTarget.hasPointerCapture(e.pointerId)) seek(e);
        }}
        onDoubleClick={() => desk.showAll()}
        onWheel={(e) => {
          const { playback } = desk.state.getState();
          const box = e.currentTarget.getBoundingClientRect();
          const about_s = timeAt((e.clientX - box.left) / box.width, range);
          const turn = e.deltaY === 0 ? e.deltaX : e.deltaY;
          const next = e.shiftKey
            ? panRange(range, (turn / 1000) * (range.to_s - range.from_s), playback.span)
            : zoomRange(range, about_s, Math.exp(turn / 400), playback.span);
          desk.setRange(next);
        }}
      >
        <Ruler range={range} width={width} />
        {lanes.map((l) => (
          <Lane key={l.id} lane={l} range={range} width={width} />
        ))}
        {loop !== null && (
          <div
            className={css.loop}
            style={{
              left: `${Math.max(0, shareOf(loop.from_s, range)) * 100}%`,
              right: `${Math.max(0, 1 - shareOf(loop.to_s, range)) * 100}%`,
            }}
          />
        )}
        {bookmarks.map((b) => (
          <div
            key={b.id}
            className={css.bookmark}
            title={`${timeText(mode, b.at_s, summary, 1)} ${b.label}`}
            style={{ left: `${shareOf(b.at_s, range) * 100}%` }}
            hidden={b.at_s < range.from_s || b.at_s > range.to_s}
          />
        ))}
        {mark_s !== null && mark_s >= range.from_s && mark_s <= range.to_s && (
          <div className={css.mark} style={{ left: `${shareOf(mark_s, range) * 100}%` }} />
        )}
        <div ref={line} className={css.cursor} />
      </div>
      {!isWhole(range, summary.span) && <Overview range={range} span={summary.span} />}
    </div>
  );
}

function Ruler({ range, width }: { readonly range: Range; readonly width: number }) {
  const summary = useSummary();
  const mode = useDeskState((s) => s.time_mode);
  const ticks = timeTicks(range.from_s, range.to_s, Math.max(2, width / 110));
  const fine = range.to_s - range.from_s < 20 ? 1 : 0;
  return (
    <div className={css.ruler}>
      {ticks.map((t) => (
        <span key={t} style={{ left: `${shareOf(t, range) * 100}%` }}>
          {timeText(mode, t, summary, fine)}
        </span>
      ))}
    </div>
  );
}

interface LaneProps {
  readonly lane: ReviewLane;
  readonly range: Range;
  readonly width: number;
}

function Lane({ lane, range, width }: LaneProps) {
  const spans = useMemo(() => spanBoxes(lane.spans, range, width), [lane, range, width]);
  const marks = useMemo(() => markBoxes(lane.marks, range, width), [lane, range, width]);
  return (
    <div className={css.lane}>
      {spans.map(({ span, left, width: w, labelled }, i) => (
        <i
          key={`${span.from_s}-${i}`}
          data-tone={span.tone}
          title={`${span.label} · ${duration(span.from_s)} – ${duration(span.to_s)}`}
          style={{ left, width: w }}
        >
          {labelled ? span.label : ""}
        </i>
      ))}
      {marks.map(({ mark, left, count }, i) => (
        <b
          key={`${mark.at_s}-${i}`}
          data-tone={mark.tone}
          data-many={count > 1}
          title={`${duration(mark.at_s)} ${mark.label}${count > 1 ? ` (and ${count - 1} more)` : ""}`}
          style={{ left }}
        />
      ))}
    </div>
  );
}

/** Which part of the recording is shown; dragging it pans. */
function Overview({ range, span }: { readonly range: Range; readonly span: Range }) {
  const desk = useDesk();
  const left = shareOf(range.from_s, span) * 100;
  const right = (1 - shareOf(range.to_s, span)) * 100;
  const drag = (e: PointerEvent<HTMLDivElement>): void => {
    if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
    const box = e.currentTarget.getBoundingClientRect();
    const middle_s = timeAt((e.clientX - box.left) / box.width, span);
    const half_s = (range.to_s - range.from_s) / 2;
    desk.setRange({ from_s: middle_s - half_s, to_s: middle_s + half_s });
  };
  return (
    <div
      className={css.overview}
      title="Shown part of the recording; drag to move it"
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        drag(e);
      }}
      onPointerMove={drag}
    >
      <i style={{ left: `${left}%`, right: `${right}%` }} />
    </div>
  );
}
