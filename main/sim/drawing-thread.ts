import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { VehicleFile } from "#contract/airframe";
import type { CameraHello } from "#contract/camera-wire";
import { invariant } from "#contract/result";
import type { FrameOut } from "./camera/camera";
import { drawScene } from "./camera/drawing";
import { CameraRig, type CameraSize } from "./camera/rig";
import type { PoseOf } from "./camera/stage";
import type { Layout } from "./world/layout";
import { linkBody, vehicleBody } from "./world/mjcf";

type Pose = ReturnType<PoseOf>;

interface Job {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  readonly size: CameraSize;
}

type ToThread =
  /** Poses in the order of `Ready.bodies`. */
  | {
      readonly kind: "capture";
      readonly now_s: number;
      readonly poses: readonly Pose[];
      readonly depth: boolean;
      /** Left out: the main camera. */
      readonly camera?: string;
    }
  | { readonly kind: "restart" };
type FromThread =
  | { readonly kind: "ready"; readonly hello: CameraHello; readonly bodies: readonly string[] }
  | { readonly kind: "frame"; readonly frame: FrameOut };

/**
 * Draws pictures in a thread of their own while the flight goes on: a camera's latency is four steps of the clock, and
 * drawing takes longer than all the rest of the vehicle together. The pictures are the same, byte for byte.
 */
export class DrawingThread {
  readonly hello: CameraHello;
  readonly #bodies: readonly string[];
  readonly #worker: Worker;
  #waiting: ((frame: FrameOut) => void)[] = [];
  #idle: (() => void)[] = [];

  /** `entry` is the bundled file that calls `drawWhenThread`. */
  static async start(entry: string, job: Job): Promise<DrawingThread> {
    const worker = new Worker(entry, { workerData: job });
    const ready = await new Promise<Extract<FromThread, { kind: "ready" }>>((resolve, reject) => {
      worker.once("error", reject);
      worker.once("message", (message: FromThread) => {
        invariant(message.kind === "ready", "a drawing thread says first that it is ready");
        resolve(message);
      });
    });
    worker.removeAllListeners("error");
    return new DrawingThread(worker, ready);
  }

  private constructor(worker: Worker, ready: Extract<FromThread, { kind: "ready" }>) {
    this.#worker = worker;
    this.hello = ready.hello;
    this.#bodies = ready.bodies;
    worker.on("message", (message: FromThread) => {
      if (message.kind !== "frame") return;
      this.#waiting.shift()?.(message.frame);
      for (const go of this.#idle.splice(0)) go();
    });
  }

  /** Pictures asked for and not yet drawn. */
  get pending(): number {
    return this.#waiting.length;
  }

  capture(now_s: number, poseOf: PoseOf, depth: boolean, camera?: string): Promise<FrameOut> {
    const poses = this.#bodies.map(poseOf);
    this.#post({ kind: "capture", now_s, poses, depth, ...(camera === undefined ? {} : { camera }) });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  /** Resolves when no more than this many pictures are still to be drawn. */
  async atMost(pending: number): Promise<void> {
    while (this.#waiting.length > pending)
      await new Promise<void>((resolve) => {
        this.#idle.push(resolve);
      });
  }

  restart(): void {
    this.#post({ kind: "restart" });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

/** The thread's own side: false where this is the main thread and there is nothing to draw. */
export function drawWhenThread(): boolean {
  const port = parentPort;
  if (isMainThread || port === null) return false;
  const { layout, vehicle, size } = workerData as Job;
  const drawing = drawScene(layout, vehicle);
  const bodies = [
    ...new Set([
      vehicleBody,
      ...vehicleParents(vehicle),
      ...drawing.items.flatMap((item) => (item.carrier.kind === "structure" ? [] : [item.carrier.body])),
    ]),
  ];
  const poses = new Map<string, Pose>();
  const poseOf: PoseOf = (body) => {
    const pose = poses.get(body);
    invariant(pose !== undefined, `no pose of ${body} came with the picture's order`);
    return pose;
  };
  const rig = CameraRig.of(layout, vehicle, size, poseOf);
  invariant(rig !== null, "a vehicle without a camera needs no drawing thread");
  const start = rig.save();
  const send = (message: FromThread, transfer: ArrayBuffer[] = []): void => {
    port.postMessage(message, transfer);
  };
  port.on("message", (message: ToThread) => {
    if (message.kind === "restart") {
      rig.restore(start);
      return;
    }
    bodies.forEach((body, i) => {
      const pose = message.poses[i];
      if (pose !== undefined) poses.set(body, pose);
    });
    const frame = rig.capture(message.now_s, poseOf, message.depth, message.camera);
    const { payload } = frame;
    send({ kind: "frame", frame }, payload.buffer instanceof ArrayBuffer ? [payload.buffer] : []);
  });
  send({ kind: "ready", hello: rig.hello, bodies });
  return true;
}

/** Where a camera may hang: the wrist. */
function vehicleParents(vehicle: VehicleFile): readonly string[] {
  const last = vehicle.arm?.links.at(-1);
  return last === undefined ? [] : [linkBody(last.name)];
}
