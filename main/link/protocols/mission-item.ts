import type { Fields } from "../port";

/** MAV_MISSION_TYPE. */
export type PlanKind = "mission" | "fence" | "rally";
export const planKindId: Readonly<Record<PlanKind, number>> = { mission: 0, fence: 1, rally: 2 };

/** One item as MISSION_ITEM_INT carries it; its place in the list is its sequence number. */
export interface MissionItem {
  readonly command: number;
  /** MAV_FRAME. */
  readonly frame: number;
  /** NaN where a parameter is not used. */
  readonly params: readonly [number, number, number, number];
  /** Latitude and longitude in 1e-7 degrees, or local metres times 1e4. */
  readonly x: number;
  readonly y: number;
  /** Metres, in the frame's sense of altitude. */
  readonly z: number;
  readonly autocontinue: boolean;
}

export function itemFields(item: MissionItem, seq: number, kind: PlanKind): Fields {
  const [param1, param2, param3, param4] = item.params;
  const { frame, command, x, y, z } = item;
  return {
    seq,
    frame,
    command,
    current: kind === "mission" && seq === 0 ? 1 : 0,
    autocontinue: item.autocontinue ? 1 : 0,
    param1,
    param2,
    param3,
    param4,
    x,
    y,
    z,
    mission_type: planKindId[kind],
  };
}

/** Null when a field is missing or of the wrong kind. */
export function itemFrom(fields: Fields): MissionItem | null {
  const number = (name: string): number | null => {
    const value = fields[name];
    return typeof value === "number" ? value : null;
  };
  const values = ["command", "frame", "param1", "param2", "param3", "param4", "x", "y", "z"].map(number);
  if (values.some((value) => value === null)) return null;
  const [command = 0, frame = 0, a = 0, b = 0, c = 0, d = 0, x = 0, y = 0, z = 0] = values as number[];
  return { command, frame, params: [a, b, c, d], x, y, z, autocontinue: number("autocontinue") !== 0 };
}

/** The same to a vehicle that keeps 32-bit floats; frames with and without "INT" mean the same. */
export function sameItem(a: MissionItem, b: MissionItem): boolean {
  const same = (p: number, q: number): boolean => Object.is(Math.fround(p) + 0, Math.fround(q) + 0);
  return (
    a.command === b.command &&
    baseFrame(a.frame) === baseFrame(b.frame) &&
    a.params.every((value, i) => same(value, b.params[i] ?? Number.NaN)) &&
    a.x === b.x &&
    a.y === b.y &&
    same(a.z, b.z)
  );
}

/** MAV_FRAME_GLOBAL_INT (5), GLOBAL_RELATIVE_ALT_INT (6) and GLOBAL_TERRAIN_ALT_INT (11) are 0, 3 and 10. */
const baseFrame = (frame: number): number => ({ 5: 0, 6: 3, 11: 10 })[frame] ?? frame;

/** What differs between two lists, in words; empty when they are the same. */
export function comparePlans(sent: readonly MissionItem[], kept: readonly MissionItem[]): readonly string[] {
  const differences: string[] = [];
  if (sent.length !== kept.length)
    differences.push(`${sent.length} items were sent, the vehicle has ${kept.length}`);
  sent.forEach((item, seq) => {
    const other = kept[seq];
    if (other !== undefined && !sameItem(item, other)) differences.push(`item ${seq + 1} differs`);
  });
  return differences;
}
