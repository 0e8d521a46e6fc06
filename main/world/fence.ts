import type { Enu } from "#contract/frames";
import type { Site } from "#contract/geometry";
import { type Closest, closer, nothingNear } from "./swept";
import type { VehicleShape } from "./vehicle-shape";

/**
 * Room left between the vehicle and the fence's four walls along a path, metres; negative is outside.
 * The fence is a box, so the corners of the path decide. Its top is the ceiling's business, its bottom the ground's.
 */
export function fenceRoom(path: readonly Enu[], vehicle: VehicleShape, fence: Site["fence"]): Closest {
  let best = nothingNear;
  for (const at of path) {
    const walls: readonly (readonly [string, number])[] = [
      ["west fence", at[0] - fence.min_enu_m[0]],
      ["east fence", fence.max_enu_m[0] - at[0]],
      ["south fence", at[1] - fence.min_enu_m[1]],
      ["north fence", fence.max_enu_m[1] - at[1]],
    ];
    for (const [what, room_m] of walls)
      best = closer(best, { distance_m: room_m - vehicle.radius_m, at_enu_m: at, what });
  }
  return best;
}

/** The highest point that the vehicle's top reaches, metres in the site frame; NaN when any height is. */
export function highestTop(path: readonly Enu[], vehicle: VehicleShape): number {
  return Math.max(...path.map((at) => at[2])) + vehicle.half_height_m;
}
