import { toMatrix } from "../world/rigid";
import type { SceneFile } from "../world/scene-file";
import type { VisibilityBuffer } from "./raster";
import type { Exposure, View } from "./renderer";
import type { ShadowMap } from "./shadow";
import type { Stage } from "./stage";

/** sRGB byte for linear light 0 to 1.6 in 4096 steps, with a soft shoulder so that highlights do not clip hard. */
const steps = 4096;
const most = 1.6;
const byteOfLinear = Uint8Array.from({ length: steps + 1 }, (_, i) => {
  const x = (i / steps) * most;
  const soft = x < 0.7 ? x : 0.7 + 0.3 * (1 - Math.exp(-(x - 0.7) / 0.3));
  const s = soft <= 0.0031308 ? 12.92 * soft : 1.055 * soft ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.min(1, s));
});

/** Second light: no shadows, from behind the camera's usual place. */
const fill = [0.45, 0.35, 0.82] as const;

/** Turns visibility into colour and depth: every triangle seen in a pixel is shaded once, weighted by its samples. */
export class Shader {
  readonly #stage: Stage;
  readonly #room: ShadowMap;
  readonly #vehicle: ShadowMap;
  readonly #scene: SceneFile;
  readonly #out = new Float32Array(3);
  /** Per material: everything `one` needs, so that the inner loop meets flat arrays only. */
  readonly #light: readonly [number, number, number];
  #m: readonly number[] = [];
  #facing = 1;

  constructor(stage: Stage, scene: SceneFile, room: ShadowMap, vehicle: ShadowMap) {
    this.#stage = stage;
    this.#scene = scene;
    this.#room = room;
    this.#vehicle = vehicle;
    const { along } = room.basis;
    this.#light = [-along[0], -along[1], -along[2]];
  }

