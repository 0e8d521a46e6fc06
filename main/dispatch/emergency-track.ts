import type { EmergencyAction, EmergencyState } from "#contract/station";
import type { VehicleState } from "#contract/vehicle";
import type { Answer } from "./commander";

/** How far an emergency has got. Pure; `confirmed` is what the vehicle's heartbeat shows after it was asked, never an acknowledgement. */
export interface EmergencyTrack {
  readonly action: EmergencyAction;
  readonly source: "operator" | "failsafe";
  readonly began_ms: number;
  readonly sent_at_ms: number;
  readonly state: "sent" | "acknowledged" | "confirmed" | "not_confirmed";
  /** The vehicle's newest refusal; empty when there was none. */
  readonly refusal: string;
  /** While a pilot flies a press is sent once and not repeated. */
  readonly once: boolean;
}

const retry_ms = 300;
export const confirm_within_ms = 3000;
const retry_late_ms = 1000;

export const beginTrack = (
  action: EmergencyAction,
  source: EmergencyTrack["source"],
  once: boolean,
  now_ms: number,
): EmergencyTrack => ({
  action,
  source,
  began_ms: now_ms,
  sent_at_ms: now_ms,
  state: "sent",
  refusal: "",
  once,
});

/** What would show on the vehicle if the action had been carried out. */
export function shows(action: EmergencyAction, vehicle: VehicleState): boolean {
  if (!vehicle.armed) return true;
  switch (action) {
    case "hold":
      return vehicle.mode === "hold";
    case "land":
      return vehicle.mode === "land";
    case "kill":
      return false;
  }
}

export interface TrackStep {
  readonly track: EmergencyTrack;
  readonly resend: boolean;
}

export function stepTrack(track: EmergencyTrack, vehicle: VehicleState, now_ms: number): TrackStep {
  if (track.state === "confirmed") return { track, resend: false };
  // A heartbeat from before the request proves nothing.
  const heard = vehicle.heartbeat_at_ms !== null && vehicle.heartbeat_at_ms > track.began_ms;
  if (heard && shows(track.action, vehicle))
    return { track: { ...track, state: "confirmed" }, resend: false };
  const late = now_ms - track.began_ms >= confirm_within_ms;
  const state = late ? "not_confirmed" : track.state;
  const due = !track.once && now_ms - track.sent_at_ms >= (late ? retry_late_ms : retry_ms);
  return { track: { ...track, state, sent_at_ms: due ? now_ms : track.sent_at_ms }, resend: due };
}

/** The vehicle's answer: an acceptance counts as acknowledged and no more. */
export function answered(track: EmergencyTrack, answer: Answer): EmergencyTrack {
  if (answer.refusal !== null) return { ...track, refusal: answer.refusal };
  if (!answer.accepted) return track;
  return track.state === "sent" ? { ...track, state: "acknowledged", refusal: "" } : track;
}

const done: Readonly<Record<EmergencyAction, string>> = {
  hold: "The vehicle holds",
  land: "The vehicle is landing",
  kill: "Motors stopped",
};

/** For the button of this action. */
export function describe(track: EmergencyTrack, vehicle: VehicleState): EmergencyState {
  const because = track.refusal === "" ? "" : ` (${track.refusal})`;
  const detail = {
    sent: `Sent, no answer yet${because}`,
    acknowledged: "Acknowledged, waiting for the vehicle to show it",
    confirmed: vehicle.armed ? done[track.action] : "On the ground, disarmed",
    not_confirmed: `NOT CONFIRMED: the vehicle still shows ${vehicle.mode_label}, ${vehicle.armed ? "armed" : "disarmed"}${because}`,
  } as const;
  return { action: track.action, state: track.state, detail: detail[track.state], at_ms: track.began_ms };
}
