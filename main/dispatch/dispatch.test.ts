import { describe, expect, test } from "vitest";
import { call, flying, rig } from "../../tests/support/dispatch-rig";
import { failsafeEmergency, operatorEmergency } from "../safety/emergency";

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
