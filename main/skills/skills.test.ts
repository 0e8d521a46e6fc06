import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enu } from "#contract/frames";
import { Execution } from "#contract/mission";
import { defaultLimits } from "#contract/settings";
import { type SkillCall, SkillId } from "#contract/skills";
import type { VehicleState } from "#contract/vehicle";
import { hovering, standing } from "../../tests/support/flight";
import { planSkill } from "../safety/plan";
import type { SkillInput, SkillStep } from "./port";
import { rampPose, rampShare } from "./ramp";
import { type SkillState, skillRunner } from "./skills";

const limits = defaultLimits;
const period_ms = 40;

/** A skill stepped by hand against a vehicle that the test moves. */
function rig(call: SkillCall, vehicle: VehicleState, arming: SkillInput["arming"] = "station") {
  const planned = planSkill(call, vehicle, { limits, hold: null });
  const plan = planned.ok ? planned.value : null;
  let state = skillRunner.start(call, plan, 0);
  let now_ms = 0;
  const input = (v: VehicleState, refused: SkillInput["refused"]): SkillInput => ({
    vehicle: v,
    now_ms,
    limits,
    arming,
    refused,
  });
  const step = (v: VehicleState, refused: SkillInput["refused"] = null): SkillStep<SkillState> => {
    const next = skillRunner.step(state, input(v, refused));
    state = next.state;
    now_ms += period_ms;
    return next;
  };
  /** Steps until something is asked or ended, at most this long. */
  const until = (v: VehicleState, limit_ms: number): SkillStep<SkillState> => {
    let next = step(v);
    for (let t = period_ms; t < limit_ms && next.request === null && next.outcome === null; t += period_ms)
      next = step(v);
    return next;
  };
  return {
    plan: plan!,
    step,
    until,
    execution: (v: VehicleState) => skillRunner.execution(state, input(v, null)),
    now_ms: () => now_ms,
  };
}
const call = (skill: SkillCall["skill"], args: SkillCall["args"] = {}): SkillCall => ({ skill, args });
const offboard = (v: VehicleState): VehicleState => ({ ...v, mode: "offboard", mode_label: "Offboard" });

describe("the setpoint ramp", () => {
  const length = fc.double({ min: 0.01, max: 5, noNaN: true });
  test("starts at 0, ends at 1, never turns back and never exceeds the speed", () => {
    fc.assert(
      fc.property(length, fc.double({ min: 0.1, max: 2, noNaN: true }), (length_m, speed) => {
        let before = rampShare(length_m, speed, 0);
        expect(before).toBe(0);
        const end_s = length_m / speed + 10;
        for (let t = 0.05; t < end_s; t += 0.05) {
          const share = rampShare(length_m, speed, t);
          expect(share).toBeGreaterThanOrEqual(before - 1e-9);
          expect((share - before) * length_m).toBeLessThanOrEqual(speed * 0.05 + 1e-9);
          before = share;
        }
        expect(before).toBe(1);
      }),
      { numRuns: 50 },
    );
  });
  test("no way to go is arrived; NaN time does not start", () => {
    expect([rampShare(0, 1, 0), rampShare(1, 1, Number.NaN), rampShare(Number.NaN, 1, 1)]).toEqual([1, 0, 1]);
  });
  test("turns the short way", () => {
    const start = { position_enu_m: enu(0, 0, 1), yaw_enu_rad: 3 };
    const end = { position_enu_m: enu(0, 0, 1), yaw_enu_rad: -3 };
    expect(Math.abs(rampPose(start, end, 0.3, limits).yaw_enu_rad)).toBeGreaterThan(3);
  });
});

describe("take_off", () => {
  test("streams the present position for a second, enters offboard, arms, climbs, settles", () => {
    const ground = standing();
    const r = rig(call("take_off"), ground);
    const asked = r.until(ground, 3000);
    expect([asked.request, asked.setpoint]).toEqual(["offboard", r.plan.start]);
    expect(r.now_ms()).toBeGreaterThan(1000);
    r.step(offboard(ground));
    expect(r.step(offboard(ground)).request).toBe("arm");
    const armed = { ...offboard(ground), armed: true };
    r.step(armed);
    for (let i = 0; i < 25; i++) r.step(armed);
    const climbing = r.step(armed).setpoint!;
    expect(climbing.position_enu_m[2]).toBeGreaterThan(0.25);
    expect(climbing.position_enu_m[2]).toBeLessThan(1.7);
    const up = hovering(0, { position_enu_m: enu(0, 0, 1.65) });
    const done = r.until(up, 5000);
    expect(done.outcome).toMatchObject({ status: "success" });
    expect(done.setpoint).toEqual(r.plan.end);
  });
  test("on hardware the pilot arms: it asks for nothing and waits a minute", () => {
    const ground = standing();
    const r = rig(call("take_off"), ground, "pilot");
    expect(r.until(ground, 3000).request).toBe("offboard");
    r.step(offboard(ground));
    for (let t = 0; t < 20_000; t += period_ms)
      expect(r.step(offboard(ground))).toMatchObject({ request: null, outcome: null });
    expect(r.step({ ...offboard(ground), armed: true }).outcome).toBeNull();
  });
  test("gives up with the vehicle's reason when arming is refused, and when offboard never shows", () => {
    const ground = offboard(standing());
    const r = rig(call("take_off"), ground);
    r.until(ground, 200);
    r.step(ground, { request: "arm", reason: "temporarily rejected" });
    expect(r.until(ground, 3000).request).toBe("arm");
    let end = r.until(ground, 10_000);
    while (end.outcome === null) end = r.until(ground, 10_000);
    expect(end.outcome).toMatchObject({ status: "failure", detail: "Not armed: temporarily rejected" });
    const s = rig(call("take_off"), standing());
    let stuck = s.until(standing(), 1500);
    while (stuck.outcome === null) stuck = s.until(standing(), 10_000);
    expect(stuck.outcome).toMatchObject({
      status: "failure",
      detail: "The vehicle stayed in Hold instead of offboard",
    });
  });
});

