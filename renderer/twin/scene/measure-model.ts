import { Group, Mesh, MeshBasicMaterial, SphereGeometry, type Vector2, Vector3 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { Enu } from "#contract/frames";
import { disposeTree } from "./dispose";
import type { Palette } from "./palette";

/** The measuring tool's two points and the line between them, drawn over everything. */
export class MeasureModel {
  readonly group = new Group();
  readonly #palette: Palette;
  #material: LineMaterial | null = null;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(points: readonly Enu[], resolution: Vector2): void {
    for (const child of [...this.group.children]) disposeTree(child);
    this.#material = null;
    const dot = new MeshBasicMaterial({ color: this.#palette.intent, depthTest: false, transparent: true });
    for (const p of points) {
      const mesh = new Mesh(new SphereGeometry(0.012, 16, 12), dot);
      mesh.position.fromArray(p);
      mesh.renderOrder = 6;
      this.group.add(mesh);
    }
    const [a, b] = points;
    if (a === undefined || b === undefined) return;
    const geometry = new LineGeometry();
    geometry.setPositions([...a, ...b]);
    const material = new LineMaterial({
      color: this.#palette.intent,
      linewidth: 2,
      depthTest: false,
      transparent: true,
    });
    material.resolution.copy(resolution);
    this.#material = material;
    const line = new Line2(geometry, material);
    line.renderOrder = 6;
    this.group.add(line);
  }

  resize(resolution: Vector2): void {
    this.#material?.resolution.copy(resolution);
  }
}

export const middle = (a: Enu, b: Enu): Enu => {
  const m = new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5);
  return [m.x, m.y, m.z];
};
