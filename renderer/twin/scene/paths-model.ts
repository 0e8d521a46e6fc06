import { Group, type Vector2 } from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { disposeTree } from "./dispose";
import type { Palette } from "./palette";
import type { DrawnPath } from "./twin-state";

/** Paths beside the flown one: what was commanded dashed in the machine's colour, another estimate thin, the truth green. */
export class PathsModel {
  readonly group = new Group();
  #drawn: readonly DrawnPath[] = [];
  #materials: LineMaterial[] = [];
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(paths: readonly DrawnPath[], resolution: Vector2): void {
    if (paths === this.#drawn) return;
    this.#drawn = paths;
    for (const child of [...this.group.children]) disposeTree(child);
    this.#materials = [];
    for (const { points, role } of paths) {
      if (points.length < 2) continue;
      const material = new LineMaterial({
        color: { setpoint: this.#palette.machine, estimate: this.#palette.muted, truth: this.#palette.go }[
          role
        ],
        linewidth: role === "setpoint" ? 1.4 : 1.1,
        dashed: role === "setpoint",
        dashSize: 0.12,
        gapSize: 0.08,
        transparent: true,
        opacity: 0.9,
      });
      material.resolution.copy(resolution);
      this.#materials.push(material);
      const geometry = new LineGeometry();
      geometry.setPositions(points.flat());
      const line = new Line2(geometry, material);
      line.computeLineDistances();
      this.group.add(line);
    }
  }

  resize(resolution: Vector2): void {
    for (const material of this.#materials) material.resolution.copy(resolution);
  }
}
