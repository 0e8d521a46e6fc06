import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../../platform/clock";
import { Ranges } from "./ranges";
import { listen, type ServiceTarget, type ServiceWire, to } from "./service";

export interface LogEntry {
  readonly id: number;
  readonly size: number;
  /** Null when the vehicle had no clock. */
  readonly utc_s: number | null;
}

/** Where a log goes. `write` may come out of order and twice for the same bytes. */
export interface LogSink {
  write(offset: number, bytes: Uint8Array): void;
}

export type LogFailure =
  | { readonly kind: "unanswered"; readonly text: string; readonly have: number }
  | { readonly kind: "cancelled"; readonly text: string; readonly have: number };

const BLOCK = 90;
/** Asked for at a time: 512 blocks, so that one lost request costs little. */
const WINDOW = BLOCK * 512;
/** So much between two gaps is had once more: it costs less than asking twice over a slow road. */
const BRIDGE = BLOCK * 16;
const QUIET_ms = 900;
const FRUITLESS = 12;
const LIST_TRIES = 8;

/** Logs of one vehicle over LOG_REQUEST_DATA: listed, downloaded with gaps filled, resumed where they stopped. */
export class LogService {
  readonly #wire: ServiceWire;
  readonly #clock: Clock;
  readonly #target: ServiceTarget;

  constructor(wire: ServiceWire, clock: Clock, target: ServiceTarget) {
    this.#wire = wire;
    this.#clock = clock;
    this.#target = target;
  }

  list(): Promise<Result<readonly LogEntry[], "unanswered">> {
    return new Promise((settle) => {
      const entries = new Map<number, LogEntry>();
      let total: number | null = null;
      let tries = 0;
      let cancel: Cancel = () => {};
      const finish = (outcome: Result<readonly LogEntry[], "unanswered">): void => {
        cancel();
        unhear();
        settle(outcome);
      };
      const ask = (): void => {
        if (tries++ >= LIST_TRIES) {
          finish(total === null ? err("unanswered") : ok(sorted(entries)));
          return;
        }
        cancel = this.#clock.after(QUIET_ms, ask);
        this.#wire.send("LOG_REQUEST_LIST", { ...to(this.#target), start: 0, end: 0xffff });
      };
      const unhear = listen(this.#wire, this.#target, ["LOG_ENTRY"], ({ fields }) => {
        const { id, size, time_utc, num_logs } = fields;
        if (typeof id !== "number" || typeof size !== "number" || typeof num_logs !== "number") return;
        total = num_logs;
        const utc_s = typeof time_utc === "number" && time_utc > 0 ? time_utc : null;
        if (num_logs > 0) entries.set(id, { id, size, utc_s });
        cancel();
        if (entries.size >= num_logs) finish(ok(sorted(entries)));
        else cancel = this.#clock.after(QUIET_ms, ask);
      });
      ask();
    });
  }

  /**
   * Downloads one log. `from` is how much of it is there already (of an earlier try); the failure says how much is there
   * without a gap, to begin from next time.
   */
  download(
    entry: LogEntry,
    sink: LogSink,
    options: {
      readonly from?: number;
      readonly signal?: AbortSignal;
      readonly onProgress?: (received: number, size: number) => void;
    } = {},
  ): Promise<Result<void, LogFailure>> {
    const { from = 0, signal, onProgress } = options;
    const ranges = new Ranges(entry.size);
    ranges.add(0, from);
    return new Promise((settle) => {
      let cancel: Cancel = () => {};
      let fruitless = 0;
      let window = { from: 0, to: 0 };
      const finish = (outcome: Result<void, LogFailure>): void => {
        cancel();
        unhear();
        signal?.removeEventListener("abort", onAbort);
        this.#wire.send("LOG_REQUEST_END", to(this.#target));
        settle(outcome);
      };
      const onAbort = (): void => {
        finish(err({ kind: "cancelled", text: "the download was stopped", have: ranges.contiguous }));
      };
      const ask = (): void => {
        const gap = ranges.span(BRIDGE);
        if (gap === null) {
          finish(ok(undefined));
          return;
        }
        if (fruitless++ >= FRUITLESS) {
          const text = `the vehicle stopped sending log ${entry.id}`;
          finish(err({ kind: "unanswered", text, have: ranges.contiguous }));
          return;
        }
        window = { from: gap.from, to: Math.min(gap.to, gap.from + WINDOW) };
        const count = window.to - window.from;
        this.#wire.send("LOG_REQUEST_DATA", { ...to(this.#target), id: entry.id, ofs: window.from, count });
        wait();
      };
      const wait = (): void => {
        cancel();
        cancel = this.#clock.after(QUIET_ms, ask);
      };
      const unhear = listen(this.#wire, this.#target, ["LOG_DATA"], ({ fields }) => {
        const { id, ofs, count, data } = fields;
        if (id !== entry.id || typeof ofs !== "number" || typeof count !== "number" || !Array.isArray(data))
          return;
        const bytes = Uint8Array.from(data.map(Number)).subarray(0, Math.min(count, BLOCK));
        if (!ranges.add(ofs, ofs + bytes.length)) {
          wait();
          return;
        }
        fruitless = 0;
        sink.write(ofs, bytes);
        onProgress?.(ranges.received, entry.size);
        const gap = ranges.gap();
        // The window is done, or its end has come and something in it is missing: no use waiting.
        if (gap === null || gap.from >= window.to || ofs + bytes.length >= window.to) ask();
        else wait();
      });
      if (signal?.aborted === true) {
        onAbort();
        return;
      }
      signal?.addEventListener("abort", onAbort);
      ask();
    });
  }
}

const sorted = (entries: ReadonlyMap<number, LogEntry>): readonly LogEntry[] =>
  [...entries.values()].sort((a, b) => a.id - b.id);
