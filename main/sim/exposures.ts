import type { CameraHello } from "#contract/camera-wire";
import type { FrameOut } from "./camera/camera";
import type { CameraRig, RigState } from "./camera/rig";
import type { PoseOf } from "./camera/stage";
import type { DrawingThread } from "./drawing-thread";

/** A picture on its way: drawn already, or being drawn beside the flight. */
export type Picture = FrameOut | Promise<FrameOut>;

interface Waiting {
  readonly ready_s: number;
  readonly picture: Picture;
}

/** When the camera exposes, and when its pictures leave: at its rate, after its latency, whoever draws them. */
export class Exposures {
  /** A frozen camera exposes nothing; one without depth measures none. */
  state: "on" | "frozen" | "no_depth" = "on";
  /** Names of the other cameras that somebody wants to see by. */
  wanted: ReadonlySet<string> = new Set();
  readonly #by: CameraRig | DrawingThread;
  readonly #start: RigState | null;
  readonly #poseOf: PoseOf;
  readonly #period_s: number;
  readonly #latency_s: number;
  #count = 0;
  #waiting: Waiting[] = [];
  #views: Waiting[] = [];

  constructor(by: CameraRig | DrawingThread, poseOf: PoseOf, rate_hz: number, latency_s: number) {
    this.#by = by;
    this.#poseOf = poseOf;
    this.#period_s = 1 / rate_hz;
    this.#latency_s = latency_s;
    this.#start = "save" in by ? by.save() : null;
  }

  get hello(): CameraHello {
    return this.#by.hello;
  }

  /** After each physics step; exposes when it is time and somebody is there to see it. */
  step(now_s: number, looking: boolean): void {
    const due = Math.floor(now_s / this.#period_s + 1e-9);
    if (due <= this.#count) return;
    this.#count = due;
    if (this.state === "frozen") return;
    const ready_s = now_s + this.#latency_s;
    const depth = this.state === "on";
    if (looking) this.#waiting.push({ ready_s, picture: this.#by.capture(now_s, this.#poseOf, depth) });
    for (const name of this.wanted)
      this.#views.push({ ready_s, picture: this.#by.capture(now_s, this.#poseOf, depth, name) });
  }

  /** Pictures whose latency is over, oldest first; each is given out once. */
  take(now_s: number): readonly Picture[] {
    const ready = this.#waiting.filter((w) => w.ready_s <= now_s + 1e-9);
    if (ready.length > 0) this.#waiting = this.#waiting.filter((w) => !ready.includes(w));
    return ready.map((w) => w.picture);
  }

  /** The same for the other cameras. */
  takeViews(now_s: number): readonly Picture[] {
    if (this.#views.length === 0) return [];
    const ready = this.#views.filter((w) => w.ready_s <= now_s + 1e-9);
    this.#views = this.#views.filter((w) => !ready.includes(w));
    return ready.map((w) => w.picture);
  }

  restart(): void {
    if ("save" in this.#by) {
      if (this.#start !== null) this.#by.restore(this.#start);
    } else this.#by.restart();
    this.state = "on";
    this.#count = 0;
    this.#waiting = [];
    this.#views = [];
  }

  /** Resolves when no more than this many pictures are still being drawn. */
  async drawn(pending: number): Promise<void> {
    if ("atMost" in this.#by) await this.#by.atMost(pending);
  }

  async close(): Promise<void> {
    if ("close" in this.#by) await this.#by.close();
  }
}
