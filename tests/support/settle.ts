import type { FakeClock } from "./fake-clock";

/** Lets the clock's time pass until the promise settles. */
export async function settleWithin<T>(clock: FakeClock, promise: Promise<T>, most_ms = 300_000): Promise<T> {
  const box: { value?: T } = {};
  void promise.then((value) => {
    box.value = value;
  });
  await new Promise((resolve) => setImmediate(resolve));
  for (let t = 0; t < most_ms && !("value" in box); t += 50) await clock.advanceAsync(50, 50);
  if (!("value" in box)) throw new Error(`did not settle within ${most_ms} ms`);
  return box.value;
}
