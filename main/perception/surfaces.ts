import { type Cloud, depthSigma_m } from "./cloud";

/** A horizontal surface that carries things: its height and the convex outline of what is seen of it. */
export interface Surface {
  readonly z_m: number;
  /** Counter-clockwise convex hull, x and y. */
  readonly outline: readonly (readonly [number, number])[];
  readonly pixels: number;
}

const bin_m = 0.015;
const lowest_m = -0.5;
const highest_m = 3;
const bins = Math.round((highest_m - lowest_m) / bin_m);
/** Neighbours this far apart tell a level patch from a wall even through depth noise. */
const reach_px = 3;

/**
 * Finds level surfaces above the floor by a height histogram of level pixels. Gravity is known from the vehicle's
 * attitude, so a plane fit is not needed, and every frame finds its own height: an attitude error moves surface
 * and objects alike.
 */
export function findSurfaces(cloud: Cloud, floor_m = 0.15): Surface[] {
  const { width, height, z, depth } = cloud;
  const level = new Int32Array(width * height);
  let levels = 0;
  const histogram = new Float32Array(bins);
  for (let v = 0; v < height - reach_px; v++) {
    for (let u = 0; u < width - reach_px; u++) {
      const i = v * width + u;
      const d = depth[i] ?? 0;
      const right = i + reach_px;
      const below = i + reach_px * width;
      if (!(d > 0 && (depth[right] ?? 0) > 0 && (depth[below] ?? 0) > 0)) continue;
      const here = z[i] ?? 0;
      const slack = Math.max(0.012, 2.5 * depthSigma_m(d));
      if (Math.abs((z[right] ?? 0) - here) > slack || Math.abs((z[below] ?? 0) - here) > slack) continue;
      level[levels++] = i;
      const b = Math.floor((here - lowest_m) / bin_m);
      if (here > floor_m && b >= 0 && b < bins) histogram[b] = (histogram[b] ?? 0) + 1;
    }
  }
  return peaks(histogram, Math.max(150, 0.004 * width * height)).flatMap((z_m) =>
    patchesAt(cloud, level.subarray(0, levels), z_m),
  );
}

/** Heights of local maxima of the smoothed histogram, at least 8 cm apart, strongest first. */
function peaks(histogram: Float32Array, atLeast: number): number[] {
  const sum = (b: number): number => (histogram[b - 1] ?? 0) + (histogram[b] ?? 0) + (histogram[b + 1] ?? 0);
  const candidates: { z_m: number; weight: number }[] = [];
  for (let b = 1; b < bins - 1; b++) {
    const weight = sum(b);
    if (weight >= atLeast && weight >= sum(b - 1) && weight > sum(b + 1))
      candidates.push({ z_m: lowest_m + (b + 0.5) * bin_m, weight });
  }
  candidates.sort((a, b) => b.weight - a.weight);
  const chosen: number[] = [];
  for (const { z_m } of candidates) if (chosen.every((c) => Math.abs(c - z_m) > 0.08)) chosen.push(z_m);
  return chosen.slice(0, 6);
}

const cell_m = 0.1;

/** Level pixels near one height, split into patches that do not touch: two tables of one height are two surfaces. */
function patchesAt(cloud: Cloud, level: Int32Array, near_m: number): Surface[] {
  const cells = new Map<number, number[]>();
  // Neighbours in a row mostly lie in one cell: it is looked up once for all of them.
  let [here, cell]: [number, number[]] = [Number.NaN, []];
  const { x, y, z } = cloud;
  for (let n = 0; n < level.length; n++) {
    const i = level[n] as number;
    if (Math.abs((z[i] as number) - near_m) > 1.5 * bin_m) continue;
    const cx = Math.floor((x[i] as number) / cell_m);
    const key = cellKey(cx, Math.floor((y[i] as number) / cell_m));
    if (key !== here) {
      here = key;
      cell = cells.get(key) ?? [];
      if (cell.length === 0) cells.set(key, cell);
    }
    cell.push(i);
  }
  const patches: Surface[] = [];
  for (const start of [...cells.keys()]) {
    const pixels = takePatch(cells, start);
    const patch = pixels.length < 120 ? null : surfaceOf(cloud, pixels);
    if (patch !== null) patches.push(patch);
  }
  return patches;
}

/** Cells within 200 m of the origin have keys of their own. */
const cellKey = (cx: number, cy: number): number => (cx + 2000) * 4096 + (cy + 2000);

/** Removes the cells connected to `start` from the map and returns their pixels. */
function takePatch(cells: Map<number, number[]>, start: number): number[] {
  const pixels: number[] = [];
  const open = [start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const cell = cells.get(key);
    if (cell === undefined) continue;
    cells.delete(key);
    for (const i of cell) pixels.push(i);
    const cx = Math.floor(key / 4096) - 2000;
    const cy = (key % 4096) - 2000;
    for (let dx = -1; dx <= 1; dx++) for (let dy = -1; dy <= 1; dy++) open.push(cellKey(cx + dx, cy + dy));
  }
  return pixels;
}

function surfaceOf(cloud: Cloud, pixels: readonly number[]): Surface | null {
  const heights = Float64Array.from(pixels, (i) => cloud.z[i] ?? 0).sort();
  const outline = convexHull(
    pixels.filter((_, n) => n % 3 === 0).map((i) => [cloud.x[i] ?? 0, cloud.y[i] ?? 0] as const),
  );
  if (area(outline) < 0.04) return null;
  return { z_m: heights[heights.length >> 1] ?? 0, outline, pixels: pixels.length };
}

/** Andrew's monotone chain. */
export function convexHull(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
    const chain: (readonly [number, number])[] = [];
    for (const p of list) {
      for (;;) {
        const b = chain.at(-1);
        const a = chain.at(-2);
        if (a === undefined || b === undefined) break;
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain;
  };
  const lower = half(sorted);
  const upper = half(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function area(outline: readonly (readonly [number, number])[]): number {
  return Math.abs(
    outline.reduce((sum, [x, y], i) => {
      const [nx, ny] = outline[(i + 1) % outline.length] ?? [x, y];
      return sum + (x * ny - nx * y) / 2;
    }, 0),
  );
}

/** Tells of a point whether it lies inside a counter-clockwise convex outline, or at most `margin_m` outside of it. */
export function insideOf(
  outline: readonly (readonly [number, number])[],
  margin_m = 0,
): (x: number, y: number) => boolean {
  // Asked for every pixel of a picture: the edges are looked up once.
  const edges = outline.flatMap((a, i) => {
    const b = outline[(i + 1) % outline.length] ?? a;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    return length < 1e-9 ? [] : [a[0], a[1], b[0] - a[0], b[1] - a[1], length];
  });
  const known = Float64Array.from(edges);
  const enough = outline.length >= 3;
  return (x, y) => {
    for (let e = 0; e < known.length; e += 5) {
      const dx = known[e + 2] as number;
      const dy = known[e + 3] as number;
      const out = -(dx * (y - (known[e + 1] as number)) - dy * (x - (known[e] as number)));
      if (out / (known[e + 4] as number) > margin_m) return false;
    }
    return enough;
  };
}
