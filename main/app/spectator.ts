import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WebContents } from "electron";
import { openGrader } from "../evaluation/grader-client";
import { openSpectatorPort, type SpectatorPort } from "../ipc/spectator-port";
import type { Cancel, Clock } from "../platform/clock";

const reopen_ms = 500;

/** Where the embedded vehicle of this process puts its ground truth. */
export function spectatorSocket(process_id: number): string {
  const name = `kingfisher-truth-${String(process_id)}`;
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/**
 * The way of the ground truth into the window: from the embedded vehicle's own socket to a port of its own, past the station,
 * its state and everything that is recorded, judged or told to a model. Open only while somebody has asked for it.
 */
export class Spectator {
  readonly #socket: string;
  readonly #clock: Clock;
  readonly #page: () => WebContents | null;
  #port: SpectatorPort | null = null;
  #stop: Cancel = () => {};

  constructor(socket: string, clock: Clock, page: () => WebContents | null) {
    this.#socket = socket;
    this.#clock = clock;
    this.#page = page;
  }

  watch(on: boolean): void {
    this.close();
    const page = this.#page();
    if (!on || page === null) return;
    this.#port = openSpectatorPort(page);
    this.#open();
  }

  /** Also when the page has been loaded anew: it has to ask again. */
  close(): void {
    this.#stop();
    this.#stop = () => {};
    this.#port?.close();
    this.#port = null;
  }

  #open(): void {
    this.#stop = openGrader(this.#socket, this.#clock, {
      onMessage: (message) => {
        const truth = message.kind === "truth";
        if (!truth || this.#port?.ready === true) this.#port?.send(message, truth);
      },
      onClose: () => {
        this.#port?.send({ kind: "end", t_ms: 0 }, false);
        // The next vehicle of this window puts its truth in the same place.
        this.#stop = this.#clock.after(reopen_ms, () => {
          this.#open();
        });
      },
    });
  }
}
