/** What can be undone and done again. A drag is one step: its moves replace the present until it is let go. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What stood before the drag that is under way. */
  readonly before_drag: T | null;
}

const most_steps = 200;

export const historyOf = <T>(present: T): History<T> => ({
  past: [],
  present,
  future: [],
  before_drag: null,
});

/** One finished change. Nothing happens when nothing changed. */
export function changed<T>(history: History<T>, next: T): History<T> {
  if (next === history.present) return history;
  return { ...historyOf(next), past: [...history.past, history.present].slice(-most_steps) };
}

/** A change on the way: shown, but not yet a step of its own. */
export const dragged = <T>(history: History<T>, next: T): History<T> => ({
  ...history,
  present: next,
  before_drag: history.before_drag ?? history.present,
});

/** The drag has ended where it is. */
export function dropped<T>(history: History<T>): History<T> {
  if (history.before_drag === null) return history;
  return changed({ ...history, present: history.before_drag, before_drag: null }, history.present);
}

/** The drag is taken back. */
export const dragCancelled = <T>(history: History<T>): History<T> =>
  history.before_drag === null ? history : { ...history, present: history.before_drag, before_drag: null };

export function undone<T>(history: History<T>): History<T> {
  if (history.before_drag !== null) return dragCancelled(history);
  const last = history.past.at(-1);
  if (last === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: last,
    future: [history.present, ...history.future],
    before_drag: null,
  };
}

export function redone<T>(history: History<T>): History<T> {
  const [next, ...rest] = history.future;
  if (next === undefined || history.before_drag !== null) return history;
  return { past: [...history.past, history.present], present: next, future: rest, before_drag: null };
}