  shade(view: View, buffer: VisibilityBuffer, into: Exposure): void {
    const { width, height, colour, depth_m, loss, facing } = into;
    const wide = buffer.width;
    const ids = buffer.triangle;
    const inverse = buffer.inverse_z;
    const out = this.#out;
    const { drawing } = this.#stage;
    this.#m = toMatrix(view.quat);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const s = 2 * y * wide + 2 * x;
        const a = ids[s] as number;
        const b = ids[s + 1] as number;
        const c = ids[s + wide] as number;
        const d = ids[s + wide + 1] as number;
        if (a === b && a === c && a === d) {
          this.#one(view, buffer, a, 2 * x + 0.5, 2 * y + 0.5);
        } else {
          let [r, g, l] = [0, 0, 0];
          for (let k = 0; k < 4; k++) {
            const id = k === 0 ? a : k === 1 ? b : k === 2 ? c : d;
            this.#one(view, buffer, id, 2 * x + (k & 1), 2 * y + (k >> 1));
            r += out[0] as number;
            g += out[1] as number;
            l += out[2] as number;
          }
          out[0] = r / 4;
          out[1] = g / 4;
          out[2] = l / 4;
        }
        for (let k = 0; k < 3; k++) {
          const level = ((out[k] as number) * steps) / most;
          colour[i * 3 + k] = byteOfLinear[level >= steps ? steps : level | 0] as number;
        }
        // Depth is one ray's, never a mixture: mixed depths belong to the sensor model.
        const iz = inverse[s + wide + 1] as number;
        depth_m[i] = iz > 0 ? 1 / iz : 0;
        const item =
          d === 0
            ? undefined
            : drawing.items[drawing.itemOfTriangle[buffer.source[d - 1] as number] as number];
        loss[i] = item === undefined ? 0 : (drawing.materials[item.material]?.depth_loss ?? 0);
        facing[i] = this.#facing;
      }
    }
  }

  /** Linear light of triangle entry `id` at sample (X, Y), into `#out`. */
  #one(view: View, buffer: VisibilityBuffer, id: number, X: number, Y: number): void {
    const out = this.#out;
    if (id === 0) {
      out[0] = out[1] = out[2] = 0;
      this.#facing = 1;
      return;
    }
    const { drawing, normals } = this.#stage;
    const rows = buffer.rows;
    const at = (id - 1) * 9;
    let wa = (rows[at] as number) * X + (rows[at + 1] as number) * Y + (rows[at + 2] as number);
    let wb = (rows[at + 3] as number) * X + (rows[at + 4] as number) * Y + (rows[at + 5] as number);
    let wc = (rows[at + 6] as number) * X + (rows[at + 7] as number) * Y + (rows[at + 8] as number);
    const z = 1 / (wa + wb + wc);
    wa *= z;
    wb *= z;
    wc *= z;
    const triangle = buffer.source[id - 1] as number;
    const a = drawing.triangles[triangle * 3] as number;
    const b = drawing.triangles[triangle * 3 + 1] as number;
    const c = drawing.triangles[triangle * 3 + 2] as number;
    let nx =
      wa * (normals[a * 3] as number) + wb * (normals[b * 3] as number) + wc * (normals[c * 3] as number);
    let ny =
      wa * (normals[a * 3 + 1] as number) +
      wb * (normals[b * 3 + 1] as number) +
      wc * (normals[c * 3 + 1] as number);
    let nz =
      wa * (normals[a * 3 + 2] as number) +
      wb * (normals[b * 3 + 2] as number) +
      wc * (normals[c * 3 + 2] as number);
    const n = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    nx *= n;
    ny *= n;
    nz *= n;
    const item = drawing.items[drawing.itemOfTriangle[triangle] as number];
    const material = item === undefined ? undefined : drawing.materials[item.material];
    if (item === undefined || material === undefined) throw new Error("Invariant: triangle without material");
    const uvs = drawing.uvs;
    const u = wa * (uvs[a * 2] as number) + wb * (uvs[b * 2] as number) + wc * (uvs[c * 2] as number);
    const v =
      wa * (uvs[a * 2 + 1] as number) + wb * (uvs[b * 2 + 1] as number) + wc * (uvs[c * 2 + 1] as number);

    const { fx, cx, cy } = view.intrinsics;
    const m = this.#m;
    const rx = ((X - 0.5) / 2 - cx) / fx;
    const ry = ((Y - 0.5) / 2 - cy) / fx;
    const dx = (m[0] as number) * rx + (m[1] as number) * ry + (m[2] as number);
    const dy = (m[3] as number) * rx + (m[4] as number) * ry + (m[5] as number);
    const dz = (m[6] as number) * rx + (m[7] as number) * ry + (m[8] as number);
    const px = view.at[0] + dx * z;
    const py = view.at[1] + dy * z;
    const pz = view.at[2] + dz * z;
    const reach = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
    const facing = -(nx * dx + ny * dy + nz * dz) * reach;
    this.#facing = facing;

    // Texture: the size whose texels match this pixel's footprint.
    const footprint = (item.texels_per_m * z) / fx / Math.max(0.25, facing);
    let level = 0;
    for (let f = footprint; f > 1.4 && level < material.levels.length - 1; f *= 0.5) level++;
    const texture = material.levels[level];
    if (texture === undefined) throw new Error("Invariant: texture level");
    const w = texture.width;
    const h = texture.height;
    let tu = Math.floor((u - Math.floor(u)) * w);
    let tv = Math.floor((v - Math.floor(v)) * h);
    if (material.tile_m === null) {
      tu = Math.min(w - 1, Math.max(0, Math.floor(u * w)));
      tv = Math.min(h - 1, Math.max(0, Math.floor(v * h)));
    }
    const texel = (tv * w + tu) * 3;
    const red = texture.rgb[texel] as number;
    const green = texture.rgb[texel + 1] as number;
    const blue = texture.rgb[texel + 2] as number;
    if (material.emissive) {
      out[0] = red * 1.1;
      out[1] = green * 1.1;
      out[2] = blue * 1.1;
      return;
    }
    const light = this.#light;
    const { strength, ambient } = this.#scene.light;
    const lambert = nx * light[0] + ny * light[1] + nz * light[2];
    let direct = 0;
    let shine = 0;
    if (lambert > 0) {
      const off = 0.012;
      const [qx, qy, qz] = [px + nx * off, py + ny * off, pz + nz * off];
      const lit = this.#room.light(qx, qy, qz, 0.004) * this.#vehicle.light(qx, qy, qz, 0.004);
      direct = lit * lambert * strength;
      if (material.gloss > 0.05) {
        const hx = light[0] - dx * reach;
        const hy = light[1] - dy * reach;
        const hz = light[2] - dz * reach;
        let s = (nx * hx + ny * hy + nz * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
        if (s > 0) {
          s *= s;
          s *= s;
          s *= s;
          s *= s;
          if (material.gloss > 0.4) s *= s;
          shine = lit * s * material.gloss * 0.55;
        }
      }
    }
    const soft = 0.5 + 0.5 * (nx * fill[0] + ny * fill[1] + nz * fill[2]);
    const sky = ambient * (0.72 + 0.28 * nz) * this.#corners(px, py, pz, nx, ny, nz) + 0.16 * soft;
    const warm = direct * 1.04 + sky * 0.98;
    out[0] = red * warm + shine;
    out[1] = green * (direct + sky) + shine;
    out[2] = blue * (direct * 0.94 + sky * 1.04) + shine;
  }

  /** Light from all around is less near the room's edges; each wall counts for surfaces that do not lie in it. */
  #corners(x: number, y: number, z: number, nx: number, ny: number, nz: number): number {
    const { min, max } = this.#scene.room;
    const open = (d: number, n: number): number => {
      const t = d < 0 ? 0 : d > 0.7 ? 1 : d / 0.7;
      return 1 - 0.38 * (1 - t) * (1 - t) * (1 - n * n);
    };
    const ax = Math.min(x - min[0], max[0] - x);
    const ay = Math.min(y - min[1], max[1] - y);
    const az = Math.min(z - min[2], max[2] - z);
    return open(ax, nx) * open(ay, ny) * open(az, nz);
  }
}
