import { type FenceDraft, fewest_corners, type Point, type Zone, zoneName } from "./zones";

/** What is wrong with a fence. "blocks": no vehicle would take it; "warns": it would, and something would follow from it. */
export interface FenceProblem {
  readonly severity: "blocks" | "warns";
  readonly zone: string | null;
  readonly text: string;
}

interface Surroundings {
  /** Where the vehicle is, when that is known. */
  readonly vehicle: Point | null;
  /** The station's own ceiling, metres above the pad. */
  readonly limit_ceiling_m: number;
}

export function judgeFence(draft: FenceDraft, around: Surroundings): readonly FenceProblem[] {
  const problems: FenceProblem[] = draft.zones.flatMap((zone) => shapeProblems(draft, zone));
  const { vehicle } = around;
  if (vehicle !== null) {
    for (const zone of draft.zones) {
      if (zone.keep === "out" && contains(zone, vehicle))
        problems.push({
          severity: "warns",
          zone: zone.id,
          text: `The vehicle stands in ${zoneName(draft, zone).toLowerCase()}: it could not arm.`,
        });
    }
    const inclusions = draft.zones.filter((zone) => zone.keep === "in");
    if (inclusions.length > 0 && !inclusions.some((zone) => contains(zone, vehicle)))
      problems.push({
        severity: "warns",
        zone: null,
        text: "The vehicle stands outside every keep-in zone: it could not arm.",
      });
  }
  if (draft.ceiling_m !== null && draft.ceiling_m > around.limit_ceiling_m)
    problems.push({
      severity: "warns",
      zone: null,
      text: "The fence's ceiling is above the station's limit; the lower of the two holds for proposals.",
    });
  return problems;
}

function shapeProblems(draft: FenceDraft, zone: Zone): readonly FenceProblem[] {
  const name = zoneName(draft, zone);
  const blocks = (text: string): FenceProblem => ({ severity: "blocks", zone: zone.id, text });
  if (zone.kind === "circle") return zone.radius_m > 0 ? [] : [blocks(`${name} has no radius.`)];
  if (zone.corners.length < fewest_corners)
    return [blocks(`${name} has ${zone.corners.length} corners; an area has at least ${fewest_corners}.`)];
  const crossing = firstCrossing(zone.corners);
  if (crossing !== null)
    return [
      blocks(`${name} crosses itself: edges ${crossing[0] + 1} and ${crossing[1] + 1}. Move a corner.`),
    ];
  return Math.abs(area_m2(zone.corners)) < 0.01 ? [blocks(`${name} encloses nothing.`)] : [];
}

/** Even-odd rule, as the vehicle decides it. */
export function contains(zone: Zone, [x, y]: Point): boolean {
  if (zone.kind === "circle") return Math.hypot(x - zone.centre[0], y - zone.centre[1]) < zone.radius_m;
  let odd = false;
  zone.corners.forEach(([ax, ay], i) => {
    const [bx, by] = zone.corners[(i + 1) % zone.corners.length] ?? [ax, ay];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) odd = !odd;
  });
  return odd;
}

/** Signed, counter-clockwise positive. */
export function area_m2(corners: readonly Point[]): number {
  return (
    corners.reduce((sum, [ax, ay], i) => {
      const [bx, by] = corners[(i + 1) % corners.length] ?? [ax, ay];
      return sum + ax * by - bx * ay;
    }, 0) / 2
  );
}

/** The first two edges that cross, by the corners they begin at; edges that share a corner do not count. */
export function firstCrossing(corners: readonly Point[]): readonly [number, number] | null {
  const n = corners.length;
  const edge = (i: number): readonly [Point, Point] => [corners[i] ?? [0, 0], corners[(i + 1) % n] ?? [0, 0]];
  for (let i = 0; i < n; i++)
    for (let k = i + 2; k < n; k++) {
      if (i === 0 && k === n - 1) continue;
      if (crosses(edge(i), edge(k))) return [i, k];
    }
  return null;
}

function crosses([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  const side = (p: Point, q: Point, r: Point): number =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}
