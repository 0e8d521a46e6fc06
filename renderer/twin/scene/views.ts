import type { Enu, Flu, QuatFluEnu } from "#contract/frames";
import { eulerFluEnu, rotate } from "#contract/frames";
import { degrees, length, type Units } from "../../ui/format";

export const viewNames = ["follow", "top", "side", "eye", "free"] as const;
export type ViewName = (typeof viewNames)[number];

/** Where the observer is and what it looks at, world ENU. */
export interface Sight {
  readonly eye_enu_m: Enu;
  readonly target_enu_m: Enu;
  readonly up_enu: Enu;
  readonly fov_deg: number;
}

export interface Box {
  readonly min: Enu;
  readonly max: Enu;
}

/** Behind, above and a little to the right: nose, arm and what lies ahead are all in the picture. */
export function followSight(position: Enu, q: QuatFluEnu, distance_m = 3.1): Sight {
  const { yaw_rad } = eulerFluEnu(q);
  const back = yaw_rad + Math.PI - 0.62;
  const level = distance_m * 0.86;
  return {
    eye_enu_m: [
      position[0] + level * Math.cos(back),
      position[1] + level * Math.sin(back),
      position[2] + distance_m * 0.42,
    ],
    target_enu_m: [
      position[0] + 0.35 * Math.cos(yaw_rad),
      position[1] + 0.35 * Math.sin(yaw_rad),
      position[2] - 0.18,
    ],
    up_enu: [0, 0, 1],
    fov_deg: 42,
  };
}

/** Straight down on the box, north up; far enough to see all of it. */
export function topSight(box: Box, aspect: number): Sight {
  const c = centre(box);
  const fov_deg = 36;
  const half = Math.max((box.max[1] - box.min[1]) / 2, (box.max[0] - box.min[0]) / 2 / aspect) * 1.12;
  const height = half / Math.tan((fov_deg * Math.PI) / 360);
  return {
    // A hair south of straight down keeps "up" defined.
    eye_enu_m: [c[0], c[1] - 0.001, box.max[2] + height],
    target_enu_m: [c[0], c[1], box.min[2]],
    up_enu: [0, 0, 1],
    fov_deg,
  };
}

/** Level from the south, heights undistorted enough to compare. */
export function sideSight(box: Box, aspect: number): Sight {
  const c = centre(box);
  const fov_deg = 26;
  const half = Math.max((box.max[2] - box.min[2]) / 2, (box.max[0] - box.min[0]) / 2 / aspect) * 1.12;
  const away = half / Math.tan((fov_deg * Math.PI) / 360);
  return {
    eye_enu_m: [c[0], box.min[1] - away, c[2] + 0.02 * away],
    target_enu_m: c,
    up_enu: [0, 0, 1],
    fov_deg,
  };
}

/** Through the vehicle's own camera. `mount` and the optical axes come from the lens. */
export function eyeSight(
  position: Enu,
  q: QuatFluEnu,
  mount: Flu,
  forward: Flu,
  up: Flu,
  fov_deg: number,
): Sight {
  const eye = rotate(q, mount);
  const ahead = rotate(q, forward);
  const above = rotate(q, up);
  const eye_enu_m: Enu = [position[0] + eye[0], position[1] + eye[1], position[2] + eye[2]];
  return {
    eye_enu_m,
    target_enu_m: [eye_enu_m[0] + ahead[0], eye_enu_m[1] + ahead[1], eye_enu_m[2] + ahead[2]],
    up_enu: above,
    fov_deg,
  };
}

/** Moves along the present line of sight until a ball of `radius_m` fills two thirds of the picture. */
export function frameSight(now: Sight, about: Enu, radius_m: number): Sight {
  const dx: Enu = [
    now.eye_enu_m[0] - now.target_enu_m[0],
    now.eye_enu_m[1] - now.target_enu_m[1],
    now.eye_enu_m[2] - now.target_enu_m[2],
  ];
  const n = Math.hypot(...dx) || 1;
  const away = (Math.max(0.1, radius_m) * 1.5) / Math.tan((now.fov_deg * Math.PI) / 360);
  return {
    ...now,
    target_enu_m: about,
    eye_enu_m: [about[0] + (dx[0] / n) * away, about[1] + (dx[1] / n) * away, about[2] + (dx[2] / n) * away],
  };
}

/** Between two sights, for a quarter-second move; `u` 0-1. */
export function blend(a: Sight, b: Sight, u: number): Sight {
  if (u >= 1) return b;
  const e = u * u * (3 - 2 * u);
  const mix = (p: Enu, q: Enu): Enu => [
    p[0] + e * (q[0] - p[0]),
    p[1] + e * (q[1] - p[1]),
    p[2] + e * (q[2] - p[2]),
  ];
  return {
    eye_enu_m: mix(a.eye_enu_m, b.eye_enu_m),
    target_enu_m: mix(a.target_enu_m, b.target_enu_m),
    up_enu: mix(a.up_enu, b.up_enu),
    fov_deg: a.fov_deg + e * (b.fov_deg - a.fov_deg),
  };
}

const centre = (box: Box): Enu => [
  (box.min[0] + box.max[0]) / 2,
  (box.min[1] + box.max[1]) / 2,
  (box.min[2] + box.max[2]) / 2,
];

/** Readout under the picture: site frame, degrees on the screen. */
export function poseText(position: Enu, yaw_enu_rad: number | null, units: Units): string {
  const [east, north] = [0, 1].map((i) => length(position[i], units).split(" ")[0]);
  return `E ${east ?? ""} · N ${north ?? ""} · up ${length(position[2], units)} · yaw ${degrees(yaw_enu_rad)}`;
}
