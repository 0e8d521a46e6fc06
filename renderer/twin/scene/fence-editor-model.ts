import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  Shape,
  ShapeGeometry,
  type Vector2,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { clearGroup } from "./dispose";
import type { Palette } from "./palette";

type Point = readonly [east_m: number, north_m: number];

/** One outline on the ground, and the wall over it. */
export interface DrawnZone {
  readonly outline: readonly Point[];
  readonly keep: "in" | "out";
  /** "vehicle": as the vehicle keeps it; "draft": as it is being drawn; "faulty": a draft no vehicle would take. */
  readonly state: "vehicle" | "draft" | "faulty";
  readonly selected: boolean;
}

/** Plans as they are edited: zones, the polygon under the pen, the mission's path and the rally points. */
export interface DrawnPlan {
  readonly zones: readonly DrawnZone[];
  readonly pen: readonly Point[];
  readonly path_enu_m: readonly (readonly [number, number, number])[];
  readonly rally_enu_m: readonly (readonly [number, number, number])[];
  readonly ceiling_m: number;
  /** Zones up to the ceiling; from straight above that would only show every outline twice. */
  readonly walls: boolean;
}

const ground_m = 0.012;

/** Geofence, mission path and rally points over the floor. Keep-in is a wall, keep-out a filled area with a dashed edge. */
export class FenceEditorModel {
  readonly group = new Group();
  readonly #palette: Palette;
  #lines: LineMaterial[] = [];

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(plan: DrawnPlan | null, resolution: Vector2): void {
    clearGroup(this.group);
    this.#lines = [];
    if (plan === null) return;
    for (const zone of plan.zones) this.#zone(zone, plan.walls ? plan.ceiling_m : null, resolution);
    if (plan.pen.length > 1) this.#line(plan.pen.map(onGround), this.#palette.intent, 2, resolution, false);
    if (plan.path_enu_m.length > 1) this.#line(plan.path_enu_m, this.#palette.machine, 2, resolution, false);
    for (const [x, y, z] of plan.rally_enu_m) {
      const mast: readonly (readonly [number, number, number])[] = [
        [x, y, 0],
        [x, y, z],
      ];
      this.#line(mast, this.#palette.text, 2, resolution, false);
      this.#line(ring(x, y, 0.18), this.#palette.text, 2, resolution, false);
    }
  }

  resize(resolution: Vector2): void {
    for (const line of this.#lines) line.resolution.copy(resolution);
  }

  #zone(zone: DrawnZone, ceiling_m: number | null, resolution: Vector2): void {
    if (zone.outline.length < 2) return;
    const draft = zone.keep === "in" ? this.#palette.intent : this.#palette.caution;
    const colour = { vehicle: this.#palette.text, draft, faulty: this.#palette.warning }[zone.state];
    const closed = [...zone.outline, zone.outline[0] ?? [0, 0]].map((p) => onGround(p));
    const width = zone.state === "vehicle" ? 1.5 : zone.selected ? 3.5 : 2;
    this.#line(closed, colour, width, resolution, zone.keep === "out");
    if (zone.keep === "out" && zone.outline.length > 2) {
      const shape = new Shape();
      zone.outline.forEach(([x, y], i) => (i === 0 ? shape.moveTo(x, y) : shape.lineTo(x, y)));
      const fill = new Mesh(new ShapeGeometry(shape), veil(colour, 0.16));
      fill.position.z = ground_m;
      this.group.add(fill);
    }
    if (zone.state === "vehicle" || ceiling_m === null) return;
    const wall = new Mesh(ribbon(zone.outline, ceiling_m), veil(colour, zone.selected ? 0.13 : 0.07));
    this.group.add(wall);
    const top = closed.map(([x, y]): readonly [number, number, number] => [x, y, ceiling_m]);
    this.#line(top, colour, 1, resolution, zone.keep === "out");
  }

  #line(
    points: readonly (readonly [number, number, number])[],
    colour: string,
    width_px: number,
    resolution: Vector2,
    dashed: boolean,
  ): void {
    const geometry = new LineGeometry();
    geometry.setPositions(points.flat());
    const material = new LineMaterial({
      color: colour,
      linewidth: width_px,
      dashed,
      dashSize: 0.16,
      gapSize: 0.1,
      transparent: true,
      depthTest: false,
    });
    material.resolution.copy(resolution);
    this.#lines.push(material);
    const line = new Line2(geometry, material);
    if (dashed) line.computeLineDistances();
    line.renderOrder = 4;
    this.group.add(line);
  }
}

const onGround = ([x, y]: Point): readonly [number, number, number] => [x, y, ground_m];

const veil = (colour: string, opacity: number): MeshBasicMaterial =>
  new MeshBasicMaterial({ color: colour, transparent: true, opacity, side: DoubleSide, depthWrite: false });

const ring = (x: number, y: number, radius_m: number): readonly (readonly [number, number, number])[] =>
  Array.from({ length: 25 }, (_, i) => {
    const angle = (i * Math.PI) / 12;
    return [x + radius_m * Math.cos(angle), y + radius_m * Math.sin(angle), ground_m];
  });

/** An upright strip over a closed outline. */
function ribbon(outline: readonly Point[], top_m: number): BufferGeometry {
  const positions: number[] = [];
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length] ?? [ax, ay];
    positions.push(ax, ay, 0, bx, by, 0, bx, by, top_m, ax, ay, 0, bx, by, top_m, ax, ay, top_m);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  return geometry;
}
