import { conjugate, scale, toMatrix, turn, type V3 } from "../world/rigid";
import type { SceneFile } from "../world/scene-file";
import type { Drawing } from "./drawing";
import type { Exposure, View } from "./exposure";
import { VisibilityBuffer } from "./raster";
import { Shader } from "./shade";
import { lightBasis, ShadowMap } from "./shadow";
import { type PoseOf, Stage, transform } from "./stage";

const near_m = 0.02;

/**
 * A software renderer for one scene: visibility at 2x2 samples a pixel, each triangle shaded once a pixel (multi-sampling),
 * one shadowing light with two shadow maps (the room at rest, the vehicle), a second soft light, and darkened corners.
 */
export class Renderer {
  readonly #stage: Stage;
  readonly #room: ShadowMap;
  readonly #roomAtRest: Float32Array;
  readonly #vehicle: ShadowMap;
  readonly #camera: Float32Array;
  readonly #shader: Shader;
  readonly #buffers = new Map<string, VisibilityBuffer>();
  readonly #poseOf: PoseOf;
  readonly #vehicleBody: string;

  constructor(drawing: Drawing, scene: SceneFile, vehicleBody: string, poseOf: PoseOf) {
    this.#stage = new Stage(drawing);
    this.#poseOf = poseOf;
    this.#vehicleBody = vehicleBody;
    this.#camera = new Float32Array(this.#stage.positions.length);
    const basis = lightBasis(scene.light.direction);
    const { min, max } = scene.room;
    const middle: V3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    this.#room = new ShadowMap(1024, basis);
    this.#room.cover(middle, Math.hypot(max[0] - min[0], max[1] - min[1]) * 1.02);
    this.#vehicle = new ShadowMap(192, basis);
    this.#cast(this.#room, "structure");
    this.#roomAtRest = Float32Array.from(this.#room.depth);
    this.#shader = new Shader(this.#stage, scene, this.#room, this.#vehicle);
  }

  render(view: View, into: Exposure): void {
    const moved = this.#stage.update(this.#poseOf);
    if (moved.objects) {
      this.#room.depth.set(this.#roomAtRest);
      this.#cast(this.#room, "object");
    }
    if (moved.vehicle) {
      this.#vehicle.clear();
      this.#vehicle.cover(this.#poseOf(this.#vehicleBody).at, 1.9);
      this.#cast(this.#vehicle, "vehicle");
    }
    const buffer = this.#buffer(into.width * 2, into.height * 2);
    buffer.clear();
    this.#see(view, buffer);
    this.#shader.shade(view, buffer, into);
  }

  #buffer(width: number, height: number): VisibilityBuffer {
    const key = `${width}x${height}`;
    const known = this.#buffers.get(key);
    if (known !== undefined) return known;
    const made = new VisibilityBuffer(width, height);
    this.#buffers.set(key, made);
    return made;
  }

  #cast(map: ShadowMap, kind: "structure" | "object" | "vehicle"): void {
    const { drawing, positions } = this.#stage;
    for (const item of drawing.items) {
      if (!item.casts || item.carrier.kind !== kind) continue;
      for (let t = item.triangle * 3; t < (item.triangle + item.triangles) * 3; t += 3) {
        const a = drawing.triangles[t] as number;
        const b = drawing.triangles[t + 1] as number;
        const c = drawing.triangles[t + 2] as number;
        map.draw(positions, a * 3, b * 3, c * 3);
      }
    }
  }

  #see(view: View, buffer: VisibilityBuffer): void {
    const { drawing, positions, centres } = this.#stage;
    const back = conjugate(view.quat);
    const m = toMatrix(back);
    const t = scale(turn(back, view.at), -1);
    const { fx, cx, cy } = view.intrinsics;
    const focal = fx * 2;
    const sx = cx * 2 + 0.5;
    const sy = cy * 2 + 0.5;
    const half = new Float32Array(3);
    // Widest ray, for leaving out what lies beside the picture.
    const tanX = (Math.max(cx, view.intrinsics.width - cx) + 1) / fx;
    const tanY = (Math.max(cy, view.intrinsics.height - cy) + 1) / fx;
    const secX = Math.sqrt(1 + tanX * tanX);
    const secY = Math.sqrt(1 + tanY * tanY);
    drawing.items.forEach((item, i) => {
      transform(centres.subarray(i * 3, i * 3 + 3), half, 0, 1, m, t);
      const [x = 0, y = 0, z = 0] = half;
      const r = item.radius_m;
      if (z < -r || Math.abs(x) - z * tanX > r * secX || Math.abs(y) - z * tanY > r * secY) return;
      transform(positions, this.#camera, item.vertex, item.vertices, m, t);
      for (let k = item.triangle; k < item.triangle + item.triangles; k++) {
        const a = (drawing.triangles[k * 3] as number) * 3;
        const b = (drawing.triangles[k * 3 + 1] as number) * 3;
        const c = (drawing.triangles[k * 3 + 2] as number) * 3;
        buffer.draw(this.#camera, a, b, c, k, focal, sx, sy, near_m);
      }
    });
  }
}

export function exposureOf(width: number, height: number): Exposure {
  const n = width * height;
  return {
    width,
    height,
    colour: new Uint8Array(n * 3),
    depth_m: new Float32Array(n),
    loss: new Float32Array(n),
    facing: new Float32Array(n),
  };
}
