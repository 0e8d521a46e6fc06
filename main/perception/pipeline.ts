import type { CameraHello } from "#contract/camera-wire";
import type { Pose } from "#contract/geometry";
import type { FrameReport } from "#contract/perception";
import type { RgbdFrame } from "../camera/port";
import { freeAhead, liftDepth } from "./cloud";
import { findObjects } from "./segment";
import { findSurfaces } from "./surfaces";
import { emptyTracker, type TrackerState, track, trackedObjects } from "./tracker";

export interface FrameTiming {
  /** Exposure on the station's clock. */
  readonly captured_at_ms: number;
  readonly latency_ms: number;
  readonly frames_per_s: number;
  /** How much older than the exposure the pose is that was known of it. */
  readonly pose_gap_ms: number;
}

/**
 * One exposure in, one report out: depth to world points with the pose at exposure, level surfaces, what stands on
 * them, and the tracks. Without a pose nothing is localised and every known object counts as not seen.
 */
export function perceive(
  state: TrackerState,
  hello: CameraHello,
  frame: RgbdFrame,
  pose: Pose | null,
  timing: FrameTiming,
): { readonly state: TrackerState; readonly report: FrameReport } {
  const { header } = frame;
  const mount = header.mount ?? { position_flu_m: hello.mount_position_flu_m, quat: hello.mount_quat };
  const k = scaled(hello, header.width, header.height);
  const cloud = pose === null ? null : liftDepth(frame.depth, header.depth_unit_m, k, pose, mount);
  const detections = cloud === null ? [] : findObjects(cloud, frame.colour, findSurfaces(cloud));
  const next = track(state, detections, timing.captured_at_ms);
  return {
    state: next,
    report: {
      camera: hello.camera,
      seq: header.seq,
      captured_at_ms: timing.captured_at_ms,
      width: header.width,
      height: header.height,
      frames_per_s: timing.frames_per_s,
      latency_ms: timing.latency_ms,
      depth_range_m: hello.depth_range_m,
      localised: pose !== null,
      ...(pose === null ? {} : { pose_gap_ms: timing.pose_gap_ms }),
      objects: trackedObjects(next),
      brightness: brightness(frame.colour),
      depth_share: share(frame.depth),
      ahead_m: cloud === null || pose === null ? null : freeAhead(cloud, pose),
    },
  };
}

export const initialTracker: TrackerState = emptyTracker;

function scaled(hello: CameraHello, width: number, height: number): CameraHello["intrinsics"] {
  const k = hello.intrinsics;
  const sx = width / k.width;
  const sy = height / k.height;
  return { width, height, fx: k.fx * sx, fy: k.fy * sy, cx: k.cx * sx, cy: k.cy * sy };
}

function brightness(rgb: Uint8Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < rgb.length; i += 3 * 17) {
    sum += rgb[i] ?? 0;
    count += 1;
  }
  return count === 0 ? 0 : sum / count / 255;
}

function share(depth: Uint16Array): number {
  let valid = 0;
  for (let i = 0; i < depth.length; i++) valid += depth[i] === 0 ? 0 : 1;
  return depth.length === 0 ? 0 : valid / depth.length;
}
