import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enu } from "#contract/frames";
import { type CheckId, Verdict } from "#contract/safety";
import { defaultLimits } from "#contract/settings";
import { type SkillCall, SkillId } from "#contract/skills";
import type { VehicleState } from "#contract/vehicle";
import { calm, contextAt, hall, hovering, proposalOf, standing } from "../../tests/support/flight";
import type { JudgeContext } from "./context";
import { judge } from "./gate";

const now_ms = 100_000;
const call = (skill: SkillCall["skill"], args: SkillCall["args"] = {}): SkillCall => ({ skill, args });
const ask = (c: SkillCall, changes: Partial<JudgeContext> = {}) => {
  const context = contextAt(now_ms, changes);
  return judge(proposalOf(c, context.vehicle, context.hold), context, now_ms);
};
const failed = (j: ReturnType<typeof judge>): CheckId[] =>
  j.verdict.checks.filter((c) => c.status === "fail").map((c) => c.id);
const statusOf = (j: ReturnType<typeof judge>, id: CheckId) =>
  j.verdict.checks.find((c) => c.id === id)?.status;
const flying = (changes: Partial<VehicleState>): Partial<JudgeContext> => ({
  vehicle: hovering(now_ms, changes),
});
const onGround = (changes: Partial<VehicleState> = {}): Partial<JudgeContext> => ({
  vehicle: standing(now_ms, changes),
});

describe("a healthy vehicle", () => {
  test.each(SkillId.options.filter((s) => s !== "take_off"))("in the air may do %s", (skill) => {
    const j = ask(call(skill));
    expect(failed(j)).toEqual([]);
    expect(j.cleared?.verdict).toBe(j.verdict);
  });
  test("on its pad may take off, and nothing that needs air", () => {
    expect(failed(ask(call("take_off"), onGround()))).toEqual([]);
    expect(failed(ask(call("forward"), onGround()))).toContain("vehicle_healthy");
  });
  test("every verdict is one that the contract accepts, all checks reported for a move", () => {
    const { verdict } = ask(call("forward"));
    expect(Verdict.safeParse(verdict).success).toBe(true);
    expect(verdict.checks).toHaveLength(12);
  });
});

