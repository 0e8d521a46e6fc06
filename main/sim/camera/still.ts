import type { Layout } from "../world/layout";
import { vehicleBody } from "../world/mjcf";
import { cross, norm, type Q4, scale, subtract, type V3 } from "../world/rigid";
import type { World } from "../world/world";
import { drawScene } from "./drawing";
import type { View } from "./exposure";
import { exposureOf, Renderer } from "./renderer";
import type { PoseOf } from "./stage";

/** Where a third person stands and what it looks at, world ENU. */
export interface Standpoint {
  readonly eye_enu_m: V3;
  readonly target_enu_m: V3;
  /** Across the picture. */
  readonly fov_rad: number;
}

export interface Still {
  readonly width: number;
  readonly height: number;
  /** sRGB bytes, row by row. */
  readonly rgb: Uint8Array;
}

/** The world as it is now, seen by a third person. */
export function takeStill(world: World, from: Standpoint, width: number, height: number): Still {
  const poseOf: PoseOf = (body) => world.pose(world.bodyId(body));
  const drawing = drawScene(world.layout, world.vehicle);
  const renderer = new Renderer(drawing, world.layout.scene, vehicleBody, poseOf);
  const exposure = exposureOf(width, height);
  renderer.render(viewOf(from, width, height), exposure);
  return { width, height, rgb: exposure.colour };
}

export const overviewOf = ({ scene: { overview } }: Layout): Standpoint => ({
  eye_enu_m: overview.eye_enu_m,
  target_enu_m: overview.target_enu_m,
  fov_rad: (overview.fov_deg * Math.PI) / 180,
});

export function viewOf(from: Standpoint, width: number, height: number): View {
  const ahead = subtract(from.target_enu_m, from.eye_enu_m);
  const z = scale(ahead, 1 / norm(ahead));
  const across = cross(z, [0, 0, 1]);
  const x = scale(across, 1 / norm(across));
  const focal = width / 2 / Math.tan(from.fov_rad / 2);
  return {
    at: from.eye_enu_m,
    quat: quatOf(x, cross(z, x), z),
    intrinsics: { width, height, fx: focal, fy: focal, cx: (width - 1) / 2, cy: (height - 1) / 2 },
  };
}

/** Of the rotation whose columns are these axes. */
function quatOf(x: V3, y: V3, z: V3): Q4 {
  const trace = x[0] + y[1] + z[2];
  const candidates: readonly Q4[] = [
    [1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]],
    [y[2] - z[1], 1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2]],
    [z[0] - x[2], x[1] + y[0], 1 - x[0] + y[1] - z[2], y[2] + z[1]],
    [x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 - x[0] - y[1] + z[2]],
  ];
  // The candidate with the largest own component divides by no small number.
  const best = candidates.reduce((a, b) => (Math.hypot(...b) > Math.hypot(...a) ? b : a));
  const n = Math.hypot(...best);
  return [best[0] / n, best[1] / n, best[2] / n, best[3] / n];
}
