import { type Cloud, depthSigma_m } from "./cloud";
import { inside, type Surface } from "./surfaces";

/** Something that stands on a surface, as one frame shows it. */
export interface Detection {
  /** Middle of the visible face, moved back into the thing as if it were as deep as it is wide; ENU metres. */
  readonly position_enu_m: readonly [number, number, number];
  readonly size_m: readonly [number, number, number];
  readonly range_m: number;
  readonly sigma_m: number;
  readonly box_px: readonly [number, number, number, number];
  readonly pixels: number;
  /** Cut by the image's edge or by something nearer: its middle is not the object's middle. */
  readonly partial: boolean;
  /** Mean colour, 0-255. */
  readonly colour: readonly [number, number, number];
}

const tallest_m = 0.45;
const smallest_px = 14;
/** Wider things are furniture; farther ones drown in depth noise (a centimetre and a half at 3.5 m). */
const widest_m = 0.4;
const farthest_m = 3.5;
/** A surface seen more flatly than this (rise over range, 11 degrees) shows fronts, not outlines; one above the lens shows its underside. */
const flattest = 0.2;

/** A thing may hang over the edge of what is seen of its surface by this much. */
const edge_m = 0.02;

function bounds(outline: Surface["outline"], margin_m: number): [number, number, number, number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of outline) {
    west = Math.min(west, x);
    south = Math.min(south, y);
    east = Math.max(east, x);
    north = Math.max(north, y);
  }
  return [west - margin_m, south - margin_m, east + margin_m, north + margin_m];
}

/** Connected pixels that rise above a surface, one detection each. */
export function findObjects(cloud: Cloud, rgb: Uint8Array, surfaces: readonly Surface[]): Detection[] {
  const owner = new Uint8Array(cloud.depth.length);
  surfaces.forEach((s, index) => {
    if (cloud.camera_enu_m[2] - s.z_m < 0.2) return;
    const [west, south, east, north] = bounds(s.outline, edge_m);
    for (let i = 0; i < owner.length; i++) {
      const d = cloud.depth[i] ?? 0;
      if (!(d > 0) || owner[i] !== 0) continue;
      const above_m = (cloud.z[i] ?? 0) - s.z_m;
      if (above_m < 0.015 || above_m > tallest_m || above_m < 3 * depthSigma_m(d)) continue;
      const x = cloud.x[i] ?? 0;
      const y = cloud.y[i] ?? 0;
      if (x < west || x > east || y < south || y > north) continue;
      if (inside(s.outline, x, y, edge_m)) owner[i] = index + 1;
    }
  });
  const found: Detection[] = [];
  const queue = new Int32Array(owner.length);
  for (let seed = 0; seed < owner.length; seed++) {
    const mark = owner[seed] ?? 0;
    if (mark === 0) continue;
    const count = flood(cloud, owner, queue, seed, mark);
    if (count < smallest_px) continue;
    const surface = surfaces[mark - 1];
    if (surface === undefined) continue;
    const detection = measure(cloud, rgb, queue.subarray(0, count), surface);
    if (detection !== null) found.push(detection);
  }
  return found;
}

/** Collects the connected pixels of `mark` into `queue` and clears them; a step in depth separates. */
function flood(cloud: Cloud, owner: Uint8Array, queue: Int32Array, seed: number, mark: number): number {
  const { width, height, depth } = cloud;
  let count = 1;
  queue[0] = seed;
  owner[seed] = 0;
  for (let head = 0; head < count; head++) {
    const i = queue[head] ?? 0;
    const u = i % width;
    const v = (i - u) / width;
    const d = depth[i] ?? 0;
    const step_m = Math.max(0.03, 4 * depthSigma_m(d));
    for (let dv = -1; dv <= 1; dv++) {
      for (let du = -1; du <= 1; du++) {
        const nu = u + du;
        const nv = v + dv;
        if (nu < 0 || nv < 0 || nu >= width || nv >= height) continue;
        const j = nv * width + nu;
        if (owner[j] !== mark || Math.abs((depth[j] ?? 0) - d) > step_m) continue;
        owner[j] = 0;
        queue[count++] = j;
      }
    }
  }
  return count;
}

