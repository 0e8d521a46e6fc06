import {
  CatmullRomCurve3,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  TubeGeometry,
  type Vector2,
  Vector3,
} from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import type { VehicleFile } from "#contract/airframe";
import { type Enu, quatFromYaw } from "#contract/frames";
import { airframeFor } from "./airframe-file";
import { disposeTree } from "./dispose";
import { distance, type Solid, type Tightest, tightestAlong } from "./distances";
import type { Palette } from "./palette";
import { ghostMaterials } from "./vehicle-materials";

/** What the machine proposes, as the twin draws it. */
export interface Plan {
  readonly id: string;
  readonly path: readonly Enu[];
  readonly end: { readonly position_enu_m: Enu; readonly yaw_enu_rad: number };
  /** The judge's own clearance, metres; the twin only shows where it is. */
  readonly clearance_m: number | null;
  readonly clearance_state: "pass" | "caution" | "fail";
  readonly radius_m: number;
}

const reached_m = 0.12;
/** Above the tilt of a vehicle that hovers. */
const reached_rad = 0.17;

/** Magenta: ghost of the vehicle at the end pose, dashed path, swept tube, and a line where it is tightest. */
export class PlanModel {
  readonly group = new Group();
  #id: string | null = null;
  #airframe: VehicleFile | null = null;
  #ghost: Group | null = null;
  #tightest: Tightest | null = null;
  #lines: LineMaterial[] = [];
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  get tightest(): Tightest | null {
    return this.#tightest;
  }

  /** Whose ghost is shown from the next plan on. */
  wear(file: VehicleFile | null): void {
    this.#airframe = file;
  }

  set(plan: Plan | null, solids: readonly Solid[], resolution: Vector2): void {
    if (plan !== null && plan.id === this.#id) return;
    for (const child of [...this.group.children]) disposeTree(child);
    this.#id = plan?.id ?? null;
    this.#tightest = null;
    this.#lines = [];
    this.#ghost = null;
    if (plan === null) return;
    const ghost = airframeFor(this.#airframe, ghostMaterials(this.#palette), false);
    ghost.spin(0.4, true);
    ghost.group.position.fromArray(plan.end.position_enu_m);
    const [w, x, y, z] = quatFromYaw(plan.end.yaw_enu_rad);
    ghost.group.quaternion.set(x, y, z, w);
    this.#ghost = ghost.group;
    this.group.add(ghost.group);
    const path = tidy(plan.path);
    if (path.length < 2) return;
    this.#addPath(path, plan.radius_m, resolution);
    this.#tightest = plan.clearance_m === null ? null : tightestAlong(path, solids);
    if (this.#tightest !== null) this.#addTightest(this.#tightest, plan, resolution);
  }

  /** The body is left out where it would stand in the observer's way, or where the vehicle is already; its path stays. */
  showBody(wanted: boolean, vehicle: Object3D): void {
    if (this.#ghost === null) return;
    const there = this.#ghost.position.distanceTo(vehicle.position) < reached_m;
    const turned = this.#ghost.quaternion.angleTo(vehicle.quaternion) > reached_rad;
    this.#ghost.visible = wanted && (!there || turned || !vehicle.visible);
  }

  resize(resolution: Vector2): void {
    for (const line of this.#lines) line.resolution.copy(resolution);
  }

  #addPath(path: readonly Enu[], radius_m: number, resolution: Vector2): void {
    const curve = new CatmullRomCurve3(
      path.map((p) => new Vector3(...p)),
      false,
      "centripetal",
    );
    const segments = Math.min(240, Math.max(16, path.length * 4));
    const swept = new Mesh(
      new TubeGeometry(curve, segments, Math.max(0.05, radius_m * 0.55), 24, false),
      new MeshBasicMaterial({
        color: this.#palette.machine,
        transparent: true,
        opacity: 0.09,
        depthWrite: false,
      }),
    );
    swept.renderOrder = 2;
    const points = curve.getPoints(segments);
    this.group.add(swept, this.#line(points, this.#palette.machine, 2.4, true, resolution));
  }

  #addTightest(t: Tightest, plan: Plan, resolution: Vector2): void {
    const color =
      plan.clearance_state === "fail"
        ? this.#palette.warning
        : plan.clearance_state === "caution"
          ? this.#palette.caution
          : this.#palette.machine;
    const ends = [new Vector3(...t.at_enu_m), new Vector3(...t.against_enu_m)];
    const line = this.#line(ends, color, 1.6, false, resolution);
    line.material.depthTest = false;
    line.renderOrder = 5;
    this.group.add(line);
  }

  #line(
    points: readonly Vector3[],
    color: string,
    width: number,
    dashed: boolean,
    resolution: Vector2,
  ): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions(points.flatMap((p) => [p.x, p.y, p.z]));
    const material = new LineMaterial({ color, linewidth: width, dashed, dashSize: 0.06, gapSize: 0.045 });
    material.resolution.copy(resolution);
    const line = new Line2(geometry, material);
    line.computeLineDistances();
    this.#lines.push(material);
    return line;
  }
}

/** Without repeated points, which a spline cannot pass through. */
function tidy(path: readonly Enu[]): readonly Enu[] {
  return path.filter((p, i) => {
    const before = path[i - 1];
    return before === undefined || distance(before, p) > 1e-3;
  });
}
