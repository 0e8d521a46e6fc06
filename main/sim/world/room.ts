import type { PlacedPart, Structure } from "./placed";
import { identity, type V3 } from "./rigid";
import type { Paint, SceneFile } from "./scene-file";

/** Floor, ceiling, four walls with skirting, and the pad. */
export function room(scene: SceneFile, paintOf: (name: string) => Paint): Structure[] {
  const { min, max } = scene.room;
  const thick = 0.05;
  const box = (half: V3, at: V3, paint: string, collides = true): PlacedPart => ({
    part: { kind: "box", half, at, paint, collides, visible: true },
    paint: paintOf(paint),
    at,
    quat: identity,
  });
  const mid: V3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  const half: V3 = [(max[0] - min[0]) / 2, (max[1] - min[1]) / 2, (max[2] - min[2]) / 2];
  const wide: V3 = [half[0] + 2 * thick, half[1] + 2 * thick, thick];
  const structures: Structure[] = [
    { id: "floor", role: "floor", parts: [box(wide, [mid[0], mid[1], min[2] - thick], scene.room.floor)] },
    {
      id: "ceiling",
      role: "ceiling",
      parts: [box(wide, [mid[0], mid[1], max[2] + thick], scene.room.ceiling)],
    },
  ];
  const wall = (id: string, axis: 0 | 1, side: -1 | 1): void => {
    const size: [number, number, number] = [half[0] + 2 * thick, half[1] + 2 * thick, half[2]];
    const at: [number, number, number] = [...mid];
    size[axis] = thick;
    at[axis] = (side > 0 ? max : min)[axis] + side * thick;
    const parts = [box(size, at, scene.room.walls)];
    if (scene.room.skirting !== null) {
      const strip: [number, number, number] = [...size];
      const low: [number, number, number] = [...at];
      strip[axis] = 0.006;
      strip[2] = 0.04;
      low[axis] = (side > 0 ? max : min)[axis] - side * 0.006;
      low[2] = min[2] + 0.04;
      parts.push(box(strip, low, scene.room.skirting, false));
    }
    structures.push({ id, role: "wall", parts });
  };
  wall("wall-east", 0, 1);
  wall("wall-west", 0, -1);
  wall("wall-north", 1, 1);
  wall("wall-south", 1, -1);
  const padAt: V3 = [scene.pad.at[0], scene.pad.at[1], min[2] + 0.001];
  structures.push({
    id: "pad",
    role: "pad",
    parts: [
      {
        part: {
          kind: "cylinder",
          radius: scene.pad.radius_m,
          half_height: 0.001,
          at: padAt,
          paint: scene.pad.paint,
          collides: false,
          visible: true,
        },
        paint: paintOf(scene.pad.paint),
        at: padAt,
        quat: identity,
      },
    ],
  });
  return structures;
}
