import { type Origin, toLocal } from "./geodesy";
import { command, type PlanItem } from "./plan";
import type { Vec3 } from "./vector";

type Corner = readonly [number, number];
interface Polygon {
  readonly inside: boolean;
  readonly corners: readonly Corner[];
}
interface Circle {
  readonly inside: boolean;
  readonly centre: Corner;
  readonly radius_m: number;
}
export interface Fence {
  readonly polygons: readonly Polygon[];
  readonly circles: readonly Circle[];
}
export const noFence: Fence = { polygons: [], circles: [] };

/** The stored fence items in local NED metres. The list has been judged complete on upload. */
export function readFence(items: readonly PlanItem[], origin: Origin): Fence {
  const polygons: Polygon[] = [];
  const circles: Circle[] = [];
  const place = (item: PlanItem): Corner => {
    const [x, y] = toLocal(origin, item.x / 1e7, item.y / 1e7, 0);
    return [x, y];
  };
  for (let i = 0; i < items.length; ) {
    const item = items[i];
    if (!item) break;
    const inside = item.command === command.fence_polygon_in || item.command === command.fence_circle_in;
    if (item.command === command.fence_polygon_in || item.command === command.fence_polygon_out) {
      const count = Math.max(1, item.params[0]);
      polygons.push({ inside, corners: items.slice(i, i + count).map(place) });
      i += count;
      continue;
    }
    if (item.command !== command.fence_return)
      circles.push({ inside, centre: place(item), radius_m: item.params[0] });
    i++;
  }
  return { polygons, circles };
}

/** Even-odd rule; a point on an edge may fall on either side. */
function contains(corners: readonly Corner[], [x, y]: Corner): boolean {
  let odd = false;
  for (let i = 0; i < corners.length; i++) {
    const [ax, ay] = corners[i] ?? [0, 0];
    const [bx, by] = corners[(i + 1) % corners.length] ?? [0, 0];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  }
  return odd;
}

/** PX4's rule: inside every inclusion zone's union (if there is any), outside all exclusion zones. */
export function outsideFence(fence: Fence, position: Vec3): boolean {
  const here: Corner = [position[0], position[1]];
  const zones = [
    ...fence.polygons.map((p) => ({ keepIn: p.inside, within: contains(p.corners, here) })),
    ...fence.circles.map((c) => ({
      keepIn: c.inside,
      within: Math.hypot(here[0] - c.centre[0], here[1] - c.centre[1]) < c.radius_m,
    })),
  ];
  if (zones.some((z) => !z.keepIn && z.within)) return true;
  const keepIn = zones.filter((z) => z.keepIn);
  return keepIn.length > 0 && !keepIn.some((z) => z.within);
}
