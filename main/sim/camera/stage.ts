import { type Q4, toMatrix, type V3 } from "../world/rigid";
import type { Drawing, Item } from "./drawing";

export type PoseOf = (body: string) => { readonly at: V3; readonly quat: Q4 };

interface Carried {
  readonly body: string;
  readonly vehicle: boolean;
  readonly items: readonly Item[];
  at: V3;
  quat: Q4;
}

/** A drawing's vertices in the world, moved along with the bodies that carry them. */
export class Stage {
  readonly drawing: Drawing;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** Middle of each item's enclosing sphere in the world, three floats an item. */
  readonly centres: Float32Array;
  readonly #carried: readonly Carried[];

  constructor(drawing: Drawing) {
    this.drawing = drawing;
    this.positions = Float32Array.from(drawing.positions);
    this.normals = Float32Array.from(drawing.normals);
    this.centres = Float32Array.from(drawing.items.flatMap((item) => [...item.centre]));
    const byBody = new Map<string, Item[]>();
    for (const item of drawing.items) {
      if (item.carrier.kind === "structure") continue;
      const list = byBody.get(item.carrier.body) ?? [];
      list.push(item);
      byBody.set(item.carrier.body, list);
    }
    this.#carried = [...byBody].map(([body, items]) => ({
      body,
      vehicle: items[0]?.carrier.kind === "vehicle",
      items,
      at: [Number.NaN, 0, 0],
      quat: [1, 0, 0, 0],
    }));
  }

  /** Moves everything to where it is now; says whether an object and whether the vehicle moved at all. */
  update(poseOf: PoseOf): { readonly objects: boolean; readonly vehicle: boolean } {
    let objects = false;
    let vehicle = false;
    for (const carried of this.#carried) {
      const pose = poseOf(carried.body);
      if (same(pose.at, carried.at, 5e-5) && same(pose.quat, carried.quat, 5e-5)) continue;
      carried.at = pose.at;
      carried.quat = pose.quat;
      if (carried.vehicle) vehicle = true;
      else objects = true;
      const m = toMatrix(pose.quat);
      for (const item of carried.items) {
        transform(this.drawing.positions, this.positions, item.vertex, item.vertices, m, pose.at);
        transform(this.drawing.normals, this.normals, item.vertex, item.vertices, m, [0, 0, 0]);
        const i = this.drawing.items.indexOf(item);
        const centre = Float32Array.from(item.centre);
        const moved = new Float32Array(3);
        transform(centre, moved, 0, 1, m, pose.at);
        this.centres.set(moved, i * 3);
      }
    }
    return { objects, vehicle };
  }
}

/** No difference beyond the tolerance; NaN counts as different. */
function same(a: readonly number[], b: readonly number[], tolerance: number): boolean {
  return a.every((x, i) => Math.abs(x - (b[i] ?? Number.NaN)) < tolerance);
}

export function transform(
  from: Float32Array,
  into: Float32Array,
  first: number,
  count: number,
  m: readonly number[],
  t: V3,
): void {
  const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0] = m;
  const [tx, ty, tz] = t;
  for (let i = first * 3; i < (first + count) * 3; i += 3) {
    const x = from[i] as number;
    const y = from[i + 1] as number;
    const z = from[i + 2] as number;
    into[i] = m0 * x + m1 * y + m2 * z + tx;
    into[i + 1] = m3 * x + m4 * y + m5 * z + ty;
    into[i + 2] = m6 * x + m7 * y + m8 * z + tz;
  }
}
