import {
  BoxGeometry,
  BufferGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  LineDashedMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from "three";
import { clearGroup } from "./dispose";
import type { Label } from "./label-layer";
import { colourOf, type Palette } from "./palette";

/** A movable thing as it really is: its box in its own frame, metres, and its main colour. */
export interface TruthThing {
  readonly name: string;
  readonly label: string;
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
  readonly colour: readonly [number, number, number];
}

/** World ENU; quaternion [w, x, y, z]. */
interface Placed {
  readonly p: readonly [number, number, number];
  readonly q: readonly [number, number, number, number];
}

export interface TruthPoses {
  readonly vehicle: Placed;
  /** In the order of the things. */
  readonly objects: readonly Placed[];
}

/** How long the arms of the cross are that marks where the vehicle truly is. */
const cross_m = 0.45;

/** The spectator's layer: hollow and dashed, drawn through what hides it, and never to be taken for something perceived. */
export class TruthModel {
  readonly group = new Group();
  readonly #palette: Palette;
  #things: readonly TruthThing[] = [];
  #vehicle: Group | null = null;
  #objects: readonly Group[] = [];

  constructor(palette: Palette) {
    this.#palette = palette;
    this.group.renderOrder = 5;
    this.group.visible = false;
  }

  set(things: readonly TruthThing[] | null): void {
    clearGroup(this.group);
    this.#things = things ?? [];
    this.#objects = this.#things.map((thing) => this.#box(thing));
    this.#vehicle = things === null ? null : this.#cross();
    // Nothing is anywhere before the first poses.
    this.group.visible = false;
    if (this.#vehicle !== null) this.group.add(this.#vehicle, ...this.#objects);
  }

  move({ vehicle, objects }: TruthPoses): void {
    if (this.#vehicle === null) return;
    place(this.#vehicle, vehicle);
    this.#objects.forEach((object, i) => {
      const pose = objects[i];
      if (pose !== undefined) place(object, pose);
    });
    this.group.visible = true;
  }

  get labels(): readonly Label[] {
    if (!this.group.visible) return [];
    return this.#things.map((thing, i): Label => {
      const at = this.#objects[i]?.position ?? this.group.position;
      return {
        id: `truth ${thing.name}`,
        text: `truth: ${thing.label}`,
        tone: "muted",
        at: [at.x, at.y, at.z + thing.max[2] + 0.03],
        priority: 0,
      };
    });
  }

  #box({ min, max, colour }: TruthThing): Group {
    const thing = new Group();
    const size = [0, 1, 2].map((k) => Math.max(0.005, (max[k] ?? 0) - (min[k] ?? 0)));
    const box = new BoxGeometry(...(size as [number, number, number]));
    const skin = new Mesh(
      box,
      new MeshBasicMaterial({
        color: colourOf(colour),
        transparent: true,
        opacity: 0.18,
        depthWrite: false,
        depthTest: false,
      }),
    );
    const edges = this.#dashed(new EdgesGeometry(box), 0.02);
    for (const part of [skin, edges]) {
      part.position.set((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
      part.renderOrder = 5;
      thing.add(part);
    }
    return thing;
  }

  #cross(): Group {
    const c = cross_m;
    const lines = new BufferGeometry();
    const ends = [-c, 0, 0, c, 0, 0, 0, -c, 0, 0, c, 0, 0, 0, -c / 2, 0, 0, c / 2];
    lines.setAttribute("position", new Float32BufferAttribute(ends, 3));
    const cross = new Group();
    cross.add(this.#dashed(lines, 0.03));
    return cross;
  }

  #dashed(geometry: BufferGeometry, dash_m: number): LineSegments {
    const material = new LineDashedMaterial({
      color: this.#palette.text,
      dashSize: dash_m,
      gapSize: dash_m * 0.7,
      depthTest: false,
      transparent: true,
    });
    const lines = new LineSegments(geometry, material);
    lines.computeLineDistances();
    lines.renderOrder = 5;
    return lines;
  }
}

function place(group: Group, { p, q: [w, x, y, z] }: Placed): void {
  group.position.fromArray(p);
  group.quaternion.set(x, y, z, w);
}