describe("moves", () => {
  test("need 8 cm, 3 degrees and 0.8 s of stillness, not a flight through the goal", () => {
    const r = rig(call("forward"), hovering());
    const at = (x: number, yaw = 0) => hovering(0, { position_enu_m: enu(x, 0, 1.7), yaw_enu_rad: yaw });
    for (let t = 0; t < 4000; t += period_ms) expect(r.step(at(0)).outcome).toBeNull();
    for (let i = 0; i < 10; i++) expect(r.step(at(0.5)).outcome).toBeNull();
    expect(r.step(at(0.7)).outcome).toBeNull();
    for (let i = 0; i < 30; i++) expect(r.step(at(0.5, 0.06)).outcome).toBeNull();
    expect(r.until(at(0.44, 0.05), 2000).outcome).toMatchObject({ status: "success" });
  });
  test("time out, saying how far they are from where they should be", () => {
    const r = rig(call("forward"), hovering());
    const end = r.until(hovering(), 60_000);
    expect(end.outcome?.status).toBe("timeout");
    expect(end.outcome?.detail).toContain("0.50 m from where it should be");
  });
  test("a NaN position is never an arrival", () => {
    const r = rig(call("yaw_left"), hovering());
    const lost = hovering(0, { position_enu_m: enu(Number.NaN, 0, 1.7), yaw_enu_rad: Math.PI / 6 });
    expect(r.until(lost, 60_000).outcome?.status).toBe("timeout");
  });
  test("end when the vehicle disarms", () => {
    const r = rig(call("left"), hovering());
    r.step(hovering());
    expect(r.step(hovering(0, { armed: false })).outcome).toMatchObject({ status: "failure" });
  });
});

describe("land", () => {
  test("asks until the heartbeat shows it, then waits for ground and disarm", () => {
    const r = rig(call("land"), hovering());
    expect(r.step(hovering())).toMatchObject({ request: "land", setpoint: r.plan.start });
    expect(r.until(hovering(), 1500).request).toBe("land");
    const landing = hovering(0, { mode: "land", mode_label: "Land" });
    expect(r.step(landing)).toMatchObject({ request: null, setpoint: null });
    for (let i = 0; i < 100; i++) expect(r.step(landing)).toMatchObject({ setpoint: null, outcome: null });
    expect(r.step(standing(0, { armed: true, mode: "land" })).outcome).toBeNull();
    expect(r.step(standing(0, { mode: "land" })).outcome).toMatchObject({ status: "success" });
  });
});

describe("hold and task_complete", () => {
  test("hold lasts its time in loiter without a setpoint, in offboard with one", () => {
    const loiter = hovering(0, { mode: "hold", mode_label: "Hold" });
    const r = rig(call("hold", { duration_s: 5 }), loiter);
    expect(r.step(loiter).setpoint).toBeNull();
    expect(r.until(loiter, 10_000).outcome).toMatchObject({ status: "success" });
    expect(r.now_ms()).toBeGreaterThanOrEqual(5000);
    const s = rig(call("hold"), hovering());
    expect(s.step(hovering()).setpoint).toEqual(s.plan.start);
  });
  test("task_complete ends at once and moves nothing", () => {
    expect(rig(call("task_complete"), standing()).step(standing())).toMatchObject({
      setpoint: null,
      request: null,
      outcome: { status: "success" },
    });
  });
});

test("property: every skill ends by its time-out whatever the vehicle does, with finite setpoints and a valid execution", () => {
  const vehicles = [
    standing(),
    hovering(),
    hovering(0, { mode: "hold" }),
    hovering(0, { mode: "land" }),
    hovering(0, { armed: false }),
    hovering(0, { position_enu_m: null }),
    offboard(standing()),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...SkillId.options),
      fc.array(fc.nat(vehicles.length - 1), { minLength: 1, maxLength: 8 }),
      (skill, script) => {
        const r = rig(call(skill), skill === "take_off" ? standing() : hovering());
        let ended: SkillStep<SkillState>["outcome"] = null;
        for (let i = 0; ended === null; i++) {
          const v = vehicles[script[Math.floor(i / 50) % script.length]!]!;
          const next = r.step(v);
          for (const x of [...(next.setpoint?.position_enu_m ?? []), next.setpoint?.yaw_enu_rad ?? 0])
            if (!Number.isFinite(x)) throw new Error("setpoint");
          ended = next.outcome;
          if (i % 25 === 0 && !Execution.safeParse(r.execution(v)).success) throw new Error("execution");
          if (r.now_ms() > 200_000) throw new Error("never ends");
        }
      },
    ),
    { numRuns: 40 },
  );
});
