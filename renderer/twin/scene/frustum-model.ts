import {
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LinearFilter,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SRGBColorSpace,
} from "three";
import type { Flu } from "#contract/frames";
import type { Lens } from "#contract/perception";
import { disposeTree } from "./dispose";
import { pictureCorners } from "./lens";
import type { Palette } from "./palette";

const depth_m = 0.5;

/** The camera on the vehicle and its view volume, with the live picture on the far plane. Lives in the body frame. */
export class FrustumModel {
  readonly group = new Group();
  readonly #palette: Palette;
  #lens: Lens | null = null;
  #volume: Group | null = null;
  #screen: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;
  #texture: CanvasTexture<OffscreenCanvas | HTMLCanvasElement> | null = null;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  setLens(lens: Lens): void {
    if (this.#lens !== null && JSON.stringify(lens) === JSON.stringify(this.#lens)) return;
    this.#lens = lens;
    for (const child of [...this.group.children]) disposeTree(child);
    this.#texture = null;
    const corners = pictureCorners(lens, depth_m);
    const volume = new Group();
    const screen = this.#buildScreen(corners);
    this.#screen = screen;
    volume.add(this.#edges(corners, lens.mount_position_flu_m), this.#sides(corners, lens), screen);
    this.#volume = volume;
    this.group.add(volume, this.#body(lens));
  }

  set visible(on: boolean) {
    if (this.#volume !== null) this.#volume.visible = on;
  }

  /** Puts the picture held by `canvas` on the far plane. Called once a frame received, never once a frame drawn. */
  setPicture(canvas: OffscreenCanvas | HTMLCanvasElement | null): void {
    const screen = this.#screen;
    if (screen === null) return;
    if (canvas === null) {
      screen.visible = false;
      return;
    }
    const stale = this.#texture === null || this.#texture.image !== canvas;
    if (stale) {
      this.#texture?.dispose();
      const texture = new CanvasTexture(canvas);
      texture.colorSpace = SRGBColorSpace;
      texture.minFilter = LinearFilter;
      texture.generateMipmaps = false;
      this.#texture = texture;
      screen.material.map = texture;
      screen.material.needsUpdate = true;
    }
    if (this.#texture !== null) this.#texture.needsUpdate = true;
    screen.visible = true;
  }

  #buildScreen(corners: readonly [Flu, Flu, Flu, Flu]): Mesh<BufferGeometry, MeshBasicMaterial> {
    const [a, b, c, d] = corners;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([...a, ...b, ...c, ...d], 3));
    geometry.setAttribute("uv", new Float32BufferAttribute([0, 1, 1, 1, 1, 0, 0, 0], 2));
    geometry.setIndex([0, 2, 1, 0, 3, 2]);
    const screen = new Mesh(
      geometry,
      new MeshBasicMaterial({
        side: DoubleSide,
        transparent: true,
        opacity: 0.82,
        depthWrite: false,
        toneMapped: false,
      }),
    );
    screen.visible = false;
    screen.renderOrder = 1;
    return screen;
  }

  #edges(corners: readonly [Flu, Flu, Flu, Flu], lens: Flu): LineSegments {
    const points: number[] = [];
    corners.forEach((corner, i) => {
      points.push(...lens, ...corner, ...corner, ...(corners[(i + 1) % 4] as Flu));
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    return new LineSegments(
      geometry,
      new LineBasicMaterial({
        color: this.#palette.intent,
        transparent: true,
        opacity: 0.4,
        depthWrite: false,
      }),
    );
  }

  #sides(corners: readonly [Flu, Flu, Flu, Flu], lens: Lens): Mesh {
    const geometry = new BufferGeometry();
    geometry.setAttribute(
      "position",
      new Float32BufferAttribute([...lens.mount_position_flu_m, ...corners.flat()], 3),
    );
    geometry.setIndex([0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1]);
    const sides = new Mesh(
      geometry,
      new MeshBasicMaterial({
        color: this.#palette.intent,
        transparent: true,
        opacity: 0.035,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
    sides.renderOrder = 1;
    return sides;
  }

  /** The camera itself: 124 by 29 by 26 mm, two lenses, on the axes of its mount. */
  #body(lens: Lens): Group {
    const g = new Group();
    const dark = new MeshStandardMaterial({ color: this.#palette.metal, roughness: 0.4, metalness: 0.4 });
    const glass = new MeshStandardMaterial({ color: "#05070a", roughness: 0.15, metalness: 0.2 });
    const housing = new Mesh(new BoxGeometry(0.124, 0.029, 0.026), dark);
    housing.position.z = -0.014;
    housing.castShadow = true;
    g.add(housing);
    for (const x of [-0.047, -0.012, 0.012, 0.047]) {
      const eye = new Mesh(new CylinderGeometry(0.008, 0.008, 0.004, 18).rotateX(Math.PI / 2), glass);
      eye.position.set(x, 0, 0);
      g.add(eye);
    }
    const [w, x, y, z] = lens.mount_quat;
    g.quaternion.set(x, y, z, w);
    g.position.fromArray(lens.mount_position_flu_m);
    return g;
  }
}
