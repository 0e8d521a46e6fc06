import { type Cloud, depthSigma_m } from "./cloud";
import { inside, type Surface } from "./surfaces";

/** Something that stands on a surface, as one frame shows it. */
export interface Detection {
  /**
   * ENU metres. Seen from above, the middle of what is seen; else the middle of the visible face, moved back into the thing
   * as if it were as deep as it is wide.
   */
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

/** Pixels that belong to a detection already. Surfaces are few, so no mark is as high. */
const taken = 255;
/** More than this beyond the surface's outline, as a share of what lies within: it is cut there. */
const beyond_share = 0.05;

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

/** A pixel that stands out of the surface's noise, no higher than things are. */
function rises(cloud: Cloud, i: number, surface: Surface): boolean {
  const d = cloud.depth[i] ?? 0;
  const above_m = (cloud.z[i] ?? 0) - surface.z_m;
  return d > 0 && above_m >= 0.015 && above_m <= tallest_m && above_m >= 3 * depthSigma_m(d);
}

/** Connected pixels that rise above a surface, one detection each. */
export function findObjects(cloud: Cloud, rgb: Uint8Array, surfaces: readonly Surface[]): Detection[] {
  const owner = new Uint8Array(cloud.depth.length);
  surfaces.forEach((s, index) => {
    if (cloud.camera_enu_m[2] - s.z_m < 0.2) return;
    const [west, south, east, north] = bounds(s.outline, edge_m);
    for (let i = 0; i < owner.length; i++) {
      if (owner[i] !== 0 || !rises(cloud, i, s)) continue;
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
    const surface = surfaces[mark - 1];
    if (surface === undefined) continue;
    const count = flood(cloud, owner, queue, seed, mark);
    if (count < smallest_px) continue;
    const detection = wholeOrPart(cloud, rgb, owner, queue, count, surface);
    if (detection !== null) found.push(detection);
  }
  return found;
}

/**
 * What is seen of a surface ends at the picture's edge and behind things, and so do the pixels that were found on it: a
 * tall thing near that end would lose its front, and its middle would seem to go backwards while the vehicle comes
 * closer. So it is followed beyond. What then is no thing any more (it leads on into furniture) was only seen in part.
 */
function wholeOrPart(
  cloud: Cloud,
  rgb: Uint8Array,
  owner: Uint8Array,
  queue: Int32Array,
  count: number,
  surface: Surface,
): Detection | null {
  const total = follow(cloud, owner, queue, count, surface);
  const part = (): Detection | null => measure(cloud, rgb, queue.subarray(0, count), surface);
  if (total - count <= beyond_share * count) return part();
  const whole = measure(cloud, rgb, queue.subarray(0, total), surface);
  if (whole !== null) return whole;
  const rest = part();
  return rest === null ? null : { ...rest, partial: true };
}

/** Collects the connected pixels of `mark` into `queue` and takes them; a step in depth separates. */
function flood(cloud: Cloud, owner: Uint8Array, queue: Int32Array, seed: number, mark: number): number {
  queue[0] = seed;
  owner[seed] = taken;
  return spread(cloud, queue, 1, (j) => {
    if (owner[j] !== mark) return false;
    owner[j] = taken;
    return true;
  });
}

/** Goes on from the first `count` pixels of `queue` over pixels that rise above the surface beyond its outline. */
function follow(cloud: Cloud, owner: Uint8Array, queue: Int32Array, count: number, surface: Surface): number {
  return spread(cloud, queue, count, (j) => {
    if (owner[j] !== 0 || !rises(cloud, j, surface)) return false;
    owner[j] = taken;
    return true;
  });
}

/** Breadth first over the neighbours that `take` takes, from all pixels that are in the queue; returns how many it holds then. */
function spread(cloud: Cloud, queue: Int32Array, from: number, take: (j: number) => boolean): number {
  const { width, height, depth } = cloud;
  let count = from;
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
        if (Math.abs((depth[j] ?? 0) - d) > step_m || !take(j)) continue;
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
  // Mixed pixels at the silhouette lie between object and background: keep what is near the median depth, but not less than
  // the top of an ordinary thing, or the middle of its two ends would not be its own.
  const spread_m = Math.max(3 * median(ds.map((d) => Math.abs(d - range_m))), 3 * depthSigma_m(range_m), 0.1);
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
  const sideways = extent(xs.map((px, i) => -(px - x) * dy + ((ys[i] ?? 0) - y) * dx));
  const away = extent(xs.map((px, i) => (px - x) * dx + ((ys[i] ?? 0) - y) * dy));
  const [across, along] = [sideways.length_m, away.length_m];
  if (across > widest_m || along > widest_m) return null;
  const heightAbove_m = Math.max(0.01, percentile(zs, 0.97) - surface.z_m);
  const width_m = Math.max(0.01, across);
  const from_above = topSeen(cloud.camera_enu_m[2] - surface.z_m - heightAbove_m, n);
  // From the front mostly the near face is seen: half a width before the middle of a box, a third before a cylinder's.
  const behind_m = from_above * away.middle_m + (1 - from_above) * 0.42 * width_m;
  const beside_m = from_above * sideways.middle_m;
  const pixel_m = range_m / cloud.focal_px;
  const box_px = [left, top, right - left + 1, bottom - top + 1] as const;
  const noise_m = Math.hypot(depthSigma_m(range_m), pixel_m) / Math.sqrt(Math.max(1, xs.length / 6));
  return {
    position_enu_m: [
      x + dx * behind_m - dy * beside_m,
      y + dy * behind_m + dx * beside_m,
      surface.z_m + heightAbove_m / 2,
    ],
    size_m: [width_m, Math.max(0.01, along), heightAbove_m],
    range_m,
    sigma_m: Math.hypot(noise_m, 0.05 * width_m),
    box_px,
    pixels: pixels.length,
    partial:
      cloud.camera_enu_m[2] - surface.z_m < flattest * n ||
      left <= 1 ||
      top <= 1 ||
      right >= width - 2 ||
      bottom >= height - 2 ||
      hiddenBeside(cloud, box_px, range_m) ||
      hiddenBelow(cloud, pixels, (pixel_m * range_m) / Math.max(0.05, cloud.camera_enu_m[2] - surface.z_m)),
    colour: [colour[0] / pixels.length, colour[1] / pixels.length, colour[2] / pixels.length],
  };
}

/**
 * How far the top tells where the middle is, 0 to 1. Seen from above, what is seen of a thing reaches from its near to its
 * far side, and the middle between these is the thing's own middle from every direction; the mean of its pixels is not
 * (5 cm of difference for a box of 6 x 16 cm seen 12 degrees further round).
 */
const topSeen = (above_m: number, away_m: number): number =>
  Math.max(0, Math.min(1, (above_m / away_m - 0.1) / 0.15));

/** Something clearly nearer stands against the left or right side of the object's box. */
function hiddenBeside(cloud: Cloud, [left, top, w, h]: Detection["box_px"], range_m: number): boolean {
  const { width, depth } = cloud;
  let nearer = 0;
  for (let v = top; v < top + h; v++) {
    for (const u of [left - 2, left + w + 1]) {
      const d = u < 0 || u >= width ? 0 : (depth[v * width + u] ?? 0);
      if (d > 0 && d < range_m - 0.06) nearer += 1;
    }
  }
  return nearer > 0.6 * h;
}

/**
 * Something nearer covers the foot: below the lowest pixels comes a step towards us, not the surface that carries the thing
 * (which comes nearer by `slope_m` a pixel).
 */
function hiddenBelow(cloud: Cloud, pixels: Int32Array, slope_m: number): boolean {
  const { width, depth } = cloud;
  const lowest = new Map<number, number>();
  for (const i of pixels) lowest.set(i % width, Math.max(lowest.get(i % width) ?? 0, i));
  let nearer = 0;
  for (const i of lowest.values()) {
    const d = depth[i + 2 * width] ?? 0;
    if (d > 0 && d < (depth[i] ?? 0) - 0.05 - 3 * slope_m) nearer += 1;
  }
  return nearer > 0.3 * lowest.size;
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const median = (values: readonly number[]): number => percentile(values, 0.5);
function extent(values: readonly number[]): { readonly length_m: number; readonly middle_m: number } {
  const sorted = Float64Array.from(values).sort();
  const [low, high] = [ranked(sorted, 0.04), ranked(sorted, 0.96)];
  return { length_m: high - low, middle_m: (low + high) / 2 };
}
function percentile(values: readonly number[], share: number): number {
  return ranked(Float64Array.from(values).sort(), share);
}
const ranked = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
