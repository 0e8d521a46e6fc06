import type { Incoming, Message } from "./port";

/** One MAVLink protocol of the autopilot: answers messages that concern it, and sends on its own from tick to tick. */
export interface Service {
  handle(message: Incoming, now_us: number): readonly Message[];
  /** Called once per exchange with the link. */
  tick(now_us: number): readonly Message[];
}

export const nothing: readonly Message[] = [];
