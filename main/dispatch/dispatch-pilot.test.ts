import { describe, expect, test } from "vitest";
import { airborne, call, flying, rig } from "../../tests/support/dispatch-rig";

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

  test("a landing that is over gives way to the mode flown before it: nobody's takeover (PX4 1.17)", async () => {
    const r = await flying();
    const flown = r.dispatch.fly(r.clear(call("land")));
    await r.settle(400);
    expect(r.vehicle.mode).toBe("land");
    while (r.vehicle.armed) await r.settle(20);
    r.vehicle.mode = "offboard";
    r.vehicle.heartbeat();
    await r.settle(3000);
    expect(await flown).toMatchObject({ status: "success" });
    expect(r.dispatch.control()).toBe("station");
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
