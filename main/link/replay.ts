import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import type { LinkProblem, Transport, TransportEvents } from "./port";
import { errorCode, errorText } from "./problems";
import { isPlausibleTime, readTlog } from "./tlog";

export interface ReplayOptions {
  readonly address: string;
  readonly path: string;
  /** 1: as fast as it was recorded. */
  readonly speed: number;
}

/** Frames this close together are delivered at once: timers are not finer. */
const SLICE_ms = 10;
/** A longer silence in the recording is not waited for. */
const LONGEST_GAP_ms = 5000;

interface Timed {
  readonly due_ms: number;
  readonly bytes: Uint8Array;
}

/** Plays a telemetry log as if its vehicle were there. Nothing can be sent to it. */
export class ReplayTransport implements Transport {
  readonly kind = "datagram";
  readonly #options: ReplayOptions;
  readonly #clock: Clock;
  #cancel: Cancel = () => {};

  constructor(options: ReplayOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  async open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    const { path, address } = this.#options;
    let bytes: Uint8Array;
    try {
      bytes = await readFile(path);
    } catch (error) {
      return err(fileProblem(error, path));
    }
    const frames = schedule(bytes, this.#options.speed);
    if (frames.length === 0) {
      return err({ kind: "not_a_device", message: `${path} holds no MAVLink frames: is it a .tlog?` });
    }
    this.#play(frames, 0, this.#clock.now_ms(), events, address);
    return ok(undefined);
  }

  write(): number {
    return 0;
  }

  close(): Promise<void> {
    this.#cancel();
    return Promise.resolve();
  }

  #play(
    frames: readonly Timed[],
    from: number,
    start_ms: number,
    events: TransportEvents,
    address: string,
  ): void {
    const next = frames[from];
    if (next === undefined) {
      events.down(`${address}: the recording has ended`);
      return;
    }
    const wait_ms = Math.max(0, start_ms + next.due_ms - this.#clock.now_ms());
    this.#cancel = this.#clock.after(wait_ms, () => {
      let index = from;
      for (let frame = frames[index]; frame !== undefined; frame = frames[++index]) {
        if (frame.due_ms > next.due_ms + SLICE_ms) break;
        events.data(frame.bytes, "");
      }
      this.#play(frames, index, start_ms, events, address);
    });
  }
}

function schedule(bytes: Uint8Array, speed: number): Timed[] {
  const frames: Timed[] = [];
  let previous_us: number | null = null;
  let due_ms = 0;
  readTlog(bytes, (frame, time_us) => {
    if (isPlausibleTime(time_us)) {
      const gap_ms = previous_us === null ? 0 : (time_us - previous_us) / 1000;
      due_ms += Math.min(LONGEST_GAP_ms, Math.max(0, gap_ms)) / speed;
      previous_us = time_us;
    }
    frames.push({ due_ms, bytes: bytes.subarray(frame.start, frame.end) });
  });
  return frames;
}

function fileProblem(error: unknown, path: string): LinkProblem {
  switch (errorCode(error)) {
    case "ENOENT":
      return { kind: "missing", message: `${path} does not exist` };
    case "EISDIR":
      return { kind: "not_a_device", message: `${path} is a directory, not a .tlog file` };
    case "EACCES":
      return { kind: "permission", message: `no permission to read ${path}` };
    default:
      return { kind: "failed", message: `${path}: ${errorText(error)}` };
  }
}
