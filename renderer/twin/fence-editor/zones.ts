/** East and north in the site frame, metres. */
export type Point = readonly [east_m: number, north_m: number];

interface Common {
  readonly id: string;
  /** "in": the vehicle must stay inside; "out": it must stay out. */
  readonly keep: "in" | "out";
}
export interface PolygonZone extends Common {
  readonly kind: "polygon";
  readonly corners: readonly Point[];
}
export interface CircleZone extends Common {
  readonly kind: "circle";
  readonly centre: Point;
  readonly radius_m: number;
}
export type Zone = PolygonZone | CircleZone;

/** A fence as it is being drawn. The ceiling is a parameter of the vehicle, metres above home; null leaves it as it is. */
export interface FenceDraft {
  readonly zones: readonly Zone[];
  readonly ceiling_m: number | null;
}
export const emptyFence: FenceDraft = { zones: [], ceiling_m: null };

/** A corner of a polygon; of a circle, 0 is the centre and 1 the handle on its edge. */
export interface Handle {
  readonly zone: string;
  readonly index: number;
}

export const fewest_corners = 3;
export const smallest_radius_m = 0.2;

/** Millimetres are finer than any fence is kept; the number fields show as many. */
export const rounded = (value_m: number): number => Math.round(value_m * 1000) / 1000;
/** Five centimetres: finer than a hand points; the number fields take millimetres. */
export const snapped = (value_m: number): number => Math.round(value_m * 20) / 20;
const roundedPoint = (p: Point): Point => [rounded(p[0]), rounded(p[1])];

/** One past the highest id that is there: zones keep theirs while others come and go. */
export function nextId(draft: FenceDraft): string {
  const numbers = draft.zones.map((zone) => Number(zone.id.slice(1)));
  return `z${Math.max(0, ...numbers) + 1}`;
}

export const zoneOf = (draft: FenceDraft, id: string | null): Zone | undefined =>
  draft.zones.find((zone) => zone.id === id);

const replaced = (draft: FenceDraft, id: string, change: (zone: Zone) => Zone): FenceDraft => ({
  ...draft,
  zones: draft.zones.map((zone) => (zone.id === id ? change(zone) : zone)),
});

export function withPolygon(draft: FenceDraft, keep: Zone["keep"], corners: readonly Point[]): FenceDraft {
  const zone: PolygonZone = { id: nextId(draft), kind: "polygon", keep, corners: corners.map(roundedPoint) };
  return { ...draft, zones: [...draft.zones, zone] };
}

export function withCircle(
  draft: FenceDraft,
  keep: Zone["keep"],
  centre: Point,
  radius_m: number,
): FenceDraft {
  const zone: CircleZone = {
    id: nextId(draft),
    kind: "circle",
    keep,
    centre: roundedPoint(centre),
    radius_m: rounded(Math.max(smallest_radius_m, radius_m)),
  };
  return { ...draft, zones: [...draft.zones, zone] };
}

export const withoutZone = (draft: FenceDraft, id: string): FenceDraft => ({
  ...draft,
  zones: draft.zones.filter((zone) => zone.id !== id),
});

export const withKeep = (draft: FenceDraft, id: string, keep: Zone["keep"]): FenceDraft =>
  replaced(draft, id, (zone) => ({ ...zone, keep }));

export const withRadius = (draft: FenceDraft, id: string, radius_m: number): FenceDraft =>
  replaced(draft, id, (zone) =>
    zone.kind === "circle" ? { ...zone, radius_m: rounded(Math.max(smallest_radius_m, radius_m)) } : zone,
  );

/** Moves one handle: a corner, a circle's centre, or the handle on its edge, which sets the radius. */
export function withHandleAt(draft: FenceDraft, handle: Handle, to: Point): FenceDraft {
  return replaced(draft, handle.zone, (zone) => {
    if (zone.kind === "polygon") {
      const corners = zone.corners.map((corner, i) => (i === handle.index ? roundedPoint(to) : corner));
      return { ...zone, corners };
    }
    if (handle.index === 0) return { ...zone, centre: roundedPoint(to) };
    const radius_m = Math.hypot(to[0] - zone.centre[0], to[1] - zone.centre[1]);
    return { ...zone, radius_m: rounded(Math.max(smallest_radius_m, radius_m)) };
  });
}

/** A new corner in the middle of the edge that begins at corner `after`. */
export function withCornerAfter(draft: FenceDraft, id: string, after: number): FenceDraft {
  return replaced(draft, id, (zone) => {
    if (zone.kind === "circle") return zone;
    const a = zone.corners[after];
    const b = zone.corners[(after + 1) % zone.corners.length];
    if (a === undefined || b === undefined) return zone;
    const between = roundedPoint([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    return {
      ...zone,
      corners: [...zone.corners.slice(0, after + 1), between, ...zone.corners.slice(after + 1)],
    };
  });
}

/** Takes a corner away; a polygon of three corners keeps them, because two are no area. */
export function withoutCorner(draft: FenceDraft, { zone: id, index }: Handle): FenceDraft {
  return replaced(draft, id, (zone) => {
    if (zone.kind === "circle" || zone.corners.length <= fewest_corners) return zone;
    return { ...zone, corners: zone.corners.filter((_, i) => i !== index) };
  });
}

/** Where a zone's handles are, in the order of their indices. */
export function handlesOf(zone: Zone): readonly Point[] {
  if (zone.kind === "polygon") return zone.corners;
  return [zone.centre, [zone.centre[0] + zone.radius_m, zone.centre[1]]];
}

/** The outline for drawing, closed by its consumer. */
export function outlineOf(zone: Zone, segments = 64): readonly Point[] {
  if (zone.kind === "polygon") return zone.corners;
  return Array.from({ length: segments }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / segments;
    return [
      zone.centre[0] + zone.radius_m * Math.cos(angle),
      zone.centre[1] + zone.radius_m * Math.sin(angle),
    ];
  });
}

/** "keep in 1", "keep out 2": as the list, the picture and the problems name a zone. */
export function zoneName(draft: FenceDraft, zone: Zone): string {
  const alike = draft.zones.filter((other) => other.keep === zone.keep);
  const place = alike.findIndex((other) => other.id === zone.id) + 1;
  return `Keep ${zone.keep} ${place}`;
}

/** Equal as fences, whatever the zones are called. */
export function sameFence(a: FenceDraft, b: FenceDraft, tolerance_m = 0.02): boolean {
  const near = (p: Point, q: Point): boolean => Math.hypot(p[0] - q[0], p[1] - q[1]) <= tolerance_m;
  return (
    a.zones.length === b.zones.length &&
    a.zones.every((one, i) => {
      const other = b.zones[i];
      if (other === undefined || one.keep !== other.keep) return false;
      if (one.kind === "circle" || other.kind === "circle") {
        return (
          one.kind === "circle" &&
          other.kind === "circle" &&
          near(one.centre, other.centre) &&
          Math.abs(one.radius_m - other.radius_m) <= tolerance_m
        );
      }
      return (
        one.corners.length === other.corners.length &&
        one.corners.every((corner, k) => near(corner, other.corners[k] ?? [Number.NaN, 0]))
      );
    })
  );
}
