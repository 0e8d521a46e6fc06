/** A pinhole camera with Brown-Conrady distortion, as sensor_msgs/CameraInfo gives it. Pixels and metres. */
export interface Intrinsics {
  readonly width: number;
  readonly height: number;
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  /** k1, k2, p1, p2, k3. */
  readonly distortion: readonly number[];
  /** "Inverse Brown Conrady" and "Modified Brown Conrady" scale before they shift. */
  readonly modified: boolean;
}

/** p' = R p + t; the matrix by rows. */
export interface Rigid {
  readonly rotation: readonly number[];
  readonly translation_m: readonly [number, number, number];
}

/** From a unit quaternion (x, y, z, w) and a translation in metres. */
export function rigidFrom(
  q: { x: number; y: number; z: number; w: number },
  t: { x: number; y: number; z: number },
): Rigid {
  const n = Math.hypot(q.x, q.y, q.z, q.w);
  const [x, y, z, w] = n > 0 ? [q.x / n, q.y / n, q.z / n, q.w / n] : [0, 0, 0, 1];
  return {
    rotation: [
      1 - 2 * (y * y + z * z),
      2 * (x * y - z * w),
      2 * (x * z + y * w),
      2 * (x * y + z * w),
      1 - 2 * (x * x + z * z),
      2 * (y * z - x * w),
      2 * (x * z - y * w),
      2 * (y * z + x * w),
      1 - 2 * (x * x + y * y),
    ],
    translation_m: [t.x, t.y, t.z],
  };
}

/** From camera a to camera b, of a common reference's transforms to both. */
export function between(to_a: Rigid, to_b: Rigid): Rigid {
  const [a, b] = [to_a.rotation, to_b.rotation];
  const rotation = Array.from({ length: 9 }, (_, k) => {
    const [row, column] = [Math.floor(k / 3) * 3, (k % 3) * 3];
    // The inverse of a rotation is its transpose.
    return (
      (b[row] as number) * (a[column] as number) +
      (b[row + 1] as number) * (a[column + 1] as number) +
      (b[row + 2] as number) * (a[column + 2] as number)
    );
  });
  const [x, y, z] = to_a.translation_m;
  const at = (row: number): number =>
    (to_b.translation_m[row / 3] as number) -
    ((rotation[row] as number) * x + (rotation[row + 1] as number) * y + (rotation[row + 2] as number) * z);
  return { rotation, translation_m: [at(0), at(3), at(6)] };
}

/** Where a ray (x/z, y/z) meets the picture, distortion included. */
function distorted(camera: Intrinsics, x: number, y: number): [number, number] {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = camera.distortion;
  const r2 = x * x + y * y;
  const f = 1 + k1 * r2 + k2 * r2 * r2 + k3 * r2 * r2 * r2;
  const [u, v] = camera.modified ? [x * f, y * f] : [x, y];
  return [x * f + 2 * p1 * u * v + p2 * (r2 + 2 * u * u), y * f + 2 * p2 * u * v + p1 * (r2 + 2 * v * v)];
}

/** The ray through a pixel: distortion undone by fixed-point iteration, which converges for real lenses. */
function undistorted(camera: Intrinsics, x: number, y: number): [number, number] {
  if (camera.distortion.every((k) => k === 0)) return [x, y];
  let [u, v] = [x, y];
  for (let i = 0; i < 10; i++) {
    const [dx, dy] = distorted(camera, u, v);
    u += x - dx;
    v += y - dy;
  }
  return [u, v];
}

/** Rays through the corners between pixels: (width + 1) times (height + 1) pairs. Made once a recording. */
export function cornerRays(camera: Intrinsics): Float32Array {
  const rays = new Float32Array((camera.width + 1) * (camera.height + 1) * 2);
  for (let v = 0, o = 0; v <= camera.height; v++)
    for (let u = 0; u <= camera.width; u++, o += 2) {
      const [x, y] = undistorted(
        camera,
        (u - 0.5 - camera.cx) / camera.fx,
        (v - 0.5 - camera.cy) / camera.fy,
      );
      rays[o] = x;
      rays[o + 1] = y;
    }
  return rays;
}

/**
 * Depth as the colour camera would have measured it: each depth pixel is a small square at its distance, moved into the
 * colour camera's frame and drawn into its picture; where several fall on one pixel the nearest stays. Depth in and out
 * in `unit_m`, 0 where there is none; the value is the distance along the colour camera's axis.
 */
export function alignDepth(
  depth: Uint16Array,
  rays: Float32Array,
  from: Intrinsics,
  to: Intrinsics,
  motion: Rigid,
  unit_m: number,
): Uint16Array {
  const out = new Uint16Array(to.width * to.height);
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = motion.rotation as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [tx, ty, tz] = motion.translation_m;
  const plain = to.distortion.every((k) => k === 0);
  const corner = (ray: number, z: number): [number, number, number] => {
    const [x, y] = [(rays[ray] as number) * z, (rays[ray + 1] as number) * z];
    const pz = r6 * x + r7 * y + r8 * z + tz;
    const px = (r0 * x + r1 * y + r2 * z + tx) / pz;
    const py = (r3 * x + r4 * y + r5 * z + ty) / pz;
    const [dx, dy] = plain ? [px, py] : distorted(to, px, py);
    return [dx * to.fx + to.cx, dy * to.fy + to.cy, pz];
  };
  for (let v = 0, i = 0; v < from.height; v++)
    for (let u = 0; u < from.width; u++, i++) {
      const raw = depth[i] as number;
      if (raw === 0) continue;
      const z = raw * unit_m;
      const ray = (v * (from.width + 1) + u) * 2;
      const [x0, y0, z0] = corner(ray, z);
      const [x1, y1, z1] = corner(ray + (from.width + 2) * 2, z);
      const moved = Math.round((z0 + z1) / 2 / unit_m);
      if (!(moved > 0 && moved < 65_536)) continue;
      // Pixels whose middle the square covers; a square smaller than a pixel still marks the one it lies in.
      const left = Math.max(0, Math.ceil(Math.min(x0, x1)));
      const right = Math.min(to.width - 1, Math.max(Math.ceil(Math.max(x0, x1)) - 1, left));
      const top = Math.max(0, Math.ceil(Math.min(y0, y1)));
      const bottom = Math.min(to.height - 1, Math.max(Math.ceil(Math.max(y0, y1)) - 1, top));
      for (let y = top; y <= bottom; y++)
        for (let x = left; x <= right; x++) {
          const o = y * to.width + x;
          const before = out[o] as number;
          if (before === 0 || moved < before) out[o] = moved;
        }
    }
  return out;
}
