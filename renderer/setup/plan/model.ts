import type { Fence, PlanItem, RallyPoint, VehiclePlan } from "#contract/plan";
import { emptyFence, type FenceDraft, withCircle, withPolygon } from "../../twin/fence-editor/zones";
import { length, type Units } from "../../ui/format";

/** A fence as the vehicle or a file has it, ready to be drawn. Its ceiling is a parameter and stays as it is in the draft. */
export function draftOf(fence: Fence, ceiling_m: number | null): FenceDraft {
  const polygons = fence.polygons.reduce<FenceDraft>(
    (draft, { inclusion, corners_enu_m }) => withPolygon(draft, inclusion ? "in" : "out", corners_enu_m),
    { ...emptyFence, ceiling_m },
  );
  return fence.circles.reduce<FenceDraft>(
    (draft, { inclusion, centre_enu_m, radius_m }) =>
      withCircle(draft, inclusion ? "in" : "out", centre_enu_m, radius_m),
    polygons,
  );
}

/** What is sent of a draft: polygons first, as fences are kept; the ceiling travels as a parameter. */
export function fenceOf(draft: FenceDraft): Fence {
  return {
    polygons: draft.zones.flatMap((zone) =>
      zone.kind === "polygon" ? [{ inclusion: zone.keep === "in", corners_enu_m: [...zone.corners] }] : [],
    ),
    circles: draft.zones.flatMap((zone) =>
      zone.kind === "circle"
        ? [{ inclusion: zone.keep === "in", centre_enu_m: zone.centre, radius_m: zone.radius_m }]
        : [],
    ),
  };
}

/** "2 zones", "1 keep-in, 2 keep-out", "no fence". */
export function fenceText(fence: Fence): string {
  const all = [...fence.polygons, ...fence.circles];
  if (all.length === 0) return "no fence";
  const inside = all.filter(({ inclusion }) => inclusion).length;
  const parts = [
    inside > 0 ? `${inside} keep-in` : "",
    inside < all.length ? `${all.length - inside} keep-out` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

const count = (n: number, one: string, none: string): string =>
  n === 0 ? none : `${n} ${one}${n === 1 ? "" : "s"}`;

export const missionText = (items: readonly unknown[]): string => count(items.length, "item", "no mission");
export const rallyText = (points: readonly unknown[]): string =>
  count(points.length, "point", "no rally points");

export const planText = ({ fence, mission, rally }: VehiclePlan): string =>
  `${fenceText(fence)} · ${missionText(mission)} · ${rallyText(rally)}`;

/** One item in words, its place in the site if it has one. */
export function itemText(item: PlanItem, units: Units): { readonly what: string; readonly where: string } {
  const what = item.label === "" ? `command ${item.command}` : item.label;
  if (item.position_enu_m === null) return { what, where: "" };
  const [east, north, up] = item.position_enu_m;
  return {
    what,
    where: `E ${length(east, units)} · N ${length(north, units)} · up ${length(up, units)}`,
  };
}

/** The mission's path over the ground, for drawing. */
export const pathOf = (items: readonly PlanItem[]): readonly (readonly [number, number, number])[] =>
  items.flatMap(({ position_enu_m }) => (position_enu_m === null ? [] : [position_enu_m]));

export const rallyPlaces = (points: readonly RallyPoint[]): readonly (readonly [number, number, number])[] =>
  points.map(({ position_enu_m }) => position_enu_m);

/** The same item to a vehicle: labels and places for reading do not count. */
const itemKey = ({ command, frame, params, x, y, z, autocontinue }: PlanItem): string =>
  JSON.stringify([command, frame, params, x, y, Math.fround(z), autocontinue]);

export const sameMission = (a: readonly PlanItem[], b: readonly PlanItem[]): boolean =>
  a.length === b.length && a.every((item, i) => b[i] !== undefined && itemKey(item) === itemKey(b[i]));

export const sameRally = (a: readonly RallyPoint[], b: readonly RallyPoint[], tolerance_m = 0.02): boolean =>
  a.length === b.length &&
  a.every(({ position_enu_m: p }, i) => {
    const q = b[i]?.position_enu_m;
    return q !== undefined && Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) <= tolerance_m;
  });
