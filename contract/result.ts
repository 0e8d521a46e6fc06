/** Outcome of an operation that can fail in ways its caller must handle. Bugs still throw. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });

/** Turns a forgotten `case` into a compile error, and a hole in the types into a thrown bug. */
export function assertNever(value: never): never {
  throw new Error(`Invariant: unhandled case ${JSON.stringify(value)}`);
}

/** Throws when something the code itself guarantees does not hold; never for bad input. */
export function invariant(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Invariant: ${what}`);
}
