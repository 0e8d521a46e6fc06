/** What was said before, oldest first, and walking through it with the arrow keys as in a shell. */
export interface History {
  readonly said: readonly string[];
  /** Distance from the newest end; 0 is the draft itself. */
  readonly back: number;
  /** What stood in the field before the walk began. */
  readonly draft: string;
}

export const kept = 50;

export const historyOf = (said: readonly string[]): History => ({
  said: said.slice(-kept),
  back: 0,
  draft: "",
});

/** Repeating the last sentence adds nothing. */
export function withSaid(history: History, text: string): History {
  const said = history.said.at(-1) === text ? history.said : [...history.said, text];
  return historyOf(said);
}

/** One step to the older (+1) or newer (-1); the text to show. At either end it stays. */
export function walk(history: History, step: 1 | -1, shown: string): { history: History; text: string } {
  const back = Math.max(0, Math.min(history.said.length, history.back + step));
  if (back === history.back) return { history, text: shown };
  const draft = history.back === 0 ? shown : history.draft;
  const text = back === 0 ? draft : (history.said.at(-back) ?? draft);
  return { history: { ...history, back, draft }, text };
}

/** Reads what an earlier window stored; anything else is an empty history. */
export function parseHistory(stored: string | null): History {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    if (Array.isArray(value)) return historyOf(value.filter((text) => typeof text === "string"));
  } catch {
    // Damaged storage costs the history, nothing else.
  }
  return historyOf([]);
}
