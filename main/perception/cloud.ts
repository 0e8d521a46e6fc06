import { flu, type QuatFluEnu, quatMultiply, rotate } from "#contract/frames";
import type { Pose } from "#contract/geometry";
import type { Intrinsics } from "#contract/perception";

/** How a camera sits on the vehicle (contract/camera-wire.ts). */
export interface Mount {
  readonly position_flu_m: readonly [number, number, number];
  /** Optical axes (x right, y down, z forward) into FLU. */
  readonly quat: readonly [number, number, number, number];
}

/** A depth image lifted into the world. Arrays are row-major, one entry a pixel; range 0 = no measurement. */
export interface Cloud {
  readonly width: number;
  readonly height: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  /** Depth along the optical axis, metres. */
  readonly depth: Float32Array;
  readonly camera_enu_m: readonly [number, number, number];
  readonly focal_px: number;
}

/** Row-major 3x3 matrix of optical axes in the world. */
function opticalToWorld(pose: Pose, mount: Mount): Float64Array {
  const q: QuatFluEnu = quatMultiply(pose.quat_flu_enu, mount.quat);
  const columns = [rotate(q, flu(1, 0, 0)), rotate(q, flu(0, 1, 0)), rotate(q, flu(0, 0, 1))] as const;
  return Float64Array.from([0, 1, 2].flatMap((row) => columns.map((c) => c[row as 0 | 1 | 2])));
}

/** Depth units to world points (pinhole). `depth` may be larger than needed; only width x height is read. */
export function liftDepth(
  depth: Uint16Array,
  unit_m: number,
  k: Intrinsics,
  pose: Pose,
  mount: Mount,
): Cloud {
  const n = k.width * k.height;
  const cloud = {
    x: new Float32Array(n),
    y: new Float32Array(n),
    z: new Float32Array(n),
    depth: new Float32Array(n),
  };
  const m = opticalToWorld(pose, mount);
  const lens = rotate(pose.quat_flu_enu, flu(...mount.position_flu_m));
  const cx = pose.position_enu_m[0] + lens[0];
  const cy = pose.position_enu_m[1] + lens[1];
  const cz = pose.position_enu_m[2] + lens[2];
  const [m00 = 0, m01 = 0, m02 = 0, m10 = 0, m11 = 0, m12 = 0, m20 = 0, m21 = 0, m22 = 0] = m;
  for (let v = 0, i = 0; v < k.height; v++) {
    const b = (v - k.cy) / k.fy;
    for (let u = 0; u < k.width; u++, i++) {
      const d = (depth[i] ?? 0) * unit_m;
      if (!(d > 0)) continue;
      const a = (u - k.cx) / k.fx;
      cloud.depth[i] = d;
      cloud.x[i] = cx + d * (m00 * a + m01 * b + m02);
      cloud.y[i] = cy + d * (m10 * a + m11 * b + m12);
      cloud.z[i] = cz + d * (m20 * a + m21 * b + m22);
    }
  }
  return { width: k.width, height: k.height, ...cloud, camera_enu_m: [cx, cy, cz], focal_px: k.fx };
}

/** Depth noise of a stereo camera, one sigma (Intel D400: subpixel 0.08, baseline 95 mm, 640 px focal length). */
export const depthSigma_m = (depth_m: number): number => (depth_m * depth_m * 0.08) / (640 * 0.095);

/**
 * Free distance straight ahead of the vehicle: the fifth nearest percent of points inside a corridor as wide as
 * the vehicle and its margin. Null when too few pixels look there.
 */
export function freeAhead(cloud: Cloud, pose: Pose, halfWidth_m = 0.6, halfHeight_m = 0.3): number | null {
  const forward = rotate(pose.quat_flu_enu, flu(1, 0, 0));
  const n = Math.hypot(forward[0], forward[1]);
  if (!(n > 1e-3)) return null;
  const fx = forward[0] / n;
  const fy = forward[1] / n;
  const [px, py, pz] = pose.position_enu_m;
  const ahead: number[] = [];
  for (let i = 0; i < cloud.depth.length; i += 2) {
    if (!((cloud.depth[i] ?? 0) > 0)) continue;
    const dx = (cloud.x[i] ?? 0) - px;
    const dy = (cloud.y[i] ?? 0) - py;
    const along = dx * fx + dy * fy;
    if (
      along < 0.4 ||
      Math.abs(dx * fy - dy * fx) > halfWidth_m ||
      Math.abs((cloud.z[i] ?? 0) - pz) > halfHeight_m
    )
      continue;
    ahead.push(along);
  }
  if (ahead.length < 40) return null;
  ahead.sort((a, b) => a - b);
  return ahead[Math.floor(ahead.length * 0.05)] ?? null;
}
