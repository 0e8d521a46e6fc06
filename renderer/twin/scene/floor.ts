import {
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
} from "three";
import { clearGroup } from "./dispose";
import type { Palette } from "./palette";
import type { Box } from "./views";

/** The floor plate that takes the shadows, with a line every half metre and a stronger one every metre. */
export class Floor {
  readonly group = new Group();
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(box: Box): void {
    clearGroup(this.group);
    const { min, max } = box;
    const plate = new Mesh(
      new PlaneGeometry(max[0] - min[0], max[1] - min[1]),
      new MeshLambertMaterial({ color: this.#palette.floor }),
    );
    plate.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, -0.002);
    plate.receiveShadow = true;
    plate.userData = { solid: "floor" };
    this.group.add(plate);
    this.group.add(this.#lines(gridLines(box, 0.5, false), this.#palette.grid, 0.45));
    this.group.add(this.#lines(gridLines(box, 1, true), this.#palette.grid_strong, 0.7));
  }

  #lines(points: readonly number[], color: string, opacity: number): LineSegments {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([...points], 3));
    return new LineSegments(
      geometry,
      new LineBasicMaterial({ color, transparent: true, opacity, depthWrite: false }),
    );
  }
}

/**
 * End points of grid lines on the floor, x y z triples. `whole` gives the multiples of `step_m`; otherwise only those in
 * between whole metres, so that no line is drawn twice.
 */
export function gridLines(box: Box, step_m: number, whole: boolean): readonly number[] {
  const out: number[] = [];
  const [x0, y0] = box.min;
  const [x1, y1] = box.max;
  const wanted = (k: number): boolean => whole || !Number.isInteger(k * step_m);
  for (let k = Math.ceil(x0 / step_m); k * step_m <= x1; k += 1)
    if (wanted(k)) out.push(k * step_m, y0, 0.001, k * step_m, y1, 0.001);
  for (let k = Math.ceil(y0 / step_m); k * step_m <= y1; k += 1)
    if (wanted(k)) out.push(x0, k * step_m, 0.001, x1, k * step_m, 0.001);
  return out;
}

/** Metre numbers along the two near edges of the floor. */
export function gridNumbers(
  box: Box,
): readonly { readonly text: string; readonly at: [number, number, number] }[] {
  const out: { text: string; at: [number, number, number] }[] = [];
  const each = Math.max(box.max[0] - box.min[0], box.max[1] - box.min[1]) > 14 ? 2 : 1;
  for (let x = Math.ceil(box.min[0]); x <= box.max[0]; x += 1)
    if (x % each === 0) out.push({ text: metres(x), at: [x, box.min[1], 0] });
  for (let y = Math.ceil(box.min[1]) + 1; y <= box.max[1]; y += 1)
    if (y % each === 0) out.push({ text: metres(y), at: [box.min[0], y, 0] });
  return out;
}

const metres = (v: number): string => `${String(v).replace("-", "−")} m`;
