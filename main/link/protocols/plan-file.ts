import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import type { MissionItem } from "./mission-item";

/** A plan with its fence and rally points, as lists for the vehicle. */
export interface Plan {
  readonly mission: readonly MissionItem[];
  readonly fence: readonly MissionItem[];
  readonly rally: readonly MissionItem[];
  /** Latitude and longitude in degrees, altitude above sea level in metres. */
  readonly planned_home: readonly [number, number, number];
}

const latLon = z.tuple([z.number().min(-90).max(90), z.number().min(-180).max(180)]);
const latLonAlt = z.tuple([z.number(), z.number(), z.number()]);
/** JSON has no NaN: QGroundControl writes null. */
const param = z.number().nullable();
const PlanFile = z.object({
  fileType: z.literal("Plan"),
  mission: z.object({
    plannedHomePosition: latLonAlt,
    items: z.array(
      z.object({
        type: z.string(),
        command: z.number().int().optional(),
        frame: z.number().int().optional(),
        autoContinue: z.boolean().optional(),
        params: z.array(param).length(7).optional(),
      }),
    ),
  }),
  geoFence: z
    .object({
      polygons: z.array(z.object({ inclusion: z.boolean(), polygon: z.array(latLon).min(3) })).default([]),
      circles: z
        .array(
          z.object({
            inclusion: z.boolean(),
            circle: z.object({ center: latLon, radius: z.number().positive() }),
          }),
        )
        .default([]),
    })
    .optional(),
  rallyPoints: z.object({ points: z.array(latLonAlt).default([]) }).optional(),
});

const FENCE_POLYGON_IN = 5001;
const FENCE_POLYGON_OUT = 5002;
const FENCE_CIRCLE_IN = 5003;
const FENCE_CIRCLE_OUT = 5004;
const RALLY_POINT = 5100;
const GLOBAL = 0;
const GLOBAL_RELATIVE = 3;
/** MAV_FRAMEs whose x and y are degrees. */
const globalFrames = new Set([0, 3, 5, 6, 10, 11]);
const MISSION_FRAME = 2;

const E7 = (degrees: number): number => Math.round(degrees * 1e7);

/** Reads a QGroundControl .plan; an error is one line that names what is wrong. */
export function parsePlanFile(text: string): Result<Plan, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return err("this is not a plan: it is not JSON");
  }
  const parsed = PlanFile.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return err(`this is not a plan: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
  }
  const { mission, geoFence, rallyPoints } = parsed.data;
  const complex = mission.items.findIndex((item) => item.type !== "SimpleItem");
  if (complex >= 0) {
    return err(
      `item ${complex + 1} is a ${mission.items[complex]?.type ?? "?"}: save the plan with simple items only`,
    );
  }
  const items: MissionItem[] = [];
  for (const [index, item] of mission.items.entries()) {
    const { command, frame, params } = item;
    if (command === undefined || frame === undefined || params === undefined) {
      return err(`item ${index + 1} has no command, frame or params`);
    }
    const value = (n: number): number => params[n] ?? Number.NaN;
    const scale = globalFrames.has(frame) ? 1e7 : frame === MISSION_FRAME ? 1 : 1e4;
    items.push({
      command,
      frame,
      params: [value(0), value(1), value(2), value(3)],
      x: Math.round((params[4] ?? 0) * scale),
      y: Math.round((params[5] ?? 0) * scale),
      z: params[6] ?? 0,
      autocontinue: item.autoContinue ?? true,
    });
  }
  const fence = [
    ...(geoFence?.polygons ?? []).flatMap(({ inclusion, polygon }) =>
      polygon.map((corner) =>
        at(inclusion ? FENCE_POLYGON_IN : FENCE_POLYGON_OUT, polygon.length, corner, GLOBAL, 0),
      ),
    ),
    ...(geoFence?.circles ?? []).map(({ inclusion, circle }) =>
      at(inclusion ? FENCE_CIRCLE_IN : FENCE_CIRCLE_OUT, circle.radius, circle.center, GLOBAL, 0),
    ),
  ];
  const rally = (rallyPoints?.points ?? []).map(([lat, lon, alt]) =>
    at(RALLY_POINT, 0, [lat, lon], GLOBAL_RELATIVE, alt),
  );
  return ok({ mission: items, fence, rally, planned_home: mission.plannedHomePosition });
}

function at(
  command: number,
  param1: number,
  [lat, lon]: readonly [number, number],
  frame: number,
  z_m: number,
): MissionItem {
  return { command, frame, params: [param1, 0, 0, 0], x: E7(lat), y: E7(lon), z: z_m, autocontinue: true };
}

/** Writes one that QGroundControl opens. A fence polygon's corners are consecutive items that tell their number. */
export function formatPlanFile(plan: Plan): string {
  const items = plan.mission.map((item, index) => {
    const scale = globalFrames.has(item.frame) ? 1e7 : item.frame === MISSION_FRAME ? 1 : 1e4;
    const params = [...item.params, item.x / scale, item.y / scale, item.z];
    return {
      type: "SimpleItem",
      autoContinue: item.autocontinue,
      command: item.command,
      doJumpId: index + 1,
      frame: item.frame,
      params: params.map((value) => (Number.isNaN(value) ? null : value)),
    };
  });
  const place = (item: MissionItem): [number, number] => [item.x / 1e7, item.y / 1e7];
  const polygons: { version: 1; inclusion: boolean; polygon: [number, number][] }[] = [];
  for (let i = 0; i < plan.fence.length; ) {
    const item = plan.fence[i];
    const corners = Math.max(1, item?.params[0] ?? 1);
    if (item?.command === FENCE_POLYGON_IN || item?.command === FENCE_POLYGON_OUT) {
      const polygon = plan.fence.slice(i, i + corners).map(place);
      polygons.push({ version: 1, inclusion: item.command === FENCE_POLYGON_IN, polygon });
      i += corners;
    } else i++;
  }
  const circles = plan.fence
    .filter((item) => item.command === FENCE_CIRCLE_IN || item.command === FENCE_CIRCLE_OUT)
    .map((item) => ({
      version: 1,
      inclusion: item.command === FENCE_CIRCLE_IN,
      circle: { center: place(item), radius: item.params[0] },
    }));
  const file = {
    fileType: "Plan",
    groundStation: "Kingfisher",
    version: 1,
    mission: {
      version: 2,
      firmwareType: 12,
      vehicleType: 2,
      cruiseSpeed: 15,
      hoverSpeed: 5,
      globalPlanAltitudeMode: 1,
      plannedHomePosition: plan.planned_home,
      items,
    },
    geoFence: { version: 2, polygons, circles },
    rallyPoints: { version: 2, points: plan.rally.map((item) => [...place(item), item.z]) },
  };
  return `${JSON.stringify(file, null, 4)}\n`;
}
