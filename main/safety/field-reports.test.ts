import { expect, test } from "vitest";
import { defaultLimits } from "#contract/settings";
import { skillLibrary } from "#contract/skills";
import type { VehicleState } from "#contract/vehicle";
import { calm, contextAt, hovering, proposalOf, standing } from "../../tests/support/flight";
import { disabledChecks } from "../vehicle";
import type { JudgeContext } from "./context";
import { initialFailsafe, stepFailsafe } from "./failsafe";
import { type FlagInput, failsafeFlags } from "./flags";
import { judge } from "./gate";

const now_ms = 50_000;
const input = (vehicle: VehicleState): FlagInput => ({
  vehicle,
  limits: defaultLimits,
  safety: calm,
  observation: { camera: "live", captured_at_ms: now_ms },
  control: "station",
  mission_running: false,
  screen_alive_at_ms: now_ms,
  timed_out_skill: null,
  waiting_for_decision: null,
  common_shift_m: 0,
});

test("a link that is silent for two seconds is no lost position and lands nobody; a position that alone is missing is one", () => {
  expect(failsafeFlags(input(hovering(now_ms - 2000)), now_ms).wrong).toEqual({});
  const heard = hovering(now_ms - 2000, { heartbeat_at_ms: now_ms - 500 });
  expect(Object.keys(failsafeFlags(input(heard), now_ms).wrong)).toEqual(["position_invalid"]);
});

test("ArduPilot/MissionPlanner#1749: checks that are switched off in the vehicle are a warning aloud, on the ground too", () => {
  const arming = disabledChecks("ardupilot", (name) => (name === "ARMING_CHECK" ? 0 : undefined));
  const raised = failsafeFlags(input(standing(now_ms, { arming })), now_ms);
  expect(raised.wrong).toEqual({
    checks_disabled: "The vehicle does not check anything at all before arming",
  });
  const step = stepFailsafe(initialFailsafe, raised);
  expect(step.raised.map(({ severity }) => severity)).toEqual(["warning"]);
  expect(step.act).toBeNull();
});

test("mavlink/qgroundcontrol#4171: the ceiling tells its heights with unit and reference, and take-off's argument does", () => {
  const ceiling = (changes: Partial<JudgeContext>): string => {
    const context = contextAt(now_ms, { vehicle: standing(now_ms), ...changes });
    const { verdict } = judge(
      proposalOf({ skill: "take_off", args: {} }, context.vehicle, context.hold),
      context,
      now_ms,
    );
    return verdict.checks.find((c) => c.id === "ceiling")?.detail ?? "";
  };
  expect(ceiling({})).toMatch(/\d\.\d\d m above the pad, at most \d\.\d\d m$/);
  expect(ceiling({ site: null })).toMatch(/\d\.\d\d m above the home position, at most \d\.\d\d m$/);
  expect(skillLibrary.take_off.parameters["altitude_m"]).toMatchObject({
    unit: "m",
    label: "height above the pad",
  });
});
