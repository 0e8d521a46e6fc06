import type { PlacedPart, Structure } from "./placed";
import { identity, type V3 } from "./rigid";
import type { Paint, SceneFile } from "./scene-file";

/** Floor and pad; ceiling and walls with skirting indoors, the sky in the open. */
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
  const { floor, walls, ceiling, sky } = scene.room;
  const structures: Structure[] = [
    { id: "floor", role: "floor", parts: [box(wide, [mid[0], mid[1], min[2] - thick], floor)] },
  ];
  if (ceiling !== null)
    structures.push({
      id: "ceiling",
      role: "ceiling",
      parts: [box(wide, [mid[0], mid[1], max[2] + thick], ceiling)],
    });
  if (sky !== null)
    structures.push({ id: "sky", role: "sky", parts: skyParts(mid, min[2], box, floor, sky) });
  const wall = (id: string, axis: 0 | 1, side: -1 | 1): void => {
    if (walls === null) return;
    const size: [number, number, number] = [half[0] + 2 * thick, half[1] + 2 * thick, half[2]];
    const at: [number, number, number] = [...mid];
    size[axis] = thick;
    at[axis] = (side > 0 ? max : min)[axis] + side * thick;
    const parts = [box(size, at, walls)];
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

const horizon_m = 60;

/** The ground as far as the horizon, and the sky standing on it. Seen, never felt and never measured: too far away. */
function skyParts(
  mid: V3,
  floor_m: number,
  box: (half: V3, at: V3, paint: string, collides: boolean) => PlacedPart,
  ground: string,
  sky: string,
): PlacedPart[] {
  const tall = 24;
  const panel = (axis: 0 | 1, side: -1 | 1): PlacedPart => {
    const half: [number, number, number] = [horizon_m, horizon_m, tall];
    const at: [number, number, number] = [mid[0], mid[1], floor_m + tall - 2];
    half[axis] = 0.1;
    at[axis] += side * horizon_m;
    return box(half, at, sky, false);
  };
  return [
    box([horizon_m, horizon_m, 0.05], [mid[0], mid[1], floor_m - 0.12], ground, false),
    box([horizon_m, horizon_m, 0.1], [mid[0], mid[1], floor_m + 2 * tall - 2], `${sky} above`, false),
    panel(0, 1),
    panel(0, -1),
    panel(1, 1),
    panel(1, -1),
  ];
}
