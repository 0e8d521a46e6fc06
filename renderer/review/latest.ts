/**
 * One request in flight, the newest wish waits, everything between is dropped: scrubbing asks a hundred times a second and is
 * answered as fast as the other side can, never from a backlog.
 */
export class Latest<I, O> {
  readonly #ask: (input: I) => Promise<O>;
  readonly #answer: (output: O, input: I) => void;
  #waiting: { readonly input: I } | null = null;
  #busy = false;
  #closed = false;

  constructor(ask: (input: I) => Promise<O>, answer: (output: O, input: I) => void) {
    this.#ask = ask;
    this.#answer = answer;
  }

  want(input: I): void {
    if (this.#closed) return;
    this.#waiting = { input };
    if (!this.#busy) void this.#run();
  }

  /** Forgets what waits and what is still to be answered. */
  close(): void {
    this.#closed = true;
    this.#waiting = null;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting; next !== null; next = this.#waiting) {
      this.#waiting = null;
      try {
        const output = await this.#ask(next.input);
        if (!this.#isClosed()) this.#answer(output, next.input);
      } catch {
        // The other side went away; the next wish finds out whether it is back.
      }
    }
    this.#busy = false;
  }

  // Read through a method: the field changes while the answer is awaited.
  #isClosed(): boolean {
    return this.#closed;
  }
}

/** Remembers the last `size` answers by key; the least recently used goes first. */
export class Recent<V> {
  readonly #size: number;
  readonly #kept = new Map<string, V>();

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#kept.delete(key);
    this.#kept.set(key, value);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#size) break;
      this.#kept.delete(oldest);
    }
  }
}
