import { skillLibrary } from "#contract/skills";
import { type Check, condition } from "./check";

/** The type says so already; a proposal built from a model's words is asked again. */
export const skillKnown: Check = ({ proposal: { call } }) => {
  const known = Object.hasOwn(skillLibrary, call.skill);
  return condition(
    "skill_known",
    "Skill",
    known,
    known ? `${call.skill} is in the library` : "Not in the skill library",
  );
};
