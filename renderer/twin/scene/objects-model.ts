import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineDashedMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Vector3,
} from "three";
import { disposeTree } from "./dispose";
import { colourOf, type Palette } from "./palette";
import type { SeenObject } from "./seen-objects";

/** Perceived objects as boxes of their measured size: fresh ones solid, unseen ones dashed and hollow. */
export class ObjectsModel {
  readonly group = new Group();
  readonly #palette: Palette;
  #objects: readonly SeenObject[] = [];
  #selected: string | null = null;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  get objects(): readonly SeenObject[] {
    return this.#objects;
  }

  /** Rebuilds what differs; at 10 Hz nearly every object is as it was. */
  set(objects: readonly SeenObject[], selected: string | null): void {
    const before = new Map(this.#objects.map((o) => [o.id, o]));
    const reselected = selected !== this.#selected;
    for (const child of [...this.group.children]) {
      const id = child.userData["object"] as string;
      const now = objects.find((o) => o.id === id);
      const old = before.get(id);
      const same = now !== undefined && old !== undefined && alike(now, old);
      if (same && !(reselected && (id === selected || id === this.#selected))) continue;
      disposeTree(child);
    }
    const kept = new Set(this.group.children.map((c) => c.userData["object"] as string));
    for (const object of objects) if (!kept.has(object.id)) this.group.add(this.#build(object, selected));
    this.#objects = objects;
    this.#selected = selected;
  }

  #build(object: SeenObject, selected: string | null): Group {
    const g = new Group();
    g.userData = { object: object.id };
    const [sx, sy, sz] = object.size_m.map((v) => Math.max(0.01, v)) as [number, number, number];
    const geometry = new BoxGeometry(sx, sy, sz);
    const colour = colourOf(object.colour);
    const fresh = object.state === "seen";
    const tone = this.#tone(object);
    if (fresh || object.state === "settling") {
      const body = new Mesh(geometry, new MeshLambertMaterial({ color: colour }));
      body.castShadow = true;
      body.receiveShadow = true;
      body.userData = { object: object.id };
      g.add(body);
    } else {
      const body = new Mesh(
        geometry,
        new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.1, depthWrite: false }),
      );
      body.userData = { object: object.id };
      g.add(body);
    }
    const line = fresh
      ? new LineBasicMaterial({ color: tone ?? colour.clone().lerp(white, 0.35) })
      : new LineDashedMaterial({ color: tone ?? this.#palette.muted, dashSize: 0.018, gapSize: 0.014 });
    const outline = new LineSegments(new EdgesGeometry(geometry), line);
    outline.computeLineDistances();
    g.add(outline);
    if (object.id === selected) {
      const halo = new LineSegments(
        new EdgesGeometry(new BoxGeometry(sx + 0.03, sy + 0.03, sz + 0.03)),
        new LineBasicMaterial({ color: this.#palette.intent }),
      );
      g.add(halo);
    }
    g.position.fromArray(object.position_enu_m);
    if (object.moved) this.#addMove(g, object, [sx, sy, sz]);
    return g;
  }

  #tone(object: SeenObject): string | null {
    if (object.alarm === "stop") return this.#palette.warning;
    if (object.alarm === "caution") return this.#palette.caution;
    return null;
  }

  /** Where it stood, dashed, and a red arrow from there to here; drawn through what hides it. */
  #addMove(g: Group, object: SeenObject, size: [number, number, number]): void {
    if (object.baseline_enu_m === null) return;
    const from = new Vector3(...object.baseline_enu_m).sub(g.position);
    const was = new LineSegments(
      new EdgesGeometry(new BoxGeometry(...size)),
      new LineDashedMaterial({ color: this.#palette.warning, dashSize: 0.015, gapSize: 0.012 }),
    );
    was.position.copy(from);
    was.computeLineDistances();
    g.add(was);
    const lift = new Vector3(0, 0, size[2] / 2 + 0.03);
    g.add(arrow(from.clone().add(lift), lift, this.#palette.warning));
  }
}

const white = colourOf([1, 1, 1]);

/** An arrow of true length; its head keeps a readable size when the way is short. */
function arrow(from: Vector3, to: Vector3, color: string): Group {
  const g = new Group();
  const material = new MeshBasicMaterial({ color, depthTest: false, transparent: true });
  const way = to.clone().sub(from);
  const length = Math.max(way.length(), 1e-4);
  const head = Math.min(0.03, Math.max(0.016, length * 0.45));
  const shaft = Math.max(length - head * 0.6, 0.002);
  const rod = new Mesh(new CylinderGeometry(0.0035, 0.0035, shaft, 8), material);
  rod.position.y = shaft / 2;
  const tip = new Mesh(new ConeGeometry(head * 0.42, head, 16), material);
  tip.position.y = length - head / 2;
  g.add(rod, tip);
  g.position.copy(from);
  g.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), way.normalize());
  g.renderOrder = 4;
  for (const part of g.children) part.renderOrder = 4;
  return g;
}

function alike(a: SeenObject, b: SeenObject): boolean {
  return (
    a.state === b.state &&
    a.alarm === b.alarm &&
    a.moved === b.moved &&
    near(a.position_enu_m, b.position_enu_m) &&
    near(a.size_m, b.size_m) &&
    near(a.baseline_enu_m ?? [0, 0, 0], b.baseline_enu_m ?? [0, 0, 0])
  );
}

/** Under a millimetre nothing on the screen changes. */
const near = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((v, i) => Math.abs(v - (b[i] ?? 0)) < 0.001);
