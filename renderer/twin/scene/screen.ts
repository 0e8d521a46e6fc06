import { type Camera, Raycaster, Vector2, Vector3 } from "three";
import type { Enu } from "#contract/frames";

/** Where a point of the scene stands in the picture, pixels from its upper left corner; null when it is not in it. */
export function onScreen(
  camera: Camera,
  point: Enu,
  size: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number } | null {
  const p = new Vector3(...point).project(camera);
  if (p.z > 1 || Math.abs(p.x) > 1 || Math.abs(p.y) > 1) return null;
  return { x: (p.x * 0.5 + 0.5) * size.width, y: (-p.y * 0.5 + 0.5) * size.height };
}

/** The point at a height under a place of the picture (-1 to 1, y up); null when the look goes above the horizon. */
export function underneath(camera: Camera, x: number, y: number, height_m: number): Enu | null {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(x, y), camera);
  const { origin, direction } = ray.ray;
  const far = (height_m - origin.z) / direction.z;
  if (!(far > 0 && far < 500)) return null;
  return [origin.x + far * direction.x, origin.y + far * direction.y, height_m];
}
