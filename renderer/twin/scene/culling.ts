import type { StaticShape } from "#contract/geometry";

type Point = readonly [number, number, number];

/**
 * Whether a wall or ceiling stands between the observer and the room's middle: the observer is on its outer side.
 * The wall's face is its thinnest axis; "outer" is the side away from the middle.
 */
export function hidesInside(
  shape: Pick<StaticShape, "centre_enu_m" | "half_m" | "yaw_enu_rad">,
  eye: Point,
  middle: Point,
): boolean {
  const [hx, hy, hz] = shape.half_m;
  const thin = Math.min(hx, hy, hz);
  const c = Math.cos(shape.yaw_enu_rad);
  const s = Math.sin(shape.yaw_enu_rad);
  const normal: Point = thin === hz ? [0, 0, 1] : thin === hx ? [c, s, 0] : [-s, c, 0];
  const along = (p: Point): number =>
    (p[0] - shape.centre_enu_m[0]) * normal[0] +
    (p[1] - shape.centre_enu_m[1]) * normal[1] +
    (p[2] - shape.centre_enu_m[2]) * normal[2];
  const inner = Math.sign(along(middle)) || 1;
  return along(eye) * inner < thin;
}
