import { type SkillCall, SkillId } from "#contract/skills";
import type { HistoryItem } from "../prompt";
import { readCommand } from "./grammar";

export interface Next {
  readonly call: SkillCall;
  readonly why: string;
  readonly left: number;
}

/**
 * Where a command stands after its history: what succeeded is behind, what failed is tried again, and what the
 * operator rejected is replaced by what the reason says.
 */
export function nextStep(
  command: readonly SkillCall[],
  history: readonly HistoryItem[],
  inAir: boolean,
): Next {
  const plan = [...command];
  let at = 0;
  let why = "It is the next part of the command.";
  for (const item of history) {
    const expected = plan[at];
    why = "It is the next part of the command.";
    if (item.status === "success") {
      if (expected?.skill === item.skill) at += 1;
      continue;
    }
    if (item.status === "rejected") {
      const change = readReason(item.detail);
      if (expected !== undefined && expected.skill !== item.skill) {
        why = `The operator rejected ${item.skill}: “${item.detail}”.`;
      }
      if (change.kind === "skip") {
        if (expected?.skill === item.skill) plan.splice(at, 1);
        why = `The operator rejected ${item.skill} (“${item.detail}”), so that step is left out.`;
      } else if (change.kind === "instead") {
        plan.splice(at, expected?.skill === item.skill ? 1 : 0, ...change.calls);
        why = `The operator rejected ${item.skill} and said “${item.detail}”, so this comes instead.`;
      } else if (change.kind === "first") {
        plan.splice(at, 0, ...change.calls);
        why = `The operator said “${item.detail}”, so this comes first.`;
      } else {
        plan.splice(at, 0, { skill: "hold", args: {} });
        why = `The operator rejected ${item.skill}: “${item.detail}”. ${change.unclear} Holding is the safe choice until it is said in words of the skill library.`;
      }
      continue;
    }
    why = `The last ${item.skill} ended with ${item.status}${item.detail === "" ? "" : ` (${item.detail})`}, so it is tried again.`;
  }
  const call = plan[at];
  if (call === undefined)
    return {
      call: { skill: "task_complete", args: {} },
      why: "Every part of the command has been carried out.",
      left: 0,
    };
  const left = plan.length - at;
  if (!inAir && !["take_off", "land", "hold", "task_complete"].includes(call.skill))
    return {
      call: { skill: "take_off", args: {} },
      why: `The vehicle is on the ground and ${call.skill} needs it in the air, so it takes off first.`,
      left,
    };
  return { call, why, left };
}

type Change =
  | { readonly kind: "skip" }
  | { readonly kind: "instead"; readonly calls: readonly SkillCall[] }
  | { readonly kind: "first"; readonly calls: readonly SkillCall[] }
  | { readonly kind: "unclear"; readonly unclear: string };

const refusal =
  /\b(skip|leave (it|that|this) out|do not|dont|don't|not needed|unnecessary|no need|never mind)\b/i;
const lead = /\b(instead|rather|no|not that|too far|too close|wrong way|other way|better|but|use)\b/gi;

function readReason(reason: string): Change {
  const first = /\bfirst\b/i.test(reason);
  const words = reason
    .replace(lead, " ")
    .replace(/\bfirst\b/gi, " ")
    .trim();
  if (refusal.test(reason)) return { kind: "skip" };
  const named = SkillId.options.find((skill) => words.toLowerCase() === skill);
  if (named !== undefined) return { kind: "instead", calls: [{ skill: named, args: {} }] };
  const read = readCommand(words);
  if (!read.ok) return { kind: "unclear", unclear: read.error };
  return { kind: first ? "first" : "instead", calls: read.value.flatMap((c) => c.calls) };
}