describe("each check refuses a move for its own reason", () => {
  const cases: readonly [CheckId, SkillCall, Partial<JudgeContext>][] = [
    ["link_fresh", call("forward"), flying({ heartbeat_at_ms: now_ms - 1501 })],
    ["link_fresh", call("forward"), flying({ connected: false })],
    ["vehicle_healthy", call("forward"), flying({ armed: false })],
    ["vehicle_healthy", call("forward"), flying({ landed: "on_ground" })],
    ["vehicle_healthy", call("forward"), flying({ failsafe: true })],
    ["vehicle_healthy", call("forward"), flying({ system_status: 5 })],
    ["position_valid", call("forward"), flying({ position_at_ms: now_ms - 1001 })],
    [
      "battery",
      call("forward"),
      flying({ battery: { remaining: 0.29, voltage_v: 22, current_a: 10, minutes_left: 3 } }),
    ],
    [
      "battery",
      call("forward"),
      flying({ battery: { remaining: null, voltage_v: 22, current_a: 10, minutes_left: 3 } }),
    ],
    ["geofence", call("left"), flying({ position_enu_m: enu(0, 2.2, 1.7) })],
    ["ceiling", call("up"), flying({ position_enu_m: enu(0, 0, 2.3) })],
    ["clearance", call("forward"), flying({ position_enu_m: enu(0.8, 0, 0.9) })],
    [
      "observation_fresh",
      call("forward"),
      { observation: { camera: "live", captured_at_ms: now_ms - 1001 } },
    ],
    ["observation_fresh", call("forward"), { observation: { camera: "live", captured_at_ms: null } }],
    [
      "observation_fresh",
      call("forward"),
      { observation: { camera: "live", captured_at_ms: now_ms, depth_at_ms: now_ms - 1001 } },
    ],
    [
      "observation_fresh",
      call("forward"),
      { observation: { camera: "live", captured_at_ms: now_ms, depth_at_ms: null } },
    ],
    [
      "observation_fresh",
      call("forward"),
      { observation: { camera: "live", captured_at_ms: now_ms, depth_at_ms: Number.NaN } },
    ],
    ["arguments", call("hold", { duration_s: 61 }), {}],
    ["arguments", call("forward", { approved: 1 }), {}],
    [
      "displacement",
      call("forward"),
      { safety: { ...calm, level: "stop", score: 40, worst: "red cup", worst_displacement_m: 0.08 } },
    ],
    ["mode_ours", call("forward"), { control: "pilot" }],
    ["mode_ours", call("forward"), { control: "vehicle_failsafe" }],
  ];
  test.each(cases)("%s", (id, c, changes) => {
    const j = ask(c, changes);
    expect(failed(j)).toEqual([id]);
    expect(j.cleared).toBeNull();
    expect(j.verdict.checks[0]).toMatchObject({ id, status: "fail", hard: true });
  });

  test("position_valid also fails when estimator, position or heading are not there", () => {
    expect(failed(ask(call("forward"), flying({ position_enu_m: null })))).toContain("position_valid");
    expect(failed(ask(call("forward"), flying({ yaw_enu_rad: null })))).toContain("position_valid");
    const estimate = { source: "vision", health: "bad", horizontal_sigma_m: 2, rate_hz: 50 } as const;
    expect(failed(ask(call("forward"), flying({ estimate })))).toContain("position_valid");
  });

  test("an unknown skill, its prototype's names included, is refused and nothing throws", () => {
    for (const skill of ["fly_away", "constructor", "__proto__", "toString"]) {
      const proposal = {
        ...proposalOf(call("forward"), hovering(now_ms)),
        call: { skill: skill as SkillId, args: {} },
      };
      expect(failed(judge(proposal, contextAt(now_ms), now_ms))).toContain("skill_known");
    }
  });

  test("ardupilot#10662: all that blocks arming is named at once, and all failed checks are listed", () => {
    const issue = (text: string) => ({ id: text, severity: "blocks" as const, text, advice: "" });
    const arming = [issue("Compass"), issue("Battery"), issue("Accel")];
    const j = ask(call("take_off"), {
      ...onGround({ arming, heartbeat_at_ms: now_ms - 9000 }),
      control: "pilot",
    });
    expect(failed(j).sort()).toEqual(["link_fresh", "mode_ours", "vehicle_healthy"]);
    expect(j.verdict.checks.find((c) => c.id === "vehicle_healthy")?.detail).toBe("Compass; Battery; Accel");
  });
});

describe("what is always allowed", () => {
  const ruined: Partial<JudgeContext> = {
    vehicle: hovering(now_ms, {
      position_at_ms: null,
      position_enu_m: null,
      failsafe: true,
      battery: { remaining: 0.01, voltage_v: 18, current_a: 10, minutes_left: 0 },
    }),
    observation: { camera: "live", captured_at_ms: null },
    safety: { ...calm, level: "stop", score: 0 },
    site: null,
    simulation: false,
  };
  test("land, as long as there is a link and no pilot", () => {
    expect(ask(call("land"), ruined).verdict.pass).toBe(true);
    expect(failed(ask(call("land"), { ...ruined, vehicle: hovering(now_ms, { connected: false }) }))).toEqual(
      ["link_fresh"],
    );
    expect(failed(ask(call("land"), { ...ruined, control: "pilot" }))).toEqual(["mode_ours"]);
  });
  test("hold, whatever the state", () => {
    expect(
      ask(call("hold"), { ...ruined, vehicle: hovering(now_ms, { connected: false }) }).verdict.pass,
    ).toBe(true);
  });
  test("saying that the task is complete", () => {
    expect(ask(call("task_complete"), { ...ruined, control: "pilot" }).verdict.pass).toBe(true);
  });
});

