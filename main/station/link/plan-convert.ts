import { type Enu, ned } from "#contract/frames";
import type { Fence, GeoOrigin, PlanItem, VehiclePlan } from "#contract/plan";
import { err, ok, type Result } from "#contract/result";
import type { MissionItem } from "../../link/protocols/mission-item";
import type { Plan } from "../../link/protocols/plan-file";
import { fromNorthEast, toNorthEast } from "../../vehicle/geodesy";
import { pointToLocal, pointToSite, type SiteTransform } from "../../vehicle/site-transform";

/** Where a plan's degrees lie in the site. */
export interface PlanFrame {
  readonly origin: GeoOrigin | null;
  readonly site: SiteTransform;
  /** Height of home in the site: what "relative" altitudes start from. */
  readonly home_z_m: number;
}

const commandNames: Readonly<Record<number, string>> = {
  16: "Waypoint",
  17: "Loiter",
  18: "Loiter turns",
  19: "Loiter for a time",
  20: "Return home",
  21: "Land",
  22: "Take off",
  93: "Wait",
  112: "Wait",
  115: "Turn",
  177: "Jump to item",
  178: "Set speed",
  183: "Set servo",
  187: "Set actuator",
  195: "Look at a point",
  201: "Look at a point",
  203: "Camera trigger",
  206: "Camera by distance",
  211: "Gripper",
  2000: "Take pictures",
  2001: "Stop pictures",
  2500: "Record video",
  2501: "Stop video",
  5100: "Rally point",
};

const POLYGON_IN = 5001;
const POLYGON_OUT = 5002;
const CIRCLE_IN = 5003;
const CIRCLE_OUT = 5004;
const RALLY_POINT = 5100;
const GLOBAL = 0;
const GLOBAL_RELATIVE = 3;
const absolute = new Set([0, 5]);
const relative = new Set([3, 6, 10, 11]);
const LOCAL_NED = 1;

const degreesOf = (item: MissionItem): readonly [number, number] => [item.x / 1e7, item.y / 1e7];

/** The place of an item, or null when it has none here: no origin, no place, or a frame that means nothing in the site. */
function place(item: MissionItem, frame: PlanFrame): Enu | null {
  if (item.frame === LOCAL_NED) return pointToSite(frame.site, ned(item.x / 1e4, item.y / 1e4, item.z));
  const { origin } = frame;
  const global = absolute.has(item.frame) || relative.has(item.frame);
  if (origin === null || !global || (item.x === 0 && item.y === 0)) return null;
  const [x, y] = flat(origin, frame.site, ...degreesOf(item));
  const z = absolute.has(item.frame) ? item.z - origin.altitude_m : frame.home_z_m + item.z;
  return [x, y, z];
}

function flat(
  origin: GeoOrigin,
  site: SiteTransform,
  latitude_deg: number,
  longitude_deg: number,
): readonly [number, number] {
  const [north, east] = toNorthEast(origin, latitude_deg, longitude_deg);
  const [x, y] = pointToSite(site, ned(north, east, 0));
  return [x, y];
}

function e7(origin: GeoOrigin, site: SiteTransform, x: number, y: number): { x: number; y: number } {
  const [north, east] = pointToLocal(site, [x, y, 0]);
  const { latitude_deg, longitude_deg } = fromNorthEast(origin, north, east);
  return { x: Math.round(latitude_deg * 1e7), y: Math.round(longitude_deg * 1e7) };
}

export const planItem = (item: MissionItem, frame: PlanFrame): PlanItem => {
  const [a, b, c, d] = item.params;
  const or = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return {
    command: item.command,
    frame: item.frame,
    params: [or(a), or(b), or(c), or(d)],
    x: item.x,
    y: item.y,
    z: item.z,
    autocontinue: item.autocontinue,
    label: commandNames[item.command] ?? `Command ${String(item.command)}`,
    position_enu_m: place(item, frame),
  };
};

export function missionItem(item: PlanItem): MissionItem {
  const [a, b, c, d] = item.params;
  const or = (value: number | null): number => value ?? Number.NaN;
  const { command, frame, x, y, z, autocontinue } = item;
  return { command, frame, params: [or(a), or(b), or(c), or(d)], x, y, z, autocontinue };
}

/** Corners of one polygon are consecutive items that tell their number. */
export function fenceOf(items: readonly MissionItem[], frame: PlanFrame): Fence {
  const { origin, site } = frame;
  const polygons: Fence["polygons"][number][] = [];
  const circles: Fence["circles"][number][] = [];
  if (origin === null) return { polygons, circles };
  const flatOf = (item: MissionItem): readonly [number, number] => flat(origin, site, ...degreesOf(item));
  for (let i = 0; i < items.length; ) {
    const item = items[i];
    if (item === undefined) break;
    const count = Math.max(1, Math.round(item.params[0]));
    if (item.command === POLYGON_IN || item.command === POLYGON_OUT) {
      const corners = items.slice(i, i + count);
      if (corners.length >= 3)
        polygons.push({ inclusion: item.command === POLYGON_IN, corners_enu_m: corners.map(flatOf) });
      i += count;
      continue;
    }
    if (item.command === CIRCLE_IN || item.command === CIRCLE_OUT)
      circles.push({
        inclusion: item.command === CIRCLE_IN,
        centre_enu_m: flatOf(item),
        radius_m: item.params[0],
      });
    i++;
  }
  return { polygons, circles };
}

export function fenceItems(
  fence: Fence,
  { origin, site }: PlanFrame,
): Result<readonly MissionItem[], string> {
  const some = fence.polygons.length + fence.circles.length > 0;
  if (origin === null)
    return some ? err("The vehicle has no global origin yet; set one before a fence is sent.") : ok([]);
  const at = (command: number, param1: number, [x, y]: readonly [number, number]): MissionItem => ({
    command,
    frame: GLOBAL,
    params: [param1, 0, 0, 0],
    ...e7(origin, site, x, y),
    z: 0,
    autocontinue: true,
  });
  return ok([
    ...fence.polygons.flatMap(({ inclusion, corners_enu_m }) =>
      corners_enu_m.map((corner) => at(inclusion ? POLYGON_IN : POLYGON_OUT, corners_enu_m.length, corner)),
    ),
    ...fence.circles.map(({ inclusion, centre_enu_m, radius_m }) =>
      at(inclusion ? CIRCLE_IN : CIRCLE_OUT, radius_m, centre_enu_m),
    ),
  ]);
}

export function rallyItems(
  rally: VehiclePlan["rally"],
  { origin, site, home_z_m }: PlanFrame,
): Result<readonly MissionItem[], string> {
  if (origin === null)
    return rally.length > 0
      ? err("The vehicle has no global origin yet; set one before rally points are sent.")
      : ok([]);
  return ok(
    rally.map(({ position_enu_m: [x, y, z] }) => ({
      command: RALLY_POINT,
      frame: GLOBAL_RELATIVE,
      params: [0, 0, 0, 0],
      ...e7(origin, site, x, y),
      z: z - home_z_m,
      autocontinue: true,
    })),
  );
}

/** A vehicle's lists, or a file's, as the window sees them. */
export const vehiclePlan = (
  plan: Pick<Plan, "mission" | "fence" | "rally">,
  frame: PlanFrame,
): VehiclePlan => ({
  mission: plan.mission.map((item) => planItem(item, frame)),
  fence: fenceOf(plan.fence, frame),
  rally: plan.rally.flatMap((item) => {
    const position_enu_m = place(item, frame);
    return position_enu_m === null ? [] : [{ position_enu_m }];
  }),
  origin: frame.origin,
});
