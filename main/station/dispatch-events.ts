import type { DispatchEvent } from "../dispatch/ports";
import type { AlertDesk } from "./alert-desk";
import type { Recorder } from "./recorder";

export interface DispatchListener {
  readonly recorder: Recorder;
  readonly alerts: AlertDesk;
  readonly onEmergency: () => void;
  /** Somebody else flies now. */
  readonly onTaken: (why: string) => void;
}

/** Everything that dispatch does goes into the record; what a person must know goes further. */
export function recordDispatch(
  event: DispatchEvent,
  { recorder, alerts, onEmergency, onTaken }: DispatchListener,
): void {
  switch (event.kind) {
    case "setpoint":
      recorder.write("/kingfisher/setpoint", {
        position_enu_m: event.position_enu_m,
        yaw_enu_rad: event.yaw_enu_rad,
      });
      break;
    case "emergency":
      for (const state of event.states)
        if (state.state !== "idle") recorder.write("/kingfisher/emergency", state);
      onEmergency();
      break;
    case "control":
      recorder.audit("control", event.control, { why: event.why });
      if (event.control !== "station") onTaken(event.why);
      break;
    case "jump":
      alerts.raise("jump", "caution", event.text, "The world was re-anchored; check it against the twin");
      break;
    case "command":
      if (event.result !== null)
        recorder.audit("command", "dispatch", { command: event.command, result: event.result });
      break;
    case "execution":
    case "ended":
      break;
  }
}
