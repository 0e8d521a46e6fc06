import { useEffect } from "react";
import { isEditable } from "../ui/keys";
import { withBookmark } from "./bookmarks";
import type { ReviewDesk } from "./desk";
import { saveWorkspace } from "./files";
import { statesAt } from "./lanes";
import { zoomRange } from "./range";

/** Keys of the replay. Space is HOLD in the whole application, so K plays. */
export function keyAction(key: string, shift: boolean): ((desk: ReviewDesk) => void) | null {
  const step_s = shift ? 1 : 0.1;
  switch (key) {
    case "k":
    case "K":
      return (desk) => desk.send({ kind: "toggle" });
    case "ArrowLeft":
      return (desk) => desk.send({ kind: "nudge", by_s: -step_s });
    case "ArrowRight":
      return (desk) => desk.send({ kind: "nudge", by_s: step_s });
    case "Home":
      return (desk) => desk.send({ kind: "start" });
    case "End":
      return (desk) => desk.send({ kind: "end" });
    case "<":
      return (desk) => desk.send({ kind: "slower" });
    case ">":
      return (desk) => desk.send({ kind: "faster" });
    case "n":
      return (desk) => jump(desk, 1);
    case "p":
      return (desk) => jump(desk, -1);
    case "+":
    case "=":
      return (desk) => zoom(desk, 0.6);
    case "-":
      return (desk) => zoom(desk, 1 / 0.6);
    case "0":
      return (desk) => desk.showAll();
    case "b":
      return bookmarkHere;
    case "m":
      return toggleMark;
    default:
      return null;
  }
}

/** A bookmark at the cursor, named after the step under way. */
export function bookmarkHere(desk: ReviewDesk): void {
  const { bookmarks, playback } = desk.state.getState();
  const at_s = Number(playback.cursor_s.toFixed(2));
  const lanes = desk.summary === null ? [] : statesAt(desk.summary.lanes, at_s);
  const label = (lanes.find((l) => l.lane === "Skills") ?? lanes[0])?.span.label ?? "";
  desk.state.setState({ bookmarks: withBookmark(bookmarks, at_s, label) });
}

/** Sets the other end of a measurement at the cursor, or takes it away. */
export function toggleMark(desk: ReviewDesk): void {
  const { mark_s, playback } = desk.state.getState();
  desk.state.setState({ mark_s: mark_s === null ? playback.cursor_s : null });
}

function zoom(desk: ReviewDesk, factor: number): void {
  const { range, playback } = desk.state.getState();
  desk.setRange(zoomRange(range, playback.cursor_s, factor, playback.span));
}

/** To the next or previous moment worth looking at: a finding, the start of a step, a bookmark. */
export function jump(desk: ReviewDesk, way: 1 | -1): void {
  const { bookmarks, playback } = desk.state.getState();
  if (desk.summary === null) return;
  const { findings, steps } = desk.summary;
  const moments = [...findings, ...steps, ...bookmarks].map((m) => m.at_s).sort((a, b) => a - b);
  const to_s =
    way === 1
      ? moments.find((t) => t > playback.cursor_s + 0.01)
      : moments.filter((t) => t < playback.cursor_s - 0.01).at(-1);
  if (to_s !== undefined) desk.send({ kind: "seek", to_s });
}

/** Things that use the arrow keys themselves. */
const owns_arrows =
  '[role="tree"], [role="tablist"], [role="menu"], [role="listbox"], [role="application"], select';

export function useReviewKeys(desk: ReviewDesk, open: boolean): void {
  useEffect(() => {
    if (!open) return;
    const onKey = (e: KeyboardEvent): void => {
      if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key.toLowerCase() === "s") {
        e.preventDefault();
        void saveWorkspace(desk, e.shiftKey);
        return;
      }
      if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || isEditable(e.target)) return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return;
      const inside = e.target instanceof Element && e.target.closest(owns_arrows) !== null;
      if (inside && /^(Arrow|Home|End|\+|=|-)/.test(e.key)) return;
      const act = keyAction(e.key, e.shiftKey);
      if (act === null) return;
      e.preventDefault();
      act(desk);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [desk, open]);
}
