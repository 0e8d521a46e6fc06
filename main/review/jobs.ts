import type { ReviewJob } from "#contract/review";

/** Long work under way. It says how far it is and looks at `signal` between pieces. */
export interface Job {
  readonly signal: AbortSignal;
  /** Says how much is done and lets other requests (a cancel among them) through; throws `Cancelled` when asked to end. */
  step(done: number, total: number | null): Promise<void>;
}

export class Cancelled extends Error {
  constructor() {
    super("Cancelled.");
  }
}

/** A job that nobody watches: the command line, tests. */
export const quietJob = (signal: AbortSignal = new AbortController().signal): Job => ({
  signal,
  step: async () => {
    await new Promise<void>((go) => setImmediate(go));
    if (signal.aborted) throw new Cancelled();
  },
});

/** All long work of this process, for the `jobs` event and for ending it. */
export class Jobs {
  readonly #running = new Map<string, { job: ReviewJob; abort: AbortController }>();
  readonly #onChange: (jobs: readonly ReviewJob[]) => void;
  #next = 1;

  constructor(onChange: (jobs: readonly ReviewJob[]) => void) {
    this.#onChange = onChange;
  }

  async run<T>(
    kind: ReviewJob["kind"],
    title: string,
    unit: string,
    work: (job: Job) => Promise<T>,
  ): Promise<T> {
    const id = `${kind}-${this.#next++}`;
    const abort = new AbortController();
    const tell = (done: number, total: number | null): void => {
      this.#running.set(id, { job: { id, kind, title, done, total, unit }, abort });
      this.#tell();
    };
    tell(0, null);
    const quiet = quietJob(abort.signal);
    try {
      return await work({
        signal: abort.signal,
        step: async (done, total) => {
          tell(done, total);
          await quiet.step(done, total);
        },
      });
    } finally {
      this.#running.delete(id);
      this.#tell();
    }
  }

  cancel(id: string): boolean {
    const found = this.#running.get(id);
    found?.abort.abort();
    return found !== undefined;
  }

  #tell(): void {
    this.#onChange([...this.#running.values()].map(({ job }) => job));
  }
}
