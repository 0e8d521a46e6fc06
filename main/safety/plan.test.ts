import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enu, wrapPi } from "#contract/frames";
import { defaultLimits } from "#contract/settings";
import { climb_step_m, SkillId, translate_step_m, yaw_step_rad } from "#contract/skills";
import { hovering, standing } from "../../tests/support/flight";
import { planSkill } from "./plan";

const limits = defaultLimits;
const plan = (skill: SkillId, yaw = 0, args = {}) => {
  const vehicle = hovering(0, { yaw_enu_rad: yaw, position_enu_m: enu(1, 2, 1.5) });
  const planned = planSkill({ skill, args }, vehicle, { limits, hold: null });
  if (!planned.ok) throw new Error(planned.error);
  return planned.value;
};

describe("planSkill", () => {
  test.each([
    ["forward", 0, [0.5, 0, 0]],
    ["forward", Math.PI / 2, [0, 0.5, 0]],
    ["backward", 0, [-0.5, 0, 0]],
    ["left", 0, [0, 0.5, 0]],
    ["right", Math.PI / 2, [0.5, 0, 0]],
    ["up", 1, [0, 0, 0.3]],
    ["down", 1, [0, 0, -0.3]],
  ] as const)("%s at heading %f goes %j in the world", (skill, yaw, by) => {
    const { end } = plan(skill, yaw);
    end.position_enu_m.forEach((x, i) => expect(x - [1, 2, 1.5][i]!).toBeCloseTo(by[i]!, 9));
  });

  test("turns are 30 degrees, left is counter-clockwise, and wrap", () => {
    expect(plan("yaw_left").end.yaw_enu_rad).toBeCloseTo(Math.PI / 6, 9);
    expect(plan("yaw_right").end.yaw_enu_rad).toBeCloseTo(-Math.PI / 6, 9);
    expect(plan("yaw_left", Math.PI).end.yaw_enu_rad).toBeCloseTo(-Math.PI + Math.PI / 6, 9);
  });

  test("take-off climbs from where it stands; landing goes down to where it stood", () => {
    const vehicle = standing(0);
    const up = planSkill({ skill: "take_off", args: { altitude_m: 2 } }, vehicle, { limits, hold: null });
    expect(up.ok && up.value.end.position_enu_m).toEqual(enu(0, 0, 2.2));
    expect(plan("land").end.position_enu_m).toEqual(enu(1, 2, 0.2));
  });

  test("inverse moves undo each other from any heading, and every size is the library's", () => {
    const pairs = [
      ["forward", "backward"],
      ["left", "right"],
      ["up", "down"],
      ["yaw_left", "yaw_right"],
    ] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.double({ min: -3.1, max: 3.1, noNaN: true }),
        ([a, b], yaw) => {
          const there = plan(a, yaw);
          const vehicle = hovering(0, {
            position_enu_m: there.end.position_enu_m,
            yaw_enu_rad: there.end.yaw_enu_rad,
          });
          const back = planSkill({ skill: b, args: {} }, vehicle, { limits, hold: null });
          if (!back.ok) throw new Error(back.error);
          back.value.end.position_enu_m.forEach((x, i) =>
            expect(x).toBeCloseTo(there.start.position_enu_m[i]!, 9),
          );
          expect(wrapPi(back.value.end.yaw_enu_rad - there.start.yaw_enu_rad)).toBeCloseTo(0, 9);
          const turn = Math.abs(wrapPi(there.end.yaw_enu_rad - there.start.yaw_enu_rad));
          expect([translate_step_m, climb_step_m, 0].some((d) => Math.abs(there.distance_m - d) < 1e-9)).toBe(
            true,
          );
          expect(Math.min(turn, Math.abs(turn - yaw_step_rad))).toBeLessThan(1e-9);
        },
      ),
    );
  });

  test("time and energy are positive for all that flies, and grow with the way", () => {
    for (const skill of SkillId.options.filter((s) => s !== "task_complete")) {
      expect(plan(skill).duration_s).toBeGreaterThan(0);
      expect(plan(skill).energy_wh).toBeGreaterThan(0);
    }
    expect(plan("task_complete")).toMatchObject({ duration_s: 0, energy_wh: 0, distance_m: 0 });
    expect(plan("hold", 0, { duration_s: 60 }).energy_wh).toBeCloseTo(7, 0);
  });

  test("an unknown pose plans nothing", () => {
    for (const changes of [{ position_enu_m: null }, { yaw_enu_rad: null }])
      expect(planSkill({ skill: "forward", args: {} }, hovering(0, changes), { limits, hold: null }).ok).toBe(
        false,
      );
  });
});
