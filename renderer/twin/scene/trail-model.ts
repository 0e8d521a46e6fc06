import { Group, type Vector2 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { disposeTree } from "./dispose";
import type { Palette } from "./palette";
import type { Trail } from "./trail";

/** The path already flown, grey. */
export class TrailModel {
  readonly group = new Group();
  #drawn: Trail | null = null;
  #material: LineMaterial | null = null;
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(trail: Trail, resolution: Vector2): void {
    if (trail === this.#drawn) return;
    this.#drawn = trail;
    const { points } = trail;
    for (const child of [...this.group.children]) disposeTree(child);
    this.#material = null;
    if (points.length < 2) return;
    const geometry = new LineGeometry();
    geometry.setPositions(points.flat());
    const material = new LineMaterial({
      color: this.#palette.muted,
      linewidth: 1.8,
      transparent: true,
      opacity: 0.85,
    });
    material.resolution.copy(resolution);
    this.#material = material;
    this.group.add(new Line2(geometry, material));
  }

  resize(resolution: Vector2): void {
    this.#material?.resolution.copy(resolution);
  }
}
