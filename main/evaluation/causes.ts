import type { FailureCluster, PredicateResult, TrialResult } from "#contract/evaluation";

/** A sentence without what differs from trial to trial: numbers become `#`. */
const general = (sentence: string): string => sentence.replaceAll(/-?\d+(?:\.\d+)?/g, "#");

/**
 * Why a trial failed, in words that are the same for trials that failed in the same way: how the mission ended when that
 * was wrong, else the first condition that did not hold.
 */
export function causeOf(outcome: string, why: string, predicates: readonly PredicateResult[]): string | null {
  const broken = predicates.find((p) => !p.passed);
  if (broken === undefined && predicates.length > 0) return null;
  if (broken !== undefined && !broken.id.startsWith("mission ")) return `not: ${broken.id}`;
  return why === "" ? outcome : `${outcome}: ${general(why)}`;
}

/** Failed trials by cause, the most frequent first. */
export function clusters(results: readonly TrialResult[]): readonly FailureCluster[] {
  const found = new Map<string, FailureCluster["trials"][number][]>();
  for (const { cause, trial, variant, predicates, why } of results) {
    if (cause === null) continue;
    const detail = predicates.find((p) => !p.passed)?.detail ?? why;
    found.set(cause, [...(found.get(cause) ?? []), { trial, variant, detail }]);
  }
  return [...found]
    .map(([cause, trials]) => ({ cause, trials: trials.sort((a, b) => a.trial - b.trial) }))
    .sort((a, b) => b.trials.length - a.trials.length || (a.cause < b.cause ? -1 : 1));
}
