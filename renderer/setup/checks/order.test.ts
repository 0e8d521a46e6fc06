import { expect, it } from "vitest";
import type { ArmingIssue } from "#contract/vehicle";
import { bySeverity, readiness } from "./order";

const issue = (id: string, severity: ArmingIssue["severity"]): ArmingIssue => ({
  id,
  severity,
  text: id,
  advice: "",
});
const three = [issue("a", "warns"), issue("b", "blocks"), issue("c", "blocks")];

it("all reasons stand at once, what blocks first (PX4/PX4-Autopilot#22885, ArduPilot/ardupilot#10662)", () => {
  expect(bySeverity(three).map(({ id }) => id)).toEqual(["b", "c", "a"]);
});

it("the checklist is summed up, and says nothing good while something blocks", () => {
  expect(readiness(three, false)).toEqual({ tone: "warning", text: "2 block arming" });
  expect(readiness(three.slice(0, 2), false).text).toBe("1 blocks arming");
  expect(readiness(three.slice(0, 1), false)).toEqual({ tone: "caution", text: "may be armed, 1 warning" });
  expect(readiness([], false)).toEqual({ tone: "good", text: "may be armed" });
  expect(readiness(three, true).text).toBe("armed");
});
