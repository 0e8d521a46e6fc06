import type { Cancel, Clock } from "../platform/clock";
import type { Fields } from "./port";

/**
 * Who must be alive for the station's heartbeat to be sent. The vehicle's link-loss failsafe trusts it, so it must not
 * outlive what it stands for (bluerobotics/companion#403):
 *
 * 1. the station's main loop: it calls `alive` in its own turn, and a heartbeat is sent only if the last call is fresh;
 *    a loop that hangs cannot call, and the timer of a hung process does not run either;
 * 2. an operator session: a window, a menu or a command line through which the flight can be commanded. A renderer that
 *    crashed does not end it, because menu and shortcuts still command; the end of the session does.
 */
export interface HeartbeatRule {
  /** The main loop has come round; `operator` is whether someone can command the flight now. */
  alive(operator: boolean): void;
  readonly sending: boolean;
  stop: Cancel;
}

export const HEARTBEAT_ms = 1000;
/** The main loop runs at 10 Hz or more: so long without a turn, it hangs. */
const LOOP_SILENT_ms = 1000;

export function startHeartbeat(
  wire: { send(name: string, fields: Fields): void },
  clock: Clock,
): HeartbeatRule {
  let lastTurn_ms = Number.NEGATIVE_INFINITY;
  let operatorPresent = false;
  const due = (): boolean => operatorPresent && clock.now_ms() - lastTurn_ms <= LOOP_SILENT_ms;
  const stop = clock.every(HEARTBEAT_ms, () => {
    if (due()) wire.send("HEARTBEAT", stationHeartbeat);
  });
  return {
    alive: (operator) => {
      const wasDue = due();
      lastTurn_ms = clock.now_ms();
      operatorPresent = operator;
      if (!wasDue && due()) wire.send("HEARTBEAT", stationHeartbeat);
    },
    get sending() {
      return due();
    },
    stop,
  };
}

/** MAV_TYPE_GCS, no autopilot, active. */
const stationHeartbeat: Fields = {
  type: 6,
  autopilot: 8,
  base_mode: 0,
  custom_mode: 0,
  system_status: 4,
  mavlink_version: 3,
};
