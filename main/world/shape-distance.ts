import type { Enu } from "#contract/frames";
import type { StaticShape } from "#contract/geometry";
import type { VehicleShape } from "./vehicle-shape";

/**
 * Signed gap between the vehicle at `centre` and a static shape, metres; negative is how deep they overlap.
 *
 * Both are upright prisms (an outline times a height range), so the gap is exact: horizontal and vertical gaps are
 * independent. It is a convex function of `centre`, which {@link sweptDistance} relies on. NaN in, NaN out.
 */
export function shapeDistance(centre: Enu, vehicle: VehicleShape, shape: StaticShape): number {
  const horizontal_m = outlineDistance(centre, shape) - vehicle.radius_m;
  const vertical_m = Math.abs(centre[2] - shape.centre_enu_m[2]) - shape.half_m[2] - vehicle.half_height_m;
  return prismDistance(horizontal_m, vertical_m);
}

/** Signed distance of a product set from the signed distances of its two factors. */
export function prismDistance(a_m: number, b_m: number): number {
  return Math.hypot(Math.max(a_m, 0), Math.max(b_m, 0)) + Math.min(Math.max(a_m, b_m), 0);
}

/** Signed distance of a point's ground plot to the shape's outline: rectangle turned by yaw, or disc. */
function outlineDistance(point: Enu, shape: StaticShape): number {
  const dx = point[0] - shape.centre_enu_m[0];
  const dy = point[1] - shape.centre_enu_m[1];
  if (shape.kind === "cylinder") return Math.hypot(dx, dy) - shape.half_m[0];
  const c = Math.cos(shape.yaw_enu_rad);
  const s = Math.sin(shape.yaw_enu_rad);
  return prismDistance(
    Math.abs(c * dx + s * dy) - shape.half_m[0],
    Math.abs(c * dy - s * dx) - shape.half_m[1],
  );
}
