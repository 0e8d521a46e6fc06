/** Collects where a file is damaged and says it in a few lines, however many places there are. */
const MAX_PLACES = 12;

export class DamageReport {
  readonly #places: string[] = [];
  #more = 0;
  #bytes = 0;

  /** One that has these notes already. */
  static of(notes: readonly string[]): DamageReport {
    const report = new DamageReport();
    report.#places.push(...notes);
    return report;
  }

  /** `what` says what was lost; bytes are counted from the start of the file. */
  skipped(from: number, to: number, what = "unreadable"): void {
    this.#bytes += to - from;
    this.note(`bytes ${from} to ${to} ${what} (${to - from} bytes skipped)`);
  }
  note(text: string): void {
    if (this.#places.length < MAX_PLACES) this.#places.push(text);
    else this.#more += 1;
  }
  get skipped_bytes(): number {
    return this.#bytes;
  }
  get notes(): readonly string[] {
    if (this.#more === 0) return this.#places;
    return [...this.#places, `and ${this.#more} more damaged places, ${this.#bytes} bytes skipped in all`];
  }
}
