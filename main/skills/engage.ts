import { followsSetpoints } from "#contract/vehicle";
import type { SkillInput } from "./port";

/** On the way into offboard mode. PX4 refuses it without a setpoint stream of a second or more (PX4-Autopilot#20519). */
export interface Engage {
  readonly since_ms: number;
  readonly asked_at_ms: number | null;
  readonly refusal: string | null;
}

export const beginEngage = (now_ms: number): Engage => ({
  since_ms: now_ms,
  asked_at_ms: null,
  refusal: null,
});

export const stream_before_ms = 1000;
const ask_again_ms = 1000;
const give_up_ms = 6000;

export interface EngageStep {
  readonly engage: Engage;
  readonly done: boolean;
  readonly ask: boolean;
  /** Why it is given up; null while it goes on. */
  readonly failed: string | null;
}

/** The caller streams its setpoint all the while. Done is what the heartbeat says, never the acknowledgement. */
export function stepEngage(engage: Engage, input: SkillInput): EngageStep {
  const { vehicle, now_ms, refused } = input;
  const refusal = refused?.request === "offboard" ? refused.reason : engage.refusal;
  const streamed_ms = now_ms - engage.since_ms;
  const going = { engage: { ...engage, refusal }, done: false, ask: false, failed: null };
  if (followsSetpoints(vehicle.mode)) return { ...going, done: true };
  if (streamed_ms >= give_up_ms)
    return { ...going, failed: refusal ?? `The vehicle stayed in ${vehicle.mode_label} instead of offboard` };
  const due = engage.asked_at_ms === null || now_ms - engage.asked_at_ms >= ask_again_ms;
  if (streamed_ms < stream_before_ms || !due) return going;
  return { ...going, engage: { ...engage, refusal, asked_at_ms: now_ms }, ask: true };
}
