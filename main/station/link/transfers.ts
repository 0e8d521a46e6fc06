import type { Transfer } from "#contract/link-detail";
import { RateMeter } from "../../link/rate-meter";
import type { Clock } from "../../platform/clock";

const KEEP = 20;

/** What a running transfer tells. */
export interface TransferHandle {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly progress: (received: number, size: number | null) => void;
  readonly done: (detail: string, path: string | null) => void;
  readonly failed: (detail: string) => void;
}

interface Row {
  transfer: Transfer;
  readonly rate: RateMeter;
  readonly abort: AbortController;
}

/** Downloads and uploads that run or have ended, for the screen. */
export class Transfers {
  readonly #clock: Clock;
  readonly #rows = new Map<string, Row>();
  #last = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(
    kind: Transfer["kind"],
    name: string,
    size: number | null,
    unit: Transfer["unit"] = "bytes",
  ): TransferHandle {
    const id = `t${String(++this.#last)}`;
    const row: Row = {
      transfer: {
        id,
        kind,
        name,
        received: 0,
        size,
        unit,
        per_s: 0,
        state: "running",
        detail: "",
        path: null,
      },
      rate: new RateMeter(),
      abort: new AbortController(),
    };
    this.#rows.set(id, row);
    this.#trim();
    const change = (changes: Partial<Transfer>): void => {
      row.transfer = { ...row.transfer, ...changes };
    };
    return {
      id,
      signal: row.abort.signal,
      progress: (received, total) => {
        row.rate.add(Math.max(0, received - row.transfer.received), this.#clock.now_ms());
        change({ received, size: total });
      },
      done: (detail, path) => change({ state: "done", detail, path }),
      failed: (detail) => change({ state: row.abort.signal.aborted ? "cancelled" : "failed", detail }),
    };
  }

  list(): readonly Transfer[] {
    const now_ms = this.#clock.now_ms();
    return [...this.#rows.values()].map(({ transfer, rate }) => ({
      ...transfer,
      per_s: transfer.state === "running" ? rate.perSecond(now_ms) : 0,
    }));
  }

  /** False when there is none of that id that still runs. */
  cancel(id: string): boolean {
    const row = this.#rows.get(id);
    if (row?.transfer.state !== "running") return false;
    row.abort.abort();
    return true;
  }

  /** Takes one that has ended off the list. */
  dismiss(id: string): boolean {
    return this.#rows.get(id)?.transfer.state !== "running" && this.#rows.delete(id);
  }

  close(): void {
    for (const row of this.#rows.values()) row.abort.abort();
  }

  #trim(): void {
    const ended = [...this.#rows.values()].filter((row) => row.transfer.state !== "running");
    for (const row of ended.slice(0, Math.max(0, this.#rows.size - KEEP))) this.#rows.delete(row.transfer.id);
  }
}
