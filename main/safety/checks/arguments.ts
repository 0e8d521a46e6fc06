import type { SkillCall, SkillParameter } from "#contract/skills";
import { skillLibrary } from "#contract/skills";
import { type Check, condition, measured } from "./check";

const label = "Arguments";

/** Every argument is one that the skill has, and lies in its range. The tightest is shown. */
export const argumentsInRange: Check = ({ proposal: { call } }) => {
  const parameters = Object.hasOwn(skillLibrary, call.skill) ? skillLibrary[call.skill].parameters : {};
  const unknown = Object.keys(call.args).filter((name) => !Object.hasOwn(parameters, name));
  if (unknown.length > 0)
    return condition("arguments", label, false, `${call.skill} has no argument called ${unknown.join(", ")}`);
  const findings = Object.entries(parameters).flatMap(([name, parameter]) => inRange(call, name, parameter));
  const tightest = findings.sort((a, b) => (a.margin ?? -Infinity) - (b.margin ?? -Infinity))[0];
  return tightest ?? condition("arguments", label, true, "Needs none");
};

function inRange(call: SkillCall, name: string, parameter: SkillParameter): ReturnType<typeof measured>[] {
  const value = call.args[name] ?? parameter.default;
  const detail = `${parameter.label} ${value.toString()} ${parameter.unit}, from ${parameter.min.toString()} to ${parameter.max.toString()} ${parameter.unit}`;
  const shared = { id: "arguments", label, value, unit: parameter.unit, detail } as const;
  return [
    measured({ ...shared, needed: parameter.min, sense: "at_least" }),
    measured({ ...shared, needed: parameter.max, sense: "at_most" }),
  ];
}
