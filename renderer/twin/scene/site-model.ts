import {
  BoxGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  RingGeometry,
  type Vector3,
} from "three";
import type { Site, StaticShape } from "#contract/geometry";
import { hidesInside } from "./culling";
import { clearGroup } from "./dispose";
import { colourOf, isLight, type Palette } from "./palette";

interface Wall {
  readonly shape: StaticShape;
  readonly skin: Mesh;
  readonly edges: LineSegments;
}

/** Known structure: furniture solid in its own colour, walls drawn only where they do not hide the room. */
export class SiteModel {
  readonly group = new Group();
  #walls: Wall[] = [];
  #middle: readonly [number, number, number] = [0, 0, 0];
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(site: Site | null): void {
    clearGroup(this.group);
    this.#walls = [];
    if (site === null) return;
    const { min_enu_m: a, max_enu_m: b } = site.fence;
    this.#middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
    for (const shape of site.shapes) {
      if (shape.role === "floor") continue;
      const built = this.#solid(shape);
      this.group.add(built.skin, built.edges);
      if (shape.role === "wall" || shape.role === "ceiling") this.#walls.push({ shape, ...built });
    }
    this.group.add(this.#pad(site));
  }

  /** Opens the walls between the observer and the room; true when that changed anything. */
  cull(eye: Vector3): boolean {
    let changed = false;
    for (const wall of this.#walls) {
      const hides = hidesInside(wall.shape, [eye.x, eye.y, eye.z], this.#middle);
      if (wall.skin.visible === hides) {
        wall.skin.visible = !hides;
        changed = true;
      }
    }
    return changed;
  }

  #solid(shape: StaticShape): { skin: Mesh; edges: LineSegments } {
    const [hx, hy, hz] = shape.half_m;
    const geometry =
      shape.kind === "box"
        ? new BoxGeometry(2 * hx, 2 * hy, 2 * hz)
        : new CylinderGeometry(hx, hx, 2 * hz, 40).rotateX(Math.PI / 2);
    const structure = shape.role === "wall" || shape.role === "ceiling";
    const own = colourOf(shape.colour);
    // Furniture keeps its hue but steps back: only meaning may be bright here.
    const color = structure ? own.set(this.#palette.wall) : quiet(own, this.#palette);
    const material = new MeshLambertMaterial({
      color,

      ...(structure ? { transparent: true, opacity: 0.5, depthWrite: false } : {}),
    });
    const skin = new Mesh(geometry, material);
    const edges = new LineSegments(
      new EdgesGeometry(geometry, 30),
      new LineBasicMaterial({
        color: structure ? this.#palette.grid_strong : color.clone().multiplyScalar(1.35),
        transparent: true,
        opacity: structure ? 0.7 : 0.55,
      }),
    );
    for (const part of [skin, edges]) {
      part.position.fromArray(shape.centre_enu_m);
      part.rotation.z = shape.yaw_enu_rad;
    }
    if (!structure) {
      skin.castShadow = true;
      skin.receiveShadow = true;
      skin.userData = { solid: shape.id };
    } else {
      skin.renderOrder = -1;
    }
    return { skin, edges };
  }

  #pad(site: Site): Group {
    const pad = new Group();
    const material = new MeshBasicMaterial({ color: this.#palette.muted, transparent: true, opacity: 0.7 });
    const ring = new Mesh(new RingGeometry(0.43, 0.45, 64), material);
    const bar = (x: number, y: number, w: number, h: number): Mesh => {
      const m = new Mesh(new BoxGeometry(w, h, 0.001), material);
      m.position.set(x, y, 0);
      return m;
    };
    pad.add(ring, bar(-0.09, 0, 0.03, 0.3), bar(0.09, 0, 0.03, 0.3), bar(0, 0, 0.18, 0.03));
    const [x, y, z] = site.pad_enu_m;
    pad.position.set(x, y, z + 0.004);
    return pad;
  }
}

function quiet(own: ReturnType<typeof colourOf>, palette: Palette): ReturnType<typeof colourOf> {
  const hsl = { h: 0, s: 0, l: 0 };
  own.getHSL(hsl);
  const light = isLight(palette.background_near);
  return own.setHSL(hsl.h, Math.min(0.26, hsl.s * 0.5), light ? 0.5 + hsl.l * 0.3 : 0.16 + hsl.l * 0.34);
}
