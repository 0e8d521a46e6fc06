import { connect, type Socket } from "node:net";
import { type BarrierDone, BarrierStep } from "#contract/barrier-wire";
import type { Cancel, Clock } from "./clock";

/** What has to have arrived before a step may run, and what the station has sent (contract/barrier-wire.ts). */
export interface LockstepPorts {
  whenDatagrams(total: number): Promise<void>;
  whenFrames(total: number): Promise<void>;
  datagramsSent(): number;
  onLost(why: string): void;
}

interface Timer {
  at_ms: number;
  readonly order: number;
  readonly run: () => void;
}

/** Steps before the first one are this long; later ones repeat the last length. */
const firstStep_ms = 10;
/** A mission on simulated time is dated from here, so that two runs of one seed write the same record. */
const epoch_utc_ms = Date.UTC(2026, 0, 1);

/**
 * Simulated time, driven step by step by the embedded vehicle's clock barrier. Between two steps `now_ms` already
 * shows the next one, because whatever arrives then was sent in it. Time stands while anything is held.
 */
export class LockstepClock implements Clock {
  #now_ms = 0;
  #step_ms = firstStep_ms;
  #last_ms: number | null = null;
  #timers: Timer[] = [];
  #order = 0;
  #held = 0;
  #released: (() => void)[] = [];
  #socket: Socket | null = null;
  #closed = false;

  now_ms(): number {
    return this.#now_ms;
  }
  utc_ms(): number {
    return epoch_utc_ms + this.#now_ms;
  }
  after(delay_ms: number, run: () => void): Cancel {
    return this.#schedule(this.#now_ms + Math.max(0, delay_ms), run);
  }
  every(period_ms: number, run: () => void): Cancel {
    let cancel: Cancel = () => {};
    let due_ms = this.#now_ms;
    const next = (): void => {
      due_ms += period_ms;
      cancel = this.#schedule(due_ms, () => {
        next();
        run();
      });
    };
    next();
    return () => {
      cancel();
    };
  }
  hold<T>(work: Promise<T>): Promise<T> {
    this.#held += 1;
    const release = (): void => {
      this.#held -= 1;
      if (this.#held > 0) return;
      const waiting = this.#released;
      this.#released = [];
      for (const go of waiting) go();
    };
    work.then(release, release);
    return work;
  }

  /** Joins the barrier; resolves once connected. From then on the vehicle drives this clock. */
  async join(port: number, ports: LockstepPorts): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    this.#socket = socket;
    socket.setNoDelay(true);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    let rest = "";
    let chain = Promise.resolve();
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const step = BarrierStep.parse(JSON.parse(line));
        chain = chain.then(() => this.#run(step, ports));
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (!this.#closed) ports.onLost("The embedded vehicle's clock stopped.");
    });
  }

  close(): void {
    this.#closed = true;
    this.#socket?.destroy();
  }

  async #run(step: BarrierStep, ports: LockstepPorts): Promise<void> {
    if (this.#last_ms !== null && step.t_ms > this.#last_ms) this.#step_ms = step.t_ms - this.#last_ms;
    this.#last_ms = step.t_ms;
    this.#now_ms = Math.max(this.#now_ms, step.t_ms);
    await ports.whenDatagrams(step.datagrams);
    await ports.whenFrames(step.frames);
    await this.#settle();
    while (this.#runDue()) await this.#settle();
    const done: BarrierDone = { kind: "done", t_ms: step.t_ms, datagrams: ports.datagramsSent() };
    this.#now_ms = step.t_ms + this.#step_ms;
    if (this.#socket?.writable === true) this.#socket.write(`${JSON.stringify(done)}\n`);
  }

  /** Promise chains have run and nothing is held any more. */
  async #settle(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#held > 0) {
      await new Promise<void>((resolve) => this.#released.push(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #runDue(): boolean {
    const due = this.#timers
      .filter((t) => t.at_ms <= this.#now_ms)
      .sort((a, b) => a.at_ms - b.at_ms || a.order - b.order);
    for (const timer of due) {
      if (!this.#timers.includes(timer)) continue;
      this.#timers = this.#timers.filter((t) => t !== timer);
      timer.run();
    }
    return due.length > 0;
  }

  #schedule(at_ms: number, run: () => void): Cancel {
    const timer = { at_ms, order: this.#order++, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((t) => t !== timer);
    };
  }
}
