import type { EmergencyAction, EmergencyState } from "#contract/station";
import type { Press } from "../stores/stores";

export interface EmergencyView {
  /** One or two words under the button's name; empty when there is nothing to say. */
  readonly word: string;
  readonly detail: string;
  readonly tone: "quiet" | "working" | "done" | "alarm";
}

/** The station answers a press within a frame; after this long without a word something is wrong. */
export const answer_within_ms = 1000;

const quiet: EmergencyView = { word: "", detail: "", tone: "quiet" };

/**
 * The state of one emergency button. "Acknowledged" is the vehicle's word; only "confirmed" (seen in its telemetry) is shown as
 * done, and whatever is not known to have happened is shown in red.
 */
export function emergencyView(
  action: EmergencyAction,
  reported: readonly EmergencyState[],
  press: Press,
  now_ms: number,
): EmergencyView {
  const report = reported.find((state) => state.action === action);
  // The station's times are its clock's; a report older than the press (less transport) speaks of an earlier press.
  const newer = report?.at_ms != null && press.state !== "none" && report.at_ms >= press.at_ms - 50;
  if (press.state === "refused" && !newer) return { word: "NOT SENT", detail: press.reason, tone: "alarm" };
  if (press.state === "asking" && !newer) {
    if (now_ms - press.at_ms < answer_within_ms) return { word: "sending", detail: "", tone: "working" };
    return {
      word: "NO ANSWER",
      detail: "The station has not answered. Take the aircraft with the RC.",
      tone: "alarm",
    };
  }
  if (report === undefined) return quiet;
  const { detail } = report;
  switch (report.state) {
    case "idle":
      return quiet;
    case "sent":
      return { word: "sent", detail, tone: "working" };
    case "acknowledged":
      return { word: "acknowledged", detail, tone: "working" };
    case "confirmed":
      return { word: "confirmed", detail, tone: "done" };
    case "not_confirmed":
      return { word: "NOT CONFIRMED", detail, tone: "alarm" };
    case "unavailable":
      return { word: "UNAVAILABLE", detail, tone: "alarm" };
  }
}

/** The cover of KILL: lifted by its own press, and shut again when nobody goes on. */
export type Cover =
  | { readonly state: "shut" }
  | { readonly state: "lifted"; readonly until_ms: number }
  | { readonly state: "pressing" };

export type CoverEvent = "lift" | "shut" | "press" | "release" | "tick";

export const cover_open_ms = 6000;
export const kill_hold_ms = 2000;

export function stepCover(cover: Cover, event: CoverEvent, now_ms: number): Cover {
  const lifted: Cover = { state: "lifted", until_ms: now_ms + cover_open_ms };
  switch (event) {
    case "lift":
      return cover.state === "shut" ? lifted : cover;
    case "shut":
      return { state: "shut" };
    case "press":
      return cover.state === "lifted" ? { state: "pressing" } : cover;
    case "release":
      return cover.state === "pressing" ? lifted : cover;
    case "tick":
      return cover.state === "lifted" && !(now_ms < cover.until_ms) ? { state: "shut" } : cover;
  }
}