describe("paths", () => {
  test("are planned anew: a path in the proposal is not believed", () => {
    const proposal = { ...proposalOf(call("forward"), hovering(now_ms)), path: [] };
    const context = contextAt(now_ms, flying({ position_enu_m: enu(0.8, 0, 0.9) }));
    expect(failed(judge(proposal, context, now_ms))).toContain("clearance");
  });

  test("PX4-Autopilot#7491: after a 2 m jump of the estimate the approved plan is refused, not shifted", () => {
    const proposal = proposalOf(call("left"), hovering(now_ms));
    const jumped = contextAt(now_ms, flying({ position_enu_m: enu(-2, 0, 1.7), reset_counter: 1 }));
    expect(failed(judge(proposal, jumped, now_ms))).toEqual(["position_valid"]);
  });

  test("a vehicle that stands too close may move away, not along and not nearer", () => {
    const near = flying({ position_enu_m: enu(1.05, 0, 0.9), yaw_enu_rad: 0 });
    expect(statusOf(ask(call("backward"), near), "clearance")).toBe("caution");
    expect(ask(call("backward"), near).verdict.pass).toBe(true);
    expect(failed(ask(call("forward"), near))).toContain("clearance");
    expect(failed(ask(call("yaw_left"), near))).toContain("clearance");
  });

  test("moves chain from the held setpoint unless the vehicle has left it by 30 cm", () => {
    const hold = { position_enu_m: enu(0.1, 0, 1.7), yaw_enu_rad: 0 };
    expect(ask(call("up"), { hold }).cleared?.plan?.start).toEqual(hold);
    const far = { position_enu_m: enu(0.31, 0, 1.7), yaw_enu_rad: 0 };
    expect(ask(call("up"), { hold: far }).cleared?.plan?.start.position_enu_m).toEqual(enu(0, 0, 1.7));
  });

  test("without a site hardware is refused, a simulator cautioned", () => {
    expect(failed(ask(call("forward"), { site: null, simulation: false }))).toEqual([
      "geofence",
      "clearance",
    ]);
    expect(ask(call("forward"), { site: null }).verdict.pass).toBe(true);
  });
});

describe("properties", () => {
  const anyNumber = fc.double({ noNaN: false });
  test("whatever is cleared keeps clearance, fence and ceiling at its end, and no NaN is ever cleared", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SkillId.options),
        fc.tuple(
          fc.oneof(anyNumber, fc.double({ min: -4, max: 4 })),
          fc.double({ min: -3, max: 3 }),
          fc.double({ min: 0.2, max: 3 }),
        ),
        fc.double({ min: -4, max: 4 }),
        (skill, [x, y, z], yaw) => {
          const vehicle = hovering(now_ms, { position_enu_m: enu(x, y, z), yaw_enu_rad: yaw });
          const context = contextAt(now_ms, { vehicle });
          const { cleared } = judge(proposalOf(call(skill), vehicle), context, now_ms);
          if (cleared === null || skill === "land" || skill === "hold" || skill === "task_complete") return;
          const end = cleared.plan!.end.position_enu_m;
          expect(Math.abs(end[0]) + 0.48).toBeLessThanOrEqual(4);
          expect(Math.abs(end[1]) + 0.48).toBeLessThanOrEqual(3);
          expect(end[2] + 0.175).toBeLessThanOrEqual(defaultLimits.ceiling_m + 0.001);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("any single number of the state turned NaN blocks a move or is not used by it", () => {
    const nan = Number.NaN;
    const bad: Partial<JudgeContext>[] = [
      flying({ heartbeat_at_ms: nan }),
      flying({ position_at_ms: nan }),
      flying({ position_enu_m: enu(nan, 0, 1.7) }),
      flying({ position_enu_m: enu(0, nan, 1.7) }),
      flying({ position_enu_m: enu(0, 0, nan) }),
      flying({ yaw_enu_rad: nan }),
      flying({ battery: { remaining: nan, voltage_v: 1, current_a: 1, minutes_left: 1 } }),
      { observation: { camera: "live", captured_at_ms: nan } },
      { safety: { ...calm, score: nan } },
      { limits: { ...defaultLimits, clearance_m: nan } },
      { limits: { ...defaultLimits, ceiling_m: nan } },
      { site: { ...hall, pad_enu_m: enu(0, 0, nan) } },
      { site: { ...hall, fence: { ...hall.fence, max_enu_m: enu(nan, 3, 3) } } },
    ];
    for (const changes of bad) {
      const j = ask(call("forward"), changes);
      expect(j.cleared).toBeNull();
      expect(Verdict.safeParse(j.verdict).success).toBe(true);
    }
  });

  test("worst first: failures, then cautions, each by margin", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 3000 }),
        (remaining, age_ms) => {
          const j = ask(
            call("forward"),
            flying({
              battery: { remaining, voltage_v: 1, current_a: 1, minutes_left: 1 },
              heartbeat_at_ms: now_ms - age_ms,
            }),
          );
          const order = { fail: 0, caution: 1, pass: 2 };
          const ranks = j.verdict.checks.map((c) => order[c.status] * 1e6 + (c.margin ?? -1e5));
          expect([...ranks].sort((a, b) => a - b)).toEqual(ranks);
        },
      ),
    );
  });
});
