/** Settles with `work`, or rejects as soon as `signal` aborts, even when `work` never settles. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(new Error("aborted"));
    };
    if (signal.aborted) {
      stop();
      work.catch(() => {});
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", stop);
    });
  });
}
