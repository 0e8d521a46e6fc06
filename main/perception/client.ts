import type { ChildProcess } from "node:child_process";
import type { Enu, QuatFluEnu } from "#contract/frames";
import type { FrameReport } from "#contract/perception";
import { endChild, forkChild } from "../platform/child";
import type { Cancel, Clock } from "../platform/clock";
import { FromPerception, type ToPerception } from "./protocol";

export interface SeenFrame {
  readonly report: FrameReport;
  readonly colour_jpeg: Uint8Array;
  readonly depth_jpeg: Uint8Array;
}

export interface PerceptionOptions {
  /** Camera socket to open. */
  readonly socket: string;
  /** Simulated time: every frame is reported, none skipped. */
  readonly lockstep: boolean;
  readonly clock: Clock;
  readonly onFrame: (frame: SeenFrame) => void;
  /** One sentence for the operator. */
  readonly onProblem: (text: string) => void;
}

const restart_ms = 1000;

/** The station's side of the perception process. Restarts it when it dies; until then nothing is seen, and that is said. */
export class PerceptionClient {
  readonly #options: PerceptionOptions;
  #child: ChildProcess | null = null;
  #answered = 0;
  #waiting: { total: number; resolve: () => void }[] = [];
  #cancelRestart: Cancel = () => {};
  #closed = false;

  constructor(options: PerceptionOptions) {
    this.#options = options;
    this.#start();
  }

  position(boot_ms: number, position_enu_m: Enu, offset_ms: number): void {
    this.#send({ kind: "position", boot_ms, position_enu_m, offset_ms });
  }
  attitude(boot_ms: number, quat_flu_enu: QuatFluEnu): void {
    this.#send({ kind: "attitude", boot_ms, quat_flu_enu });
  }
  /** Everything known up to `boot_ms` has been sent. */
  until(boot_ms: number): void {
    this.#send({ kind: "until", boot_ms });
  }

  /** Resolves when `total` camera frames have been answered since the start; the clock barrier waits for it. */
  whenAnswered(total: number): Promise<void> {
    if (this.#answered >= total || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push({ total, resolve });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRestart();
    this.#release(Infinity);
    if (this.#child !== null) await endChild(this.#child);
  }

  #start(): void {
    const child = forkChild("perception");
    this.#child = child;
    child.on("message", (raw: unknown) => {
      const message = FromPerception.parse(raw);
      if (message.kind === "problem") {
        this.#options.onProblem(message.text);
        return;
      }
      if (message.kind === "frame") this.#options.onFrame(message);
      this.#answered += 1;
      this.#release(this.#answered);
    });
    child.on("exit", (code, signal) => {
      if (this.#closed) return;
      this.#child = null;
      this.#options.onProblem(
        `Perception stopped (${signal ?? `exit ${String(code)}`}); objects are not seen until it is back. Starting it again.`,
      );
      this.#release(Infinity);
      this.#cancelRestart = this.#options.clock.after(restart_ms, () => {
        this.#start();
      });
    });
    this.#send({ kind: "open", socket: this.#options.socket, lockstep: this.#options.lockstep });
  }

  #release(total: number): void {
    const due = this.#waiting.filter((w) => w.total <= total);
    this.#waiting = this.#waiting.filter((w) => w.total > total);
    for (const w of due) w.resolve();
  }

  #send(message: ToPerception): void {
    if (this.#child?.connected === true) this.#child.send(message);
  }
}
