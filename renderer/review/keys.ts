import { useEffect } from "react";
import { isEditable } from "../ui/keys";
import type { ReviewDesk } from "./desk";
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
    default:
      return null;
  }
}

function zoom(desk: ReviewDesk, factor: number): void {
  const { range, playback } = desk.state.getState();
  desk.setRange(zoomRange(range, playback.cursor_s, factor, playback.span));
}

/** To the next or previous moment worth looking at: a finding or the start of a step. */
export function jump(desk: ReviewDesk, way: 1 | -1): void {
  const { phase, playback } = desk.state.getState();
  if (phase.kind !== "open") return;
  const { findings, steps } = phase.summary;
  const moments = [...findings, ...steps].map((m) => m.at_s).sort((a, b) => a - b);
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
