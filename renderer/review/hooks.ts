import { createContext, useContext, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { invariant } from "#contract/result";
import type { ReviewSummary } from "#contract/review";
import type { ReviewDesk } from "./desk";
import type { DeskState } from "./desk-state";
import { isPlaying } from "./playback";

export const DeskContext = createContext<ReviewDesk | null>(null);

export function useDesk(): ReviewDesk {
  const desk = useContext(DeskContext);
  invariant(desk !== null, "no review desk above this component");
  return desk;
}

export const useDeskState = <T>(select: (state: DeskState) => T): T => useStore(useDesk().state, select);

/** The open recording; only below the part of the workspace that shows one. */
export function useSummary(): ReviewSummary {
  const phase = useDeskState((s) => s.phase);
  invariant(phase.kind === "open", "no recording is open");
  return phase.summary;
}

/** The cursor, rounded down to `step_s` so that text does not render at every frame. */
export const useCursor = (step_s = 0.1): number =>
  useDeskState((s) => Math.floor(s.playback.cursor_s / step_s + 1e-9) * step_s);

/** Calls back on every move of the cursor, outside React: for canvases and lines. */
export function useCursorMoves(onMove: (cursor_s: number) => void): void {
  const desk = useDesk();
  const latest = useRef(onMove);
  latest.current = onMove;
  useEffect(() => {
    let last: number | null = null;
    const tell = ({ playback }: DeskState): void => {
      if (playback.cursor_s === last) return;
      last = playback.cursor_s;
      latest.current(playback.cursor_s);
    };
    tell(desk.state.getState());
    return desk.state.subscribe(tell);
  }, [desk]);
}

/** Drives the replay by animation frames while it plays; stops it when the workspace is left. */
export function usePlaybackClock(desk: ReviewDesk): void {
  const playing = useStore(desk.state, (s) => isPlaying(s.playback));
  useEffect(() => {
    if (!playing) return;
    let frame = requestAnimationFrame(function tick() {
      desk.send({ kind: "tick" });
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [desk, playing]);
  useEffect(() => () => desk.send({ kind: "pause" }), [desk]);
}
