import type { ApprovalCard } from "#contract/mission";
import type { GateCheck } from "#contract/safety";
import type { Tier } from "#contract/skills";
import { fixed, quantity, type Units } from "../ui/format";

export const tierWords: Readonly<Record<Tier, string>> = {
  T0: "reads only",
  T1: "small free move",
  T2: "long or near something",
  T3: "contact",
  T4: "arming or lift",
};

/** Why Approve is impossible; null when it is possible. Anything that is not a clear pass is a no. */
export function refusal(card: ApprovalCard): string | null {
  const failed = card.verdict.checks.filter((check) => check.status === "fail");
  const [first] = failed.filter((check) => check.hard).concat(failed);
  if (first !== undefined) return `${first.label}: ${first.detail}`;
  return card.verdict.pass ? null : "The checks have not passed";
}

/** Checks are shown worst first: everything that is not a plain pass, filled up to `least` with the nearest to their limit. */
export function splitChecks(
  checks: readonly GateCheck[],
  least = 3,
): { readonly shown: readonly GateCheck[]; readonly passed: readonly GateCheck[] } {
  const noteworthy = checks.filter((check) => check.status !== "pass").length;
  const count = Math.max(noteworthy, least);
  return { shown: checks.slice(0, count), passed: checks.slice(count) };
}

/** "0.31 m of 0.20 m", or the sentence of the check where nothing is measured. */
export function measured(check: GateCheck, units: Units): string {
  if (check.needed === null)
    return check.value === null ? check.detail : quantity(check.value, check.unit, units);
  const value = check.value === null ? "not measured" : quantity(check.value, check.unit, units);
  return `${value} ${check.sense === "at_least" ? "of" : "of at most"} ${quantity(check.needed, check.unit, units)}`;
}

/** Length of the meter, 0-1: empty at or beyond the limit, full where the margin is ample. Unknown is empty. */
export const meterShare = (check: GateCheck): number =>
  check.margin === null || !(check.margin > 0) ? 0 : Math.min(1, check.margin);

export interface TimeLeft {
  readonly share: number;
  readonly text: string;
  /** What happens at the end. */
  readonly then: string;
}

export function timeLeft(card: ApprovalCard, now_ms: number): TimeLeft {
  const total_ms = card.expires_at_ms - card.opened_at_ms;
  const left_ms = Math.max(0, card.expires_at_ms - now_ms);
  return {
    share: total_ms > 0 ? Math.min(1, left_ms / total_ms) : 0,
    text: `${fixed(Math.ceil(left_ms / 1000), 0)} s`,
    then: card.level === "veto_window" ? "then it goes" : "then hold",
  };
}

/** One card covers several steps only for free moves; contact, lift, arming and landing are asked for one by one. */
export const mayBatch = (card: ApprovalCard): boolean =>
  !card.hold_to_confirm && (card.proposal.tier === "T1" || card.proposal.tier === "T2");

export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