function measure(cloud: Cloud, rgb: Uint8Array, pixels: Int32Array, surface: Surface): Detection | null {
  const { width, height } = cloud;
  let left = width;
  let right = 0;
  let top = height;
  let bottom = 0;
  const xs: number[] = [];
  const ys: number[] = [];
  const zs: number[] = [];
  const ds: number[] = [];
  const colour: [number, number, number] = [0, 0, 0];
  for (const i of pixels) {
    const u = i % width;
    const v = (i - u) / width;
    left = Math.min(left, u);
    right = Math.max(right, u);
    top = Math.min(top, v);
    bottom = Math.max(bottom, v);
    ds.push(cloud.depth[i] ?? 0);
    for (let c = 0; c < 3; c++) colour[c as 0 | 1 | 2] += rgb[3 * i + c] ?? 0;
  }
  // Walls and furniture are most of the pixels that rise above a surface: told by their width, before anything is sorted.
  const rough_m = ds[ds.length >> 1] ?? 0;
  if (((right - left + 1) * rough_m) / cloud.focal_px > 1.5 * widest_m || rough_m > 1.2 * farthest_m)
    return null;
  const range_m = median(ds);
  // Mixed pixels at the silhouette lie between object and background: keep what is near the median depth.
  const spread_m = Math.max(
    3 * median(ds.map((d) => Math.abs(d - range_m))),
    3 * depthSigma_m(range_m),
    0.02,
  );
  for (const i of pixels) {
    if (Math.abs((cloud.depth[i] ?? 0) - range_m) > spread_m) continue;
    xs.push(cloud.x[i] ?? 0);
    ys.push(cloud.y[i] ?? 0);
    zs.push(cloud.z[i] ?? 0);
  }
  if (xs.length < smallest_px / 2 || range_m > farthest_m) return null;
  const x = mean(xs);
  const y = mean(ys);
  const bx = x - cloud.camera_enu_m[0];
  const by = y - cloud.camera_enu_m[1];
  const n = Math.hypot(bx, by) || 1;
  const [dx, dy] = [bx / n, by / n];
  const across = extent(xs.map((px, i) => -(px - x) * dy + ((ys[i] ?? 0) - y) * dx));
  const along = extent(xs.map((px, i) => (px - x) * dx + ((ys[i] ?? 0) - y) * dy));
  if (across > widest_m || along > widest_m) return null;
  const heightAbove_m = Math.max(0.01, percentile(zs, 0.97) - surface.z_m);
  const width_m = Math.max(0.01, across);
  // Mostly the near face is seen: half a width before the middle of a box, a third before that of a cylinder.
  const behind_m = 0.42 * width_m;
  const pixel_m = range_m / cloud.focal_px;
  const noise_m = Math.hypot(depthSigma_m(range_m), pixel_m) / Math.sqrt(Math.max(1, xs.length / 6));
  return {
    position_enu_m: [x + dx * behind_m, y + dy * behind_m, surface.z_m + heightAbove_m / 2],
    size_m: [width_m, Math.max(0.01, along), heightAbove_m],
    range_m,
    sigma_m: Math.hypot(noise_m, 0.05 * width_m),
    box_px: [left, top, right - left + 1, bottom - top + 1],
    pixels: pixels.length,
    partial:
      cloud.camera_enu_m[2] - surface.z_m < flattest * n ||
      left <= 1 ||
      top <= 1 ||
      right >= width - 2 ||
      bottom >= height - 2 ||
      occluded(cloud, left, right, top, bottom, range_m),
    colour: [colour[0] / pixels.length, colour[1] / pixels.length, colour[2] / pixels.length],
  };
}

/** Something clearly nearer stands against the left, right or lower side of the object's box. */
function occluded(
  cloud: Cloud,
  left: number,
  right: number,
  top: number,
  bottom: number,
  range_m: number,
): boolean {
  const { width, depth } = cloud;
  let nearer = 0;
  let looked = 0;
  for (let v = top; v <= bottom; v++) {
    for (const u of [left - 2, right + 2]) {
      const d = depth[v * width + u] ?? 0;
      looked += 1;
      if (d > 0 && d < range_m - 0.06) nearer += 1;
    }
  }
  return nearer > 0.3 * looked;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const median = (values: readonly number[]): number => percentile(values, 0.5);
function extent(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return ranked(sorted, 0.96) - ranked(sorted, 0.04);
}
function percentile(values: readonly number[], share: number): number {
  return ranked(Float64Array.from(values).sort(), share);
}
const ranked = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
