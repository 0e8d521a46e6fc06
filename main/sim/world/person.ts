import type { PlacedPart } from "./placed";
import { Random } from "./random";
import { aboutAxis, add, identity, multiply, type Q4, radians, turn, type V3 } from "./rigid";
import type { Paint, Part } from "./scene-file";
import type { Walk } from "./walk";

/** The pieces of a walking figure, each a body of its own: 1.75 m tall, its frame facing along x. */
export const personPieces = ["trunk", "left-leg", "right-leg", "left-arm", "right-arm"] as const;
export type PersonPiece = (typeof personPieces)[number];

export const personBody = (piece: PersonPiece): string => `person-${piece}`;

const hip_m = 0.9;
const pace_m_s = 1.1;
const stride_m = 1.4;
const standing_s = 3;
/** Swing of a leg and of an arm to either side. */
const leg_rad = radians(24);
const arm_rad = radians(20);
/** A turn is spread over this long before and after the corner. */
const turn_s = 0.3;

const joints: Readonly<Record<PersonPiece, V3>> = {
  trunk: [0, 0, hip_m],
  "left-leg": [0, 0.1, hip_m],
  "right-leg": [0, -0.1, hip_m],
  "left-arm": [0, 0.235, hip_m + 0.5],
  "right-arm": [0, -0.235, hip_m + 0.5],
};

/** What is nowhere in the scene waits far below its floor. */
export const away_m = -30;

const shirts: readonly Paint["rgb"][] = [
  [0.72, 0.2, 0.16],
  [0.2, 0.42, 0.62],
  [0.9, 0.62, 0.1],
  [0.3, 0.5, 0.32],
];

/** The figure's shapes in each piece's own frame; a seed draws the clothes. */
export function personParts(seed: number): Readonly<Record<PersonPiece, readonly PlacedPart[]>> {
  const plain = (rgb: Paint["rgb"]): Paint => ({ rgb, pattern: "plain", gloss: 0.05, depth_loss: 0 });
  const shirt = plain(new Random(seed, "clothes").pick(shirts));
  const trousers = plain([0.16, 0.19, 0.27]);
  const skin = plain([0.8, 0.6, 0.48]);
  const dark = plain([0.13, 0.1, 0.08]);
  const felt = { paint: "", visible: true, collides: true };
  const place = (part: Part, paint: Paint): PlacedPart => ({ part, paint, at: part.at, quat: identity });
  const capsule = (radius: number, half_height: number, at: V3): Part => ({
    kind: "capsule",
    radius,
    half_height,
    at,
    ...felt,
  });
  const ellipsoid = (half: V3, at: V3, collides = true): Part => ({
    kind: "ellipsoid",
    half,
    at,
    ...felt,
    collides,
  });
  const leg = [
    place(capsule(0.075, 0.35, [0, 0, -0.4]), trousers),
    place({ kind: "box", half: [0.12, 0.045, 0.035], at: [0.05, 0, -0.862], ...felt }, dark),
  ];
  const arm = [
    place(capsule(0.045, 0.13, [0, 0, -0.13]), shirt),
    place(capsule(0.036, 0.14, [0, 0, -0.38]), skin),
    place(ellipsoid([0.045, 0.03, 0.07], [0, 0, -0.58]), skin),
  ];
  return {
    trunk: [
      place(ellipsoid([0.13, 0.2, 0.34], [0, 0, 0.27]), shirt),
      place(ellipsoid([0.12, 0.165, 0.14], [0, 0, 0.02]), trousers),
      place(capsule(0.05, 0.05, [0, 0, 0.6]), skin),
      place(ellipsoid([0.1, 0.085, 0.125], [0.01, 0, 0.725]), skin),
      place(ellipsoid([0.105, 0.09, 0.1], [-0.012, 0, 0.757], false), dark),
    ],
    "left-leg": leg,
    "right-leg": leg,
    "left-arm": arm,
    "right-arm": arm,
  };
}

export interface PiecePose {
  readonly at: V3;
  readonly quat: Q4;
}

/** Seconds from coming in to having gone. */
export const walkLasts_s = (walk: Walk): number => length_m(walk) / pace_m_s + standing_s;

/** Where each piece is, so long after the person came in; null before and after. `floor_m` is the floor's height. */
export function personAt(
  walk: Walk,
  t_s: number,
  floor_m: number,
): Readonly<Record<PersonPiece, PiecePose>> | null {
  if (!(t_s >= 0 && t_s <= walkLasts_s(walk))) return null;
  const [x, y] = placeAt(walk, t_s);
  const before = placeAt(walk, t_s - turn_s);
  const after = placeAt(walk, t_s + turn_s);
  const full_m = 2 * turn_s * pace_m_s;
  const way = [(after[0] - before[0]) / full_m, (after[1] - before[1]) / full_m] as const;
  // Who stands looks at the aircraft, who walks ahead; between the two the gaze turns.
  const still = Math.max(0, 1 - Math.hypot(...way));
  const [dx, dy] = [walk.pad[0] - x, walk.pad[1] - y];
  const near = Math.max(1e-6, Math.hypot(dx, dy));
  const yaw = Math.atan2(way[1] + (still * dy) / near, way[0] + (still * dx) / near);
  const heading = aboutAxis(2, yaw);
  const swing = Math.sin((2 * Math.PI * gone_m(walk, t_s)) / stride_m) * (1 - still);
  const pitch: Readonly<Record<PersonPiece, number>> = {
    trunk: 0,
    "left-leg": leg_rad * swing,
    "right-leg": -leg_rad * swing,
    "left-arm": -arm_rad * swing,
    "right-arm": arm_rad * swing,
  };
  const at = (piece: PersonPiece): PiecePose => ({
    at: add([x, y, floor_m], turn(heading, joints[piece])),
    quat: multiply(heading, aboutAxis(1, pitch[piece])),
  });
  return {
    trunk: at("trunk"),
    "left-leg": at("left-leg"),
    "right-leg": at("right-leg"),
    "left-arm": at("left-arm"),
    "right-arm": at("right-arm"),
  };
}

const legs_m = (points: Walk["points"]): number[] =>
  points.slice(1).map((p, i) => {
    const q = points[i] ?? p;
    return Math.hypot(p[0] - q[0], p[1] - q[1]);
  });

const length_m = ({ points }: Walk): number => legs_m(points).reduce((a, b) => a + b, 0);

/** Distance walked at a time; it stands still during the stop. */
function gone_m(walk: Walk, t_s: number): number {
  const stop_m = legs_m(walk.points.slice(0, walk.stop + 1)).reduce((a, b) => a + b, 0);
  const walked_m = Math.max(0, t_s) * pace_m_s;
  const after_m = walked_m - standing_s * pace_m_s;
  return Math.min(length_m(walk), walked_m <= stop_m ? walked_m : Math.max(stop_m, after_m));
}

function placeAt(walk: Walk, t_s: number): readonly [number, number] {
  let left_m = gone_m(walk, t_s);
  const legs = legs_m(walk.points);
  for (const [i, leg] of legs.entries()) {
    const [a, b] = [walk.points[i], walk.points[i + 1]];
    if (a === undefined || b === undefined) break;
    if (left_m <= leg && leg > 0)
      return [a[0] + ((b[0] - a[0]) * left_m) / leg, a[1] + ((b[1] - a[1]) * left_m) / leg];
    left_m -= leg;
  }
  return walk.points.at(-1) ?? walk.pad;
}
