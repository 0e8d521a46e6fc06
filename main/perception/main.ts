import type { CameraHello } from "#contract/camera-wire";
import type { RgbdFrame, RgbdSource } from "../camera/port";
import { openSocketCamera } from "../camera/socket-source";
import { type Cancel, realClock } from "../platform/clock";
import { colourDepth, toJpeg } from "./encode";
import { initialTracker, perceive } from "./pipeline";
import { PoseBuffer } from "./pose-buffer";
import { type FromPerception, ToPerception } from "./protocol";

/**
 * On simulated time a picture is worked with what was known this long after its exposure, whenever it comes itself; when
 * the pose at its exposure is not among it (a slow link), with what was known at the latest time before its answer is due.
 */
const poseKnown_ms = 40;
const poseKnownLast_ms = 80;
/** How long a frame may wait for the pose at its exposure before it is reported without one. Real time only. */
const poseWait_ms = 150;

/**
 * The perception process: opens the camera, waits for the vehicle's pose at each exposure, reports what it sees.
 * A crash here costs neither link nor HOLD. In real time only the newest waiting frame is kept.
 */
function run(): void {
  const clock = realClock();
  const poses = new PoseBuffer();
  let source: RgbdSource | null = null;
  let hello: CameraHello | null = null;
  let lockstep = false;
  let tracker = initialTracker;
  const waiting: { frame: RgbdFrame; arrived_ms: number }[] = [];
  let busy = false;
  let cancelWait: Cancel = () => {};
  let rate = 0;
  let previous_us: number | null = null;

  const send = (message: FromPerception): void => {
    process.send?.(message);
  };
  /** Simulated time: what may be known to the picture exposed at `t_ms`; null while it is not time yet. */
  const knownFor = (t_ms: number): number | null => {
    const first_ms = poses.markFrom(t_ms + poseKnown_ms);
    if (first_ms === null || poses.covers(t_ms, first_ms)) return first_ms;
    return poses.markFrom(t_ms + poseKnownLast_ms);
  };
  const ready = (frame: RgbdFrame, arrived_ms: number): boolean => {
    const t_ms = frame.header.captured_us / 1000;
    if (lockstep) return knownFor(t_ms) !== null;
    return poses.covers(t_ms) || clock.now_ms() - arrived_ms >= poseWait_ms;
  };
  const pump = (): void => {
    if (busy || hello === null) return;
    if (!lockstep)
      while (waiting.length > 1) {
        const skipped = waiting.shift();
        if (skipped !== undefined) send({ kind: "skipped", seq: skipped.frame.header.seq });
      }
    const first = waiting[0];
    if (first === undefined) return;
    if (!ready(first.frame, first.arrived_ms)) {
      cancelWait();
      if (!lockstep) cancelWait = clock.after(poseWait_ms, pump);
      return;
    }
    waiting.shift();
    busy = true;
    void work(hello, first.frame, first.arrived_ms).finally(() => {
      busy = false;
      pump();
    });
  };
  const work = async (camera: CameraHello, frame: RgbdFrame, arrived_ms: number): Promise<void> => {
    const { header } = frame;
    const boot_ms = header.captured_us / 1000;
    if (previous_us !== null && header.captured_us > previous_us) {
      const now = 1e6 / (header.captured_us - previous_us);
      rate = rate === 0 ? now : 0.9 * rate + 0.1 * now;
    }
    previous_us = header.captured_us;
    const known_ms = (lockstep ? knownFor(boot_ms) : null) ?? Infinity;
    const pose = poses.at(boot_ms, known_ms);
    const started_ms = clock.now_ms();
    const seen = perceive(tracker, camera, frame, pose, {
      captured_at_ms: boot_ms + poses.offsetAt(boot_ms, known_ms),
      latency_ms: 0,
      frames_per_s: rate,
      pose_gap_ms: poses.gap_ms(boot_ms, known_ms),
    });
    tracker = seen.state;
    const [near_m, far_m] = camera.depth_range_m;
    const [colour_jpeg, depth_jpeg] = await Promise.all([
      toJpeg(frame.colour, header.width, header.height),
      toJpeg(
        colourDepth(frame.depth, header.depth_unit_m, near_m, Math.min(far_m, 6)),
        header.width,
        header.height,
      ),
    ]);
    const latency_ms = lockstep ? 0 : clock.now_ms() - Math.min(arrived_ms, started_ms);
    send({ kind: "frame", report: { ...seen.report, latency_ms }, colour_jpeg, depth_jpeg });
  };
  const open = (socket: string): void => {
    source?.close();
    source = openSocketCamera(socket, clock);
    source.onHello((said) => {
      hello = said;
    });
    source.onFrame((frame) => {
      waiting.push({ frame, arrived_ms: clock.now_ms() });
      pump();
    });
    source.onProblem((text) => {
      send({ kind: "problem", text });
    });
  };

  process.on("message", (raw: unknown) => {
    const message = ToPerception.parse(raw);
    switch (message.kind) {
      case "open":
        lockstep = message.lockstep;
        open(message.socket);
        break;
      case "position":
        poses.addPosition(message.boot_ms, message.position_enu_m, message.offset_ms);
        break;
      case "attitude":
        poses.addAttitude(message.boot_ms, message.quat_flu_enu);
        break;
      case "until":
        poses.mark(message.boot_ms);
        break;
    }
    pump();
  });
  process.on("disconnect", () => process.exit(0));
}

run();
