import type { Clause } from "./clause";
import { matches, readQuantity } from "./words";

export const repeated = (clause: Clause, times: number): Clause =>
  times === 1
    ? clause
    : {
        calls: Array.from({ length: times }, () => clause.calls).flat(),
        words: `${clause.words}, ${times === 2 ? "twice" : `${String(times)} times`}`,
      };

/** "twice", "three times", "once"; nothing means once. */
export function readTimes(tokens: readonly string[], at: number): { count: number; used: number } {
  const token = tokens[at] ?? "";
  if (token === "once") return { count: 1, used: 1 };
  if (token === "twice") return { count: 2, used: 1 };
  if (token === "thrice") return { count: 3, used: 1 };
  const q = readQuantity(tokens, at);
  if (q?.unit === "times" && q.value >= 1) return { count: Math.round(q.value), used: q.used };
  return { count: 1, used: 0 };
}

/** "again", "repeat that twice", "do the same": the clause before, once more or as often as said. */
export function readAgain(tokens: readonly string[], at: number): { times: number; used: number } | null {
  for (const phrase of [
    "repeat that",
    "repeat this",
    "repeat it",
    "do that again",
    "do it again",
    "do the same",
    "repeat",
    "again",
  ]) {
    if (!matches(tokens, at, phrase)) continue;
    const length = phrase.split(" ").length;
    const times = readTimes(tokens, at + length);
    return { times: times.count, used: length + times.used };
  }
  return null;
}
