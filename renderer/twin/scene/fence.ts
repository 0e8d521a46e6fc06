import {
  BoxGeometry,
  DoubleSide,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
} from "three";
import type { Enu } from "#contract/frames";
import type { Site } from "#contract/geometry";
import { clearGroup } from "./dispose";
import type { Palette } from "./palette";

const near_m = 0.6;

/** The geofence: a thin frame at rest; the wall the vehicle comes near to shows as an amber pane. */
export class Fence {
  readonly group = new Group();
  #fence: Site["fence"] | null = null;
  #panes: {
    readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
    readonly axis: 0 | 1 | 2;
    readonly at: number;
  }[] = [];
  readonly #palette: Palette;

  constructor(palette: Palette) {
    this.#palette = palette;
  }

  set(fence: Site["fence"] | null): void {
    clearGroup(this.group);
    this.#panes = [];
    this.#fence = fence;
    if (fence === null) return;
    const { min_enu_m: a, max_enu_m: b } = fence;
    const size: Enu = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const middle: Enu = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
    const frame = new LineSegments(
      new EdgesGeometry(new BoxGeometry(size[0], size[1], size[2])),
      new LineBasicMaterial({ color: this.#palette.muted, transparent: true, opacity: 0.35 }),
    );
    frame.position.fromArray(middle);
    this.group.add(frame);
    for (const axis of [0, 1, 2] as const) {
      for (const [end, at] of [
        [-1, a[axis]],
        [1, b[axis]],
      ] as const) {
        const [u, v] = axis === 0 ? [size[2], size[1]] : axis === 1 ? [size[0], size[2]] : [size[0], size[1]];
        const mesh = new Mesh(
          new PlaneGeometry(u, v),
          new MeshBasicMaterial({
            color: this.#palette.caution,
            transparent: true,
            opacity: 0,
            side: DoubleSide,
            depthWrite: false,
          }),
        );
        mesh.position.fromArray(middle);
        mesh.position.setComponent(axis, at);
        if (axis === 0) mesh.rotation.y = Math.PI / 2;
        if (axis === 1) mesh.rotation.x = Math.PI / 2;
        mesh.visible = false;
        // The floor needs no pane: it is seen.
        if (axis === 2 && end === -1) continue;
        this.group.add(mesh);
        this.#panes.push({ mesh, axis, at });
      }
    }
  }

  approach(position: Enu): void {
    if (this.#fence === null) return;
    for (const pane of this.#panes) {
      const share = 1 - Math.abs(position[pane.axis] - pane.at) / near_m;
      pane.mesh.visible = share > 0;
      pane.mesh.material.opacity = Math.max(0, share) * 0.22;
    }
  }
}
