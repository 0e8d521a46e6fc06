import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enu } from "#contract/frames";
import { defaultLimits } from "#contract/settings";
import { calm, hovering, standing } from "../../tests/support/flight";
import { failsafeEmergency } from "./emergency";
import {
  type FailsafeFlags,
  type FlagId,
  failsafe,
  failsafeActions,
  initialFailsafe,
  stepFailsafe,
} from "./failsafe";
import { type FlagInput, failsafeFlags } from "./flags";

const ids: FlagId[] = [
  "position_invalid",
  "battery_critical",
  "link_lost",
  "displacement_stop",
  "sight_lost",
  "screen_lost",
  "skill_timed_out",
  "vehicle_failsafe",
  "pilot_control",
  "decision_needed",
  "battery_low",
  "checks_disabled",
  "displacement_caution",
  "scene_shifted",
  "unwatched",
];
const flags = (wrong: FailsafeFlags["wrong"], changes: Partial<FailsafeFlags> = {}): FailsafeFlags => ({
  wrong,
  flying: true,
  mission_running: true,
  ...changes,
});
const now_ms = 50_000;
const input = (changes: Partial<FlagInput> = {}): FlagInput => ({
  vehicle: hovering(now_ms),
  limits: defaultLimits,
  safety: calm,
  observation: { camera: "live", captured_at_ms: now_ms },
  control: "station",
  mission_running: true,
  screen_alive_at_ms: now_ms,
  timed_out_skill: null,
  waiting_for_decision: null,
  common_shift_m: 0,
  ...changes,
});

/** Two known objects, last seen so long ago. */
const outOfSight = (for_ms: number): FlagInput["safety"] => ({
  ...calm,
  score: null,
  level: "unknown",
  seen: 0,
  total: 2,
  objects: ["o1", "o2"].map((id) => ({
    id,
    label: id,
    state: "not_seen",
    baseline_enu_m: enu(1, 0, 0),
    position_enu_m: enu(1, 0, 0),
    size_m: [0.1, 0.1, 0.1],
    colour: [200, 0, 0],
    displacement_m: 0,
    deadband_m: 0.01,
    score: 100,
    last_seen_at_ms: now_ms - for_ms,
  })),
});

describe("one action for all that is wrong", () => {
  test.each([
    ["displacement_stop", "hold"],
    ["screen_lost", "hold"],
    ["sight_lost", "hold"],
    ["link_lost", "hold"],
    ["skill_timed_out", "hold"],
    ["battery_low", "announce"],
    ["battery_critical", "land"],
    ["position_invalid", "descend"],
    ["displacement_caution", "announce"],
    ["unwatched", "announce"],
    ["pilot_control", "announce"],
  ] as const)("%s in a mission: %s", (id, action) => {
    expect(failsafe(flags({ [id]: "" })).action).toBe(action);
  });

  test("nothing wrong, nothing done", () => {
    expect(failsafe(flags({}))).toEqual({ action: "none", causes: [] });
  });

  test("the worst wins, every cause is listed worst first, each with text and advice", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...ids)),
        fc.boolean(),
        fc.boolean(),
        (wrong, flying, mission_running) => {
          const all = flags(Object.fromEntries(wrong.map((id) => [id, ""])), { flying, mission_running });
          const { action, causes } = failsafe(all);
          const ranks = causes.map((c) => failsafeActions.indexOf(c.action));
          expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
          expect(failsafeActions.indexOf(action)).toBe(Math.max(0, ...ranks));
          expect(causes.map((c) => c.id).sort()).toEqual([...wrong].sort());
          for (const c of causes) expect([c.text.length > 0, c.advice.length > 0]).toEqual([true, true]);
          const others = wrong.includes("pilot_control") || wrong.includes("vehicle_failsafe");
          if (!flying || others) expect(["none", "announce"]).toContain(action);
        },
      ),
    );
  });

  test("objects moved while nothing is flown are announced, not acted on", () => {
    expect(failsafe(flags({ displacement_stop: "cup" }, { mission_running: false })).action).toBe("announce");
    expect(failsafe(flags({ displacement_stop: "cup" }, { flying: false })).action).toBe("announce");
  });
});

