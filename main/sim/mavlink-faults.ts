import { err, ok, type Result } from "#contract/result";
import { Random } from "./autopilot/random";

/** What a bad link does to each datagram, in each direction alike. Shares from 0 to 1. */
export interface Faults {
  readonly loss: number;
  readonly delay_ms: number;
  readonly dup: number;
  /** Share of datagrams that arrive after the next ones. */
  readonly reorder: number;
  /** Share of bytes in which one bit is flipped. */
  readonly flip: number;
}
export const noFaults: Faults = { loss: 0, delay_ms: 0, dup: 0, reorder: 0, flip: 0 };

/** Reads `loss=0.2,delay_ms=300,dup=0.1,reorder=0.1,flip=0.001`. */
export function parseFaults(text: string): Result<Faults, string> {
  const faults: Record<keyof Faults, number> = { ...noFaults };
  for (const part of text.split(",").filter((p) => p !== "")) {
    const [name = "", value = ""] = part.split("=");
    if (!(name in faults))
      return err(`unknown fault "${name}"; known are ${Object.keys(noFaults).join(", ")}`);
    const number = value === "" ? Number.NaN : Number(value);
    const max = name === "delay_ms" ? 60_000 : 1;
    if (!(number >= 0 && number <= max))
      return err(`fault ${name} must be a number from 0 to ${String(max)}, not "${value}"`);
    faults[name as keyof Faults] = number;
  }
  return ok(faults);
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly due_ms: number;
  readonly order: number;
}

/** One direction of a bad link, on the sim's own time: push what is sent, take what arrives. Seeded. */
export class FaultyPath {
  readonly #faults: Faults;
  readonly #random: Random;
  #waiting: Waiting[] = [];
  #order = 0;

  constructor(faults: Faults, seed: number, direction: string) {
    this.#faults = faults;
    this.#random = new Random(seed, `faults ${direction}`);
  }

  push(bytes: Uint8Array, now_ms: number): void {
    const f = this.#faults;
    const chance = (share: number): boolean => share > 0 && this.#random.uniform() < share;
    const copies = chance(f.dup) ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      if (chance(f.loss)) continue;
      const late_ms = chance(f.reorder) ? 25 + 50 * this.#random.uniform() : 0;
      this.#waiting.push({
        bytes: this.#flip(bytes),
        due_ms: now_ms + f.delay_ms + late_ms,
        order: this.#order++,
      });
    }
  }

  take(now_ms: number): Uint8Array[] {
    const due = this.#waiting.filter((w) => w.due_ms <= now_ms);
    if (due.length === 0) return [];
    this.#waiting = this.#waiting.filter((w) => w.due_ms > now_ms);
    return due.sort((a, b) => a.due_ms - b.due_ms || a.order - b.order).map((w) => w.bytes);
  }

  #flip(bytes: Uint8Array): Uint8Array {
    if (this.#faults.flip <= 0) return bytes;
    const out = Uint8Array.from(bytes);
    for (let i = 0; i < out.length; i++) {
      if (this.#random.uniform() < this.#faults.flip)
        out[i] = (out[i] ?? 0) ^ (1 << Math.floor(8 * this.#random.uniform()));
    }
    return out;
  }
}
