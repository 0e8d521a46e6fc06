import type { ArmingIssue } from "#contract/vehicle";
import type { Tone } from "../parts";

/** What blocks before what only warns, each in the order they were told. */
export const bySeverity = (issues: readonly ArmingIssue[]): readonly ArmingIssue[] => [
  ...issues.filter(({ severity }) => severity === "blocks"),
  ...issues.filter(({ severity }) => severity === "warns"),
];

/** The whole checklist in a few words. */
export function readiness(
  issues: readonly ArmingIssue[],
  armed: boolean,
): { readonly tone: Tone; readonly text: string } {
  if (armed) return { tone: "caution", text: "armed" };
  const blocking = issues.filter(({ severity }) => severity === "blocks").length;
  if (blocking > 0)
    return { tone: "warning", text: `${blocking} ${blocking === 1 ? "blocks" : "block"} arming` };
  if (issues.length > 0)
    return {
      tone: "caution",
      text: `may be armed, ${issues.length} ${issues.length === 1 ? "warning" : "warnings"}`,
    };
  return { tone: "good", text: "may be armed" };
}
