import { describe, expect, test } from "vitest";
import { defaultLimits } from "#contract/settings";
import type { SkillCall } from "#contract/skills";
import { FakeClock } from "../../tests/support/fake-clock";
import { contextAt, FakeVehicle, hovering, proposalOf, standing } from "../../tests/support/flight";
import { failsafeEmergency, operatorEmergency } from "../safety/emergency";
import { type Cleared, judge } from "../safety/gate";
import type { SkillOutcome } from "../skills/port";
import { skillRunner } from "../skills/skills";
import { Dispatch } from "./dispatch";
import type { DispatchEvent } from "./ports";

function rig(start = standing()) {
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
const airborne = () => rig(hovering());
const call = (skill: SkillCall["skill"], args: SkillCall["args"] = {}): SkillCall => ({ skill, args });

/** In the air and ours: a take-off flown by dispatch itself. */
async function flying() {
  const r = rig();
  expect(await r.fly(call("take_off"))).toMatchObject({ status: "success" });
  return r;
}

describe("a mission", () => {
  test("takes off, moves, turns and lands within 15 cm and 5 degrees", async () => {
    const r = rig();
    for (const skill of [
      "take_off",
      "forward",
      "forward",
      "yaw_right",
      "yaw_right",
      "yaw_right",
      "left",
      "hold",
    ] as const)
      expect([skill, (await r.fly(call(skill)))?.status]).toEqual([skill, "success"]);
    const at = r.vehicle.state.position_enu_m!;
    expect(Math.hypot(at[0] - 1.5, at[1], at[2] - 1.7)).toBeLessThan(0.15);
    expect(Math.abs(r.vehicle.state.yaw_enu_rad! + Math.PI / 2)).toBeLessThan((5 * Math.PI) / 180);
    expect(await r.fly(call("land"))).toMatchObject({ status: "success" });
    const streamed = r.vehicle.setpoints.length;
    await r.settle(3000);
    expect(r.vehicle.setpoints.length).toBe(streamed);
    expect(r.vehicle.names()).toEqual(["offboard", "arm", "land"]);
  });

  test("PX4-Autopilot#20519: offboard is asked for only after a second of setpoints, and the stream never pauses", async () => {
    const r = await flying();
    const first = r.vehicle.setpoints[0]!.at_ms;
    const asked = r.vehicle.sent.find((s) => s.what === "offboard")!.at_ms;
    expect(asked - first).toBeGreaterThanOrEqual(960);
    expect(await r.fly(call("forward"))).toMatchObject({ status: "success" });
    await r.settle(5000);
    const times = r.vehicle.setpoints.map((s) => s.at_ms);
    expect(Math.max(...times.slice(1).map((t, i) => t - times[i]!))).toBeLessThanOrEqual(40);
  });

  test("qgroundcontrol#10810: an armed flag 1.4 s after the acknowledgement is neither refused nor believed early", async () => {
    const r = rig();
    expect(await r.fly(call("take_off"))).toMatchObject({ status: "success" });
    expect(r.vehicle.names().filter((n) => n === "arm")).toHaveLength(1);
  });

  test("PX4-Autopilot#22885: a refused arming ends the skill with the vehicle's reasons, all of them", async () => {
    const r = rig();
    const issue = (text: string) => ({ id: text, severity: "blocks" as const, text, advice: "" });
    const cleared = r.clear(call("take_off"));
    r.vehicle.ignores = new Set(["arm"]);
    const flown = r.dispatch.fly(cleared);
    r.vehicle.state = {
      ...r.vehicle.state,
      arming: [issue("Compass not calibrated"), issue("Battery unhealthy")],
    };
    await r.settle(12_000);
    const outcome = await flown;
    expect(outcome.status).toBe("failure");
    expect(outcome.detail).toContain("Compass not calibrated; Battery unhealthy");
  });

  test("a clearance is used once, and only while it is fresh", async () => {
    const r = await flying();
    const cleared = r.clear(call("forward"));
    const first = r.dispatch.fly(cleared);
    expect(await r.dispatch.fly(r.clear(call("up")))).toMatchObject({ status: "failure" });
    await r.settle(15_000);
    expect(await first).toMatchObject({ status: "success" });
    expect((await r.dispatch.fly(cleared)).detail).toContain("used already");
    const old = r.clear(call("up"));
    await r.settle(1100);
    expect((await r.dispatch.fly(old)).detail).toContain("too old");
  });
});

describe("HOLD", () => {
  test("freezes the setpoint and asks before it returns, and streams until the heartbeat shows it", async () => {
    const r = await flying();
    const flown = r.dispatch.fly(r.clear(call("forward")));
    await r.settle(500);
    const sent = r.vehicle.sent.length;
    const streamed = r.vehicle.setpoints.length;
    r.hold();
    expect(r.vehicle.names().slice(sent)).toEqual(["hold"]);
    expect(r.vehicle.setpoints.length).toBe(streamed + 1);
    const frozen = r.vehicle.setpoints.at(-1)!.pose;
    expect(await flown).toMatchObject({ status: "stopped" });
    expect(r.state("hold")).toBe("sent");
    await r.settle(60);
    expect(r.state("hold")).toBe("acknowledged");
    await r.settle(1500);
    expect(r.state("hold")).toBe("confirmed");
    expect(
      r.vehicle.setpoints
        .slice(streamed)
        .every((s) => s.pose === frozen || JSON.stringify(s.pose) === JSON.stringify(frozen)),
    ).toBe(true);
    const after = r.vehicle.setpoints.length;
    await r.settle(1000);
    expect(r.vehicle.setpoints.length).toBe(after);
  });

  test("an acknowledgement that nothing follows is repeated every 300 ms and NOT CONFIRMED after 3 s", async () => {
    const r = await flying();
    r.vehicle.ignores = new Set(["hold"]);
    const at = r.clock.now_ms();
    r.hold();
    await r.settle(2900);
    expect(r.sentAfter(at).filter((n) => n === "hold").length).toBeGreaterThanOrEqual(9);
    expect(r.state("hold")).toBe("acknowledged");
    await r.settle(300);
    expect(r.state("hold")).toBe("not_confirmed");
    expect(r.vehicle.setpoints.at(-1)!.at_ms).toBeGreaterThan(r.clock.now_ms() - 50);
    r.vehicle.ignores = new Set();
    await r.settle(2500);
    expect(r.state("hold")).toBe("confirmed");
  });

  test("without a position it is unavailable, says so, and descends", async () => {
    const r = await flying();
    r.vehicle.state = { ...r.vehicle.state, estimate: { ...r.vehicle.state.estimate, health: "bad" } };
    const streamed = r.vehicle.setpoints.length;
    const at = r.clock.now_ms();
    r.hold();
    expect(r.sentAfter(at)).toEqual(["land"]);
    expect(r.state("hold")).toBe("unavailable");
    await r.settle(1500);
    expect(r.state("land")).toBe("confirmed");
    expect(r.vehicle.setpoints.length).toBe(streamed);
  });

  test("while a take-off waits for arming, a late arm is taken back", async () => {
    const r = rig();
    const flown = r.dispatch.fly(r.clear(call("take_off")));
    while (!r.vehicle.names().includes("arm")) await r.settle(20);
    r.vehicle.armed = false;
    r.hold();
    expect(await flown).toMatchObject({ status: "stopped" });
    r.vehicle.armed = true;
    await r.settle(2500);
    expect(r.vehicle.names()).toContain("disarm");
    expect(r.vehicle.armed).toBe(false);
  });

  test("a new move after it goes through offboard again", async () => {
    const r = await flying();
    r.hold();
    await r.settle(1500);
    expect(await r.fly(call("left"))).toMatchObject({ status: "success" });
    expect(r.dispatch.control()).toBe("station");
  });
});

describe("LAND and KILL", () => {
  test("LAND is confirmed by the heartbeat; the failsafe's HOLD does not stop it, the operator's does", async () => {
    const r = await flying();
    r.dispatch.emergency(operatorEmergency("land", "operator 1", r.clock.now_ms()));
    await r.settle(1100);
    expect(r.state("land")).toBe("confirmed");
    const weaker = failsafeEmergency({ action: "hold", causes: [] }, r.clock.now_ms())!;
    const at = r.clock.now_ms();
    r.dispatch.emergency(weaker);
    expect(r.sentAfter(at)).toEqual([]);
    r.hold();
    await r.settle(1100);
    expect(r.state("hold")).toBe("confirmed");
  });

  test("KILL stops the stream at once and is repeated until the motors are off", async () => {
    const r = await flying();
    r.vehicle.ignores = new Set(["kill"]);
    const streamed = r.vehicle.setpoints.length;
    r.dispatch.emergency(operatorEmergency("kill", "operator 1", r.clock.now_ms()));
    await r.settle(1000);
    expect(r.vehicle.names().filter((n) => n === "kill").length).toBeGreaterThanOrEqual(3);
    expect(r.vehicle.setpoints.length).toBe(streamed);
    r.vehicle.ignores = new Set();
    await r.settle(1500);
    expect(r.state("kill")).toBe("confirmed");
  });

  test("the failsafe never kills", () => {
    for (const action of ["none", "announce", "hold", "land", "descend"] as const)
      expect(failsafeEmergency({ action, causes: [] }, 0)?.action).not.toBe("kill");
  });
});

describe("the pilot wins", () => {
  test("a mode change that we did not command stops everything until the hand-back", async () => {
    const r = await flying();
    const flown = r.dispatch.fly(r.clear(call("forward")));
    await r.settle(300);
    r.vehicle.mode = "position";
    r.vehicle.heartbeat();
    await r.settle(60);
    expect(await flown).toEqual({
      status: "stopped",
      detail: "The pilot has control: mode changed to Position",
    });
    const streamed = r.vehicle.setpoints.length;
    const sent = r.vehicle.sent.length;
    await r.settle(5000);
    expect(r.vehicle.setpoints.length).toBe(streamed);
    expect(r.vehicle.sent.length).toBe(sent);
    expect(r.dispatch.control()).toBe("pilot");
    expect(r.events).toContainEqual({
      kind: "control",
      control: "pilot",
      why: "The pilot has control: mode changed to Position",
    });
    expect(r.dispatch.handBack()).toEqual({ ok: true, value: undefined });
    expect(await r.fly(call("left"))).toMatchObject({ status: "success" });
  });

  test("a pilot who arms after taking over is not disarmed by us", async () => {
    const r = rig();
    r.vehicle.ignores = new Set(["arm"]);
    const flown = r.dispatch.fly(r.clear(call("take_off")));
    while (!r.vehicle.names().includes("arm")) await r.settle(20);
    r.vehicle.mode = "position";
    r.vehicle.heartbeat();
    await r.settle(60);
    expect(await flown).toMatchObject({ status: "stopped" });
    r.vehicle.armed = true;
    await r.settle(2500);
    expect(r.vehicle.state.armed).toBe(true);
    expect(r.vehicle.names()).not.toContain("disarm");
  });

  test("after a disarm in mid-move nothing more is streamed", async () => {
    const r = await flying();
    const flown = r.dispatch.fly(r.clear(call("forward")));
    await r.settle(400);
    r.vehicle.armed = false;
    r.vehicle.heartbeat();
    const streamed = r.vehicle.setpoints.length;
    await r.settle(2000);
    expect(await flown).toMatchObject({ status: "failure" });
    expect(r.vehicle.setpoints.length).toBe(streamed);
  });

  test("repeats of an emergency stop; a press by the operator goes out once", async () => {
    const r = await flying();
    r.vehicle.ignores = new Set(["hold"]);
    r.hold();
    await r.settle(400);
    r.vehicle.mode = "position";
    r.vehicle.heartbeat();
    await r.settle(60);
    const at = r.clock.now_ms();
    await r.settle(5000);
    expect(r.sentAfter(at)).toEqual([]);
    r.hold();
    await r.settle(5000);
    expect(r.sentAfter(at)).toEqual(["hold"]);
    expect(r.dispatch.control()).toBe("pilot");
  });

  test("the vehicle's own failsafe is told apart", async () => {
    const r = await flying();
    const flown = r.dispatch.fly(r.clear(call("forward")));
    r.vehicle.mode = "return";
    r.vehicle.failsafe = true;
    r.vehicle.heartbeat();
    await r.settle(60);
    expect((await flown).detail).toBe("The vehicle failsafe took over: mode changed to Return");
    expect(r.dispatch.control()).toBe("vehicle_failsafe");
  });

  test("a vehicle that was flying when we came is the pilot's; one that was armed by others too", async () => {
    const r = airborne();
    await r.settle(60);
    expect(r.dispatch.control()).toBe("pilot");
    const s = rig();
    await s.settle(60);
    s.vehicle.armed = true;
    s.vehicle.heartbeat();
    await s.settle(60);
    expect(s.dispatch.control()).toBe("pilot");
  });

  test("mode changes on the ground with nothing going on are nobody's takeover", async () => {
    const r = rig();
    r.vehicle.mode = "position";
    await r.settle(2000);
    expect(r.dispatch.control()).toBe("station");
  });
});

test("PX4-Autopilot#7491, #11970: a 2 m jump with reset_counter + 1 ends the move, and the held point goes along", async () => {
  const r = await flying();
  const flown = r.dispatch.fly(r.clear(call("forward")));
  await r.settle(1000);
  const [x, y, z] = r.vehicle.state.position_enu_m!;
  r.vehicle.state = { ...r.vehicle.state, position_enu_m: [x + 2, y, z], reset_counter: 1 };
  await r.settle(60);
  const outcome = await flown;
  expect(outcome.status).toBe("failure");
  expect(outcome.detail).toContain("jumped by 2.0 m");
  await r.settle(8000);
  expect(Math.abs(r.vehicle.state.position_enu_m![0] - x - 2)).toBeLessThan(0.5);
  expect(r.dispatch.holdSetpoint()!.position_enu_m[0]).toBeGreaterThan(x + 1.5);
});
