import { type Cloud, depthSigma_m } from "./cloud";
import type { Surface } from "./surfaces";

/** Something that stands on a surface, as one frame shows it. */
export interface Detection {
  /** ENU metres: midway between the sides of what is seen from above, at half its height. */
  readonly position_enu_m: readonly [number, number, number];
  readonly size_m: readonly [number, number, number];
  readonly range_m: number;
  readonly sigma_m: number;
  readonly box_px: readonly [number, number, number, number];
  readonly pixels: number;
  /** Cut by the edge of picture or depth or by something nearer, or its top is not seen: its middle is not the object's middle. */
  readonly partial: boolean;
  /** Mean colour, 0-255. */
  readonly colour: readonly [number, number, number];
}

/** One exposure in the world, and how far it reaches. */
export interface Picture {
  readonly cloud: Cloud;
  /** Row-major, 3 bytes a pixel. */
  readonly rgb: Uint8Array;
  readonly limits: DepthLimits;
}

/**
 * A top seen more flatly than this (rise over range) does not show how deep the thing is. Seen from above, what is seen of a
 * thing reaches from its near to its far side, and the middle between these is the thing's own middle from every direction;
 * that of its front, or the mean of its pixels, is not (5 cm of difference for a box of 6 x 16 cm).
 */
const top_seen = 0.2;
export const smallest_px = 14;
/** Wider things are furniture; farther ones drown in depth noise (a centimetre and a half at 3.5 m). */
export const widest_m = 0.4;
const farthest_m = 3.5;
/** A surface seen more flatly than this (rise over range, 11 degrees) shows fronts, not outlines; one above the lens shows its underside. */
const flattest = 0.2;

/** Place, size and look of the pixels of one thing; null when they are furniture, too few or too far. */
export function measure(
  { cloud, rgb, limits }: Picture,
  pixels: Int32Array,
  surface: Surface,
): Detection | null {
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
  const rise = (cloud.camera_enu_m[2] - surface.z_m - heightAbove_m) / n;
  const pixel_m = range_m / cloud.focal_px;
  const box_px = [left, top, right - left + 1, bottom - top + 1] as const;
  const noise_m = Math.hypot(depthSigma_m(range_m), pixel_m) / Math.sqrt(Math.max(1, xs.length / 6));
  return {
    position_enu_m: [
      x + dx * away.middle_m - dy * sideways.middle_m,
      y + dy * away.middle_m + dx * sideways.middle_m,
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
      !(rise >= top_seen) ||
      floats(zs, surface.z_m, depthSigma_m(range_m), pixel_m) ||
      atLimits(limits, pixels, width) ||
      hiddenBeside(cloud, box_px, range_m) ||
      hiddenBelow(cloud, pixels, (pixel_m * range_m) / Math.max(0.05, cloud.camera_enu_m[2] - surface.z_m)),
    colour: [colour[0] / pixels.length, colour[1] / pixels.length, colour[2] / pixels.length],
  };
}

/** The first and last pixel of each row that have depth all along from there on: where what is seen of the world ends. */
interface DepthLimits {
  readonly first: Int32Array;
  readonly last: Int32Array;
}

/**
 * A stereo camera measures nothing at the left of its picture, where only one of its imagers looks: a band of f B / Z
 * pixels. A thing that slides into it while the vehicle turns is cut there, far from the picture's own edge.
 */
export function depthLimits({ width, height, depth }: Cloud): DepthLimits {
  const first = new Int32Array(height).fill(width);
  const last = new Int32Array(height).fill(-1);
  const measured = (i: number, step: number): boolean =>
    [0, 1, 2].every((k) => (depth[i + k * step] ?? 0) > 0);
  for (let v = 0; v < height; v++) {
    let u = 0;
    while (u < width - 3 && !measured(v * width + u, 1)) u += 1;
    first[v] = u;
    u = width - 1;
    while (u > 2 && !measured(v * width + u, -1)) u -= 1;
    last[v] = u;
  }
  return { first, last };
}

/** In a tenth of its rows the thing begins or ends where depth does. */
function atLimits({ first, last }: DepthLimits, pixels: Int32Array, width: number): boolean {
  const rows = new Set<number>();
  const cut = new Set<number>();
  for (const i of pixels) {
    const v = Math.floor(i / width);
    const u = i - v * width;
    rows.add(v);
    if (u <= (first[v] ?? width) + 1 || u >= (last[v] ?? -1) - 1) cut.add(v);
  }
  return cut.size > 0.1 * rows.size;
}

/**
 * What is seen does not reach down to what carries it: its foot is hidden, or it is the head of a thing whose neck stands so
 * far back that the step in depth has cut it off, or the far inside of a cup.
 */
function floats(zs: readonly number[], ground_m: number, noise_m: number, pixel_m: number): boolean {
  return percentile(zs, 0.03) - ground_m > Math.max(0.015, 3 * noise_m) + 2 * pixel_m;
}

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
  const [low, high] = [ranked(sorted, 0.03), ranked(sorted, 0.97)];
  return { length_m: high - low, middle_m: (low + high) / 2 };
}
function percentile(values: readonly number[], share: number): number {
  return ranked(Float64Array.from(values).sort(), share);
}
const ranked = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
