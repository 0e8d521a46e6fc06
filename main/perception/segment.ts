import { invariant } from "#contract/result";
import { type Cloud, depthSigma_m } from "./cloud";
import { type Detection, depthLimits, measure, type Picture, smallest_px, widest_m } from "./measure";
import { insideOf, type Surface } from "./surfaces";

const tallest_m = 0.45;
/** A thing may hang over the edge of what is seen of its surface by this much. */
const edge_m = 0.02;

/** Pixels that belong to a detection already. Surfaces are few, so no mark is as high. */
const taken = 255;
/** Things that stand further apart in depth than this are never one. */
const levelStepMax_m = 0.07;
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
    const inside = insideOf(s.outline, edge_m);
    const [lowest_m, highest_m] = [s.z_m + 0.01, s.z_m + tallest_m + 0.01];
    for (let i = 0; i < owner.length; i++) {
      // What rules out most pixels comes first.
      const z = cloud.z[i] as number;
      if (z < lowest_m || z > highest_m || owner[i] !== 0) continue;
      const x = cloud.x[i] as number;
      const y = cloud.y[i] as number;
      if (x < west || x > east || y < south || y > north) continue;
      if (rises(cloud, i, s) && inside(x, y)) owner[i] = index + 1;
    }
  });
  const found: Detection[] = [];
  const queue = new Int32Array(owner.length);
  const picture = { cloud, rgb, limits: depthLimits(cloud) };
  for (let seed = 0; seed < owner.length; seed++) {
    const mark = owner[seed] as number;
    if (mark === 0 || mark === taken) continue;
    const surface = surfaces[mark - 1];
    invariant(surface !== undefined, "a mark of a surface");
    const count = flood(cloud, owner, queue, seed, mark);
    if (count < smallest_px) continue;
    const detection = wholeOrPart(picture, owner, queue, count, surface);
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
  picture: Picture,
  owner: Uint8Array,
  queue: Int32Array,
  count: number,
  surface: Surface,
): Detection | null {
  const total = follow(picture.cloud, owner, queue, count, surface, mostOf(picture.cloud, queue[0] ?? 0));
  const part = (): Detection | null => measure(picture, queue.subarray(0, count), surface);
  if (total - count <= beyond_share * count) return part();
  const whole = measure(picture, queue.subarray(0, total), surface);
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
function follow(
  cloud: Cloud,
  owner: Uint8Array,
  queue: Int32Array,
  count: number,
  surface: Surface,
  most: number,
): number {
  const take = (j: number): boolean => {
    if (owner[j] !== 0 || !rises(cloud, j, surface)) return false;
    owner[j] = taken;
    return true;
  };
  return spread(cloud, queue, count, take, most);
}

/** More pixels than this at the depth of pixel `i` are furniture, whatever else they are: no need to follow them to their end. */
function mostOf({ depth, focal_px }: Cloud, i: number): number {
  const px_m = focal_px / Math.max(0.3, depth[i] ?? 0);
  return 4 * widest_m * tallest_m * px_m * px_m;
}

/** From one row of pixels to the next a level top goes away from us by this much; flat views would cut it off its front. */
function levelStep_m(cloud: Cloud, i: number): number {
  const d = cloud.depth[i] ?? 0;
  const below_m = cloud.camera_enu_m[2] - (cloud.z[i] ?? 0);
  return below_m > 0 ? Math.min(levelStepMax_m, (1.2 * d * d) / (cloud.focal_px * below_m)) : 0;
}

/**
 * Breadth first over the neighbours that `take` takes, from all pixels that are in the queue, until there are `most`;
 * returns how many it holds then.
 */
function spread(
  cloud: Cloud,
  queue: Int32Array,
  from: number,
  take: (j: number) => boolean,
  most = Infinity,
): number {
  const { width, height, depth } = cloud;
  let count = from;
  for (let head = 0; head < count && count < most; head++) {
    const i = queue[head] ?? 0;
    const u = i % width;
    const v = (i - u) / width;
    const d = depth[i] ?? 0;
    const step_m = Math.max(0.03, 4 * depthSigma_m(d), levelStep_m(cloud, i));
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
