import { defaultLimits } from "#contract/settings";
import type { SkillCall } from "#contract/skills";
import { Dispatch } from "../../main/dispatch/dispatch";
import type { DispatchEvent } from "../../main/dispatch/ports";
import { operatorEmergency } from "../../main/safety/emergency";
import { type Cleared, judge } from "../../main/safety/gate";
import type { SkillOutcome } from "../../main/skills/port";
import { skillRunner } from "../../main/skills/skills";
import { FakeClock } from "./fake-clock";
import { contextAt, FakeVehicle, hovering, proposalOf, standing } from "./flight";

/** Dispatch with the real skills and the real gate, over a vehicle that follows. */
export function rig(start = standing()) {
  const clock = new FakeClock(10_000);
  const vehicle = new FakeVehicle(clock, start);
  vehicle.heartbeat();
  const events: DispatchEvent[] = [];
  const dispatch = new Dispatch({
    door: vehicle.door,
    clock,
    vehicle: () => vehicle.state,
    limits: () => defaultLimits,
    skills: skillRunner,
  });
  dispatch.onEvent((event) => void events.push(event));
  const clear = (call: SkillCall): Cleared => {
    const hold = dispatch.holdSetpoint();
    const context = contextAt(clock.now_ms(), { vehicle: vehicle.state, hold, control: dispatch.control() });
    const { cleared, verdict } = judge(proposalOf(call, vehicle.state, hold), context, clock.now_ms());
    if (cleared === null) throw new Error(JSON.stringify(verdict.checks[0]));
    return cleared;
  };
  const fly = async (call: SkillCall, limit_ms = 60_000) => {
    const outcomes: SkillOutcome[] = [];
    void dispatch.fly(clear(call)).then((o) => outcomes.push(o));
    for (let t = 0; t < limit_ms && outcomes.length === 0; t += 20) await clock.advanceAsync(20, 20);
    return outcomes[0];
  };
  const settle = (ms: number) => clock.advanceAsync(ms, 20);
  const hold = () => dispatch.emergency(operatorEmergency("hold", "operator 1", clock.now_ms()));
  const state = (action: string) => dispatch.emergencyStates().find((s) => s.action === action)?.state;
  const sentAfter = (at_ms: number) => vehicle.sent.filter((s) => s.at_ms >= at_ms).map((s) => s.what);
  return { clock, vehicle, dispatch, events, clear, fly, settle, hold, state, sentAfter };
}
export const airborne = () => rig(hovering());
export const call = (skill: SkillCall["skill"], args: SkillCall["args"] = {}): SkillCall => ({ skill, args });

/** In the air and ours: a take-off flown by dispatch itself. */
export async function flying() {
  const r = rig();
  const up = await r.fly(call("take_off"));
  if (up?.status !== "success") throw new Error(`No take-off: ${up?.detail ?? "never ended"}`);
  return r;
}
