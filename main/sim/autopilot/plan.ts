/** MAV_MISSION_TYPE. */
export const planTypes = [0, 1, 2] as const;
export type PlanType = (typeof planTypes)[number];

export interface PlanItem {
  readonly frame: number;
  readonly command: number;
  readonly autocontinue: number;
  /** param1 to param4; NaN is "unchanged". */
  readonly params: readonly [number, number, number, number];
  /** Degrees times 1e7 for global frames, as in MISSION_ITEM_INT. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export const command = {
  waypoint: 16,
  loiter_unlimited: 17,
  loiter_time: 19,
  return: 20,
  land: 21,
  takeoff: 22,
  delay: 93,
  condition_yaw: 115,
  jump: 177,
  change_speed: 178,
  set_actuator: 187,
  gripper: 211,
  fence_return: 5000,
  fence_polygon_in: 5001,
  fence_polygon_out: 5002,
  fence_circle_in: 5003,
  fence_circle_out: 5004,
  rally: 5100,
} as const;

const missionCommands: ReadonlySet<number> = new Set([16, 17, 19, 20, 21, 22, 93, 115, 177, 178, 187, 211]);
const fenceCommands: ReadonlySet<number> = new Set([5000, 5001, 5002, 5003, 5004]);
const positioned: ReadonlySet<number> = new Set([16, 17, 19, 21, 22, 5000, 5001, 5002, 5003, 5004, 5100]);
/** Global frames by sea level, above home (float and int forms), and MAV_FRAME_MISSION for items without a place. */
const frames: ReadonlySet<number> = new Set([0, 2, 3, 5, 6]);

/** MAV_MISSION_RESULT. */
export const missionResult = {
  accepted: 0,
  error: 1,
  unsupported_frame: 2,
  unsupported: 3,
  no_space: 4,
  invalid: 5,
  invalid_param1: 6,
  invalid_x: 10,
  invalid_y: 11,
  invalid_z: 12,
  invalid_sequence: 13,
  denied: 14,
  cancelled: 15,
} as const;

export const isAboveHome = (frame: number): boolean => frame === 3 || frame === 6;
export const hasPlace = (item: PlanItem): boolean => positioned.has(item.command);

/** MAV_MISSION_RESULT for one item, as PX4 judges it on arrival. */
export function judgeItem(type: PlanType, item: PlanItem): number {
  const known =
    type === 0
      ? missionCommands.has(item.command)
      : type === 1
        ? fenceCommands.has(item.command)
        : item.command === command.rally;
  if (!known) return missionResult.unsupported;
  if (!frames.has(item.frame)) return missionResult.unsupported_frame;
  if (hasPlace(item)) {
    if (!(Math.abs(item.x) <= 900000000)) return missionResult.invalid_x;
    if (!(Math.abs(item.y) <= 1800000000)) return missionResult.invalid_y;
    if (type !== 1 && !Number.isFinite(item.z) && item.command !== command.land)
      return missionResult.invalid_z;
  }
  if (item.command === command.jump && !(item.params[0] >= 0)) return missionResult.invalid_param1;
  return missionResult.accepted;
}

/** MAV_MISSION_RESULT for a whole list: polygons complete, circles with a radius, jumps inside the list. */
export function judgePlan(type: PlanType, items: readonly PlanItem[]): number {
  if (type === 1) {
    for (let i = 0; i < items.length; ) {
      const item = items[i];
      if (!item) break;
      const polygon = item.command === command.fence_polygon_in || item.command === command.fence_polygon_out;
      if (!polygon) {
        const circle = item.command !== command.fence_return;
        if (circle && !(item.params[0] > 0)) return missionResult.invalid_param1;
        i++;
        continue;
      }
      const corners = item.params[0];
      if (!(corners >= 3) || i + corners > items.length) return missionResult.invalid_param1;
      for (let k = i; k < i + corners; k++) {
        const corner = items[k];
        if (corner?.command !== item.command || corner.params[0] !== corners)
          return missionResult.invalid_param1;
      }
      i += corners;
    }
  }
  if (type === 0 && items.some((i) => i.command === command.jump && i.params[0] >= items.length)) {
    return missionResult.invalid_param1;
  }
  return missionResult.accepted;
}

/** CRC-32 over the items: the id that MISSION_ACK, MISSION_COUNT and MISSION_CURRENT carry for a stored plan; 0 for none. */
export function planId(items: readonly PlanItem[]): number {
  if (items.length === 0) return 0;
  const view = new DataView(new ArrayBuffer(32));
  let crc = 0xffffffff;
  for (const item of items) {
    view.setUint16(0, item.command, true);
    view.setUint8(2, item.frame);
    view.setUint8(3, item.autocontinue);
    item.params.forEach((p, i) => {
      view.setFloat32(4 + 4 * i, p, true);
    });
    view.setInt32(20, item.x, true);
    view.setInt32(24, item.y, true);
    view.setFloat32(28, item.z, true);
    for (let i = 0; i < 32; i++) {
      crc ^= view.getUint8(i);
      for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return (crc ^ 0xffffffff) >>> 0 || 1;
}

/** The three stored plans: mission, geofence, rally points. Replaced as a whole or not at all. */
export class Plans {
  readonly #items: [readonly PlanItem[], readonly PlanItem[], readonly PlanItem[]] = [[], [], []];
  readonly #ids: [number, number, number] = [0, 0, 0];
  /** Counts replacements. */
  version = 0;

  items(type: PlanType): readonly PlanItem[] {
    return this.#items[type];
  }
  id(type: PlanType): number {
    return this.#ids[type];
  }
  replace(type: PlanType, items: readonly PlanItem[]): void {
    this.#items[type] = items;
    this.#ids[type] = planId(items);
    this.version++;
  }
}
