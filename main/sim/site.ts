import type { Site, StaticShape } from "#contract/geometry";
import type { Layout, PlacedMover } from "./world/layout";
import type { PlacedPart, Role, Structure } from "./world/placed";
import { add, multiply, turn, type V3 } from "./world/rigid";

/** What a station may know of the scene before flight: fixed structure, fence and pad. No object, no ground truth. */
export function siteOf(layout: Layout): Site {
  const { room, pad, fence_margin_m: margin } = layout.scene;
  return {
    schema: 1,
    name: layout.scene.name,
    seed: layout.seed,
    shapes: [...layout.structures.flatMap(structureShapes), ...layout.movers.flatMap(moverShapes)],
    fence: {
      min_enu_m: [room.min[0] + margin, room.min[1] + margin, room.min[2]],
      max_enu_m: [room.max[0] - margin, room.max[1] - margin, room.max[2] - margin],
    },
    pad_enu_m: [pad.at[0], pad.at[1], room.min[2]],
  };
}

function structureShapes({ id, role, parts }: Structure): StaticShape[] {
  if (role === "sky") return [];
  return parts.flatMap((part, i) => shapeOf(parts.length === 1 ? id : `${id}/${i + 1}`, role, part));
}

/** Doors, drawers and hanging baskets as they are before anybody opens them: an operator must see what may be opened. */
function moverShapes({ name, at, quat, parts }: PlacedMover): StaticShape[] {
  return parts.flatMap((part, i) =>
    shapeOf(`${name}/${i + 1}`, "furniture", {
      ...part,
      at: add(at, turn(quat, part.at)),
      quat: multiply(quat, part.quat),
    }),
  );
}

function shapeOf(id: string, role: Exclude<Role, "sky">, placed: PlacedPart): StaticShape[] {
  const size = sizeOf(placed);
  if (size === null) return [];
  const { kind, half } = size;
  const common = { id, role, colour: placed.paint.rgb, centre_enu_m: placed.at };
  const upright = Math.abs(turn(placed.quat, [0, 0, 1])[2]) > 0.999;
  if (upright) {
    const yaw_enu_rad = 2 * Math.atan2(placed.quat[3], placed.quat[0]);
    return [{ ...common, kind, half_m: half, yaw_enu_rad: kind === "box" ? yaw_enu_rad : 0 }];
  }
  return [{ ...common, kind: "box", half_m: enclosing(placed, half), yaw_enu_rad: 0 }];
}

/** Boxes and cylinders as they are, capsules as cylinders; pictures without substance of other kinds are left out. */
function sizeOf(placed: PlacedPart): { kind: "box" | "cylinder"; half: V3 } | null {
  const { part } = placed;
  switch (part.kind) {
    case "box":
      return { kind: "box", half: part.half };
    case "cylinder":
      return { kind: "cylinder", half: [part.radius, part.radius, part.half_height] };
    case "capsule":
      return { kind: "cylinder", half: [part.radius, part.radius, part.half_height + part.radius] };
    case "sphere":
      return part.collides ? { kind: "cylinder", half: [part.radius, part.radius, part.radius] } : null;
    case "ellipsoid":
      return part.collides ? { kind: "box", half: part.half } : null;
    case "cone":
    case "vessel":
      return null;
  }
}

/** Half extents, along the world's axes, of a tilted box. */
function enclosing(placed: PlacedPart, half: V3): V3 {
  const axes = [
    turn(placed.quat, [half[0], 0, 0]),
    turn(placed.quat, [0, half[1], 0]),
    turn(placed.quat, [0, 0, half[2]]),
  ];
  const extent = (k: 0 | 1 | 2): number => axes.reduce((sum, axis) => sum + Math.abs(axis[k]), 0);
  return [extent(0), extent(1), extent(2)];
}