describe("a lasting condition commands once", () => {
  test("again only after it had ended, or when it got worse", () => {
    const moved = flags({ displacement_stop: "cup by 6 cm" });
    const first = stepFailsafe(initialFailsafe, moved);
    expect(first.act?.action).toBe("hold");
    expect(first.raised.map((c) => c.text)).toEqual(["Object moved: cup by 6 cm"]);
    const second = stepFailsafe(first.state, moved);
    expect(second).toMatchObject({ act: null, raised: [] });
    const gone = stepFailsafe(second.state, flags({}));
    expect(gone.ended).toEqual(["displacement_stop"]);
    expect(stepFailsafe(gone.state, moved).act?.action).toBe("hold");
    const idle = stepFailsafe(initialFailsafe, flags({ sight_lost: "" }, { mission_running: false }));
    expect(idle.act).toBeNull();
    expect(stepFailsafe(idle.state, flags({ sight_lost: "" })).act?.action).toBe("hold");
  });

  test("a new hold while landing does not turn the landing into a hold", () => {
    const landing = stepFailsafe(initialFailsafe, flags({ battery_critical: "10 %" }));
    const then = stepFailsafe(landing.state, flags({ battery_critical: "10 %", displacement_stop: "cup" }));
    expect(then.act?.action).toBe("land");
    expect(failsafeEmergency(then.act!, 0)?.action).toBe("land");
  });
});

describe("flags", () => {
  test("a healthy flight raises none", () => {
    expect(failsafeFlags(input(), now_ms).wrong).toEqual({});
  });
  test.each<[FlagId, Partial<FlagInput>]>([
    ["link_lost", { vehicle: hovering(now_ms - 3001, { position_at_ms: now_ms }) }],
    ["position_invalid", { vehicle: hovering(now_ms, { position_at_ms: now_ms - 1001 }) }],
    ["position_invalid", { vehicle: hovering(now_ms, { position_enu_m: [Number.NaN, 0, 1] }) }],
    [
      "battery_low",
      {
        vehicle: hovering(now_ms, {
          battery: { remaining: 0.29, voltage_v: 1, current_a: 1, minutes_left: 1 },
        }),
      },
    ],
    [
      "battery_critical",
      {
        vehicle: hovering(now_ms, {
          battery: { remaining: 0.15, voltage_v: 1, current_a: 1, minutes_left: 1 },
        }),
      },
    ],
    [
      "battery_critical",
      {
        vehicle: hovering(now_ms, {
          battery: { remaining: Number.NaN, voltage_v: 1, current_a: 1, minutes_left: 1 },
        }),
      },
    ],
    ["displacement_stop", { safety: { ...calm, level: "stop" } }],
    ["displacement_caution", { safety: { ...calm, level: "caution" } }],
    ["sight_lost", { observation: { camera: "live", captured_at_ms: now_ms - 2001 } }],
    ["sight_lost", { observation: { camera: "live", captured_at_ms: now_ms, depth_at_ms: now_ms - 2001 } }],
    ["sight_lost", { observation: { camera: "live", captured_at_ms: now_ms, depth_at_ms: null } }],
    ["unwatched", { safety: outOfSight(2001) }],
    ["screen_lost", { screen_alive_at_ms: now_ms - 2001 }],
    ["scene_shifted", { common_shift_m: 0.11 }],
    ["pilot_control", { control: "pilot" }],
    ["vehicle_failsafe", { control: "vehicle_failsafe" }],
    ["skill_timed_out", { timed_out_skill: "forward" }],
    ["decision_needed", { waiting_for_decision: "forward" }],
  ])("%s", (id, changes) => {
    expect(Object.keys(failsafeFlags(input(changes), now_ms).wrong)).toEqual([id]);
  });
  test("a camera without depth and objects out of sight say what is missing; a single picture without them says nothing", () => {
    const blind = { camera: "live", captured_at_ms: now_ms, depth_at_ms: now_ms - 2001 } as const;
    const { wrong } = failsafeFlags(input({ observation: blind, safety: outOfSight(2500) }), now_ms);
    expect(wrong).toEqual({ sight_lost: "no depth", unwatched: "0 of 2 in sight" });
    expect(failsafe(flags(wrong)).causes.map((c) => [c.action, c.text])).toEqual([
      ["hold", "Sight lost: no depth"],
      ["announce", "Objects not watched: 0 of 2 in sight"],
    ]);
    const recent = { ...blind, depth_at_ms: now_ms - 300 };
    expect(failsafeFlags(input({ observation: recent, safety: outOfSight(300) }), now_ms).wrong).toEqual({});
    const nothing = { ...outOfSight(9999), total: 0, objects: [] };
    expect(failsafeFlags(input({ safety: nothing }), now_ms).wrong).toEqual({});
  });
  test("on the ground nothing is flying; without a window none is missed", () => {
    expect(failsafeFlags(input({ vehicle: standing(now_ms) }), now_ms).flying).toBe(false);
    expect(failsafeFlags(input({ screen_alive_at_ms: null }), now_ms).wrong).toEqual({});
  });
});
