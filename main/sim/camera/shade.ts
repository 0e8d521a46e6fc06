import { toMatrix } from "../world/rigid";
import type { SceneFile } from "../world/scene-file";
import { Entries } from "./entries";
import type { Exposure, View } from "./exposure";
import { maxLevels, type Palette, paletteOf } from "./palette";
import type { VisibilityBuffer } from "./raster";
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
/** Shadow rays start this far off the surface, along its normal and along the light. */
const lift_m = 0.012;
const bias_m = 0.004;

/**
 * Turns visibility into colour and depth. One flat loop shades the entries; it is most of a frame's time, which is why it
 * is long, reads typed arrays only and allocates nothing.
 */
export class Shader {
  readonly #stage: Stage;
  readonly #room: ShadowMap;
  readonly #vehicle: ShadowMap;
  readonly #scene: SceneFile;
  readonly #palette: Palette;
  readonly #materialOf: Uint16Array;
  readonly #densityOf: Float32Array;
  readonly #flat: Uint8Array;
  readonly #entries = new Entries();

  constructor(stage: Stage, scene: SceneFile, room: ShadowMap, vehicle: ShadowMap) {
    this.#stage = stage;
    this.#scene = scene;
    this.#room = room;
    this.#vehicle = vehicle;
    const { drawing } = stage;
    this.#palette = paletteOf(drawing.materials);
    const count = drawing.itemOfTriangle.length;
    this.#materialOf = new Uint16Array(count);
    this.#densityOf = new Float32Array(count);
    this.#flat = new Uint8Array(count);
    for (const item of drawing.items)
      for (let t = item.triangle; t < item.triangle + item.triangles; t++) {
        this.#materialOf[t] = item.material;
        this.#densityOf[t] = item.texels_per_m;
        this.#flat[t] = isFlat(drawing.normals, drawing.triangles, t) ? 1 : 0;
      }
  }

  shade(view: View, buffer: VisibilityBuffer, into: Exposure): void {
    this.#entries.list(buffer, into);
    this.#shadeEntries(view, buffer, into);
  }

  #shadeEntries(view: View, buffer: VisibilityBuffer, into: Exposure): void {
    const { colour, depth_m, loss, facing, width } = into;
    colour.fill(0);
    const { drawing, normals } = this.#stage;
    const { triangles, uvs } = drawing;
    const { texels, offset, width: texWidth, height: texHeight, levels, repeats, emissive } = this.#palette;
    const glossOf = this.#palette.gloss;
    const lossOf = this.#palette.loss;
    const { rows, source } = buffer;
    const materialOf = this.#materialOf;
    const densityOf = this.#densityOf;
    const flat = this.#flat;
    const { id: entryId, pixel: entryPixel, kind: entryKind, count: entries } = this.#entries;
    const { fx, cx, cy } = view.intrinsics;
    const [m0 = 0, m1 = 0, m2 = 0, m3 = 0, m4 = 0, m5 = 0, m6 = 0, m7 = 0, m8 = 0] = toMatrix(view.quat);
    const [ox, oy, oz] = view.at;
    const { along, right, up } = this.#room.basis;
    const [lx, ly, lz] = [-along[0], -along[1], -along[2]];
    const [rx, ry, rz] = right;
    const [ux, uy, uz] = up;
    const { strength, ambient } = this.#scene.light;
    const { min, max, walls, ceiling } = this.#scene.room;
    // In the open no wall and no ceiling takes the light away.
    const far = 1e6;
    const [minX, minY] = walls === null ? [-far, -far] : min;
    const [maxX, maxY] = walls === null ? [far, far] : max;
    const minZ = min[2];
    const maxZ = ceiling === null ? far : max[2];
    const room = this.#room.depth;
    const roomSize = this.#room.size;
    const { x0: roomX, y0: roomY, per_m: roomScale } = this.#room.area;
    const craft = this.#vehicle.depth;
    const craftSize = this.#vehicle.size;
    const { x0: craftX, y0: craftY, per_m: craftScale } = this.#vehicle.area;
    const [f0, f1, f2] = fill;
    const scale = steps / most;
    // Light at the entry before (factors of the texture's colour, and what is added), and the pixel's sum so far.
    let [kr, kg, kb, shine] = [0, 0, 0, 0];
    let [red, green, blue] = [0, 0, 0];
    let lastId = 0;
    let lastPixel = -1;
    for (let e = 0; e < entries; e++) {
      const id = entryId[e] as number;
      const pixel = entryPixel[e] as number;
      const kind = entryKind[e] as number;
      const place = kind >> 3;
      const py = (pixel / width) | 0;
      const X = 2 * (pixel - py * width) + (place === 4 ? 0.5 : place & 1);
      const Y = 2 * py + (place === 4 ? 0.5 : place >> 1);
      const at = (id - 1) * 9;
      let wa = (rows[at] as number) * X + (rows[at + 1] as number) * Y + (rows[at + 2] as number);
      let wb = (rows[at + 3] as number) * X + (rows[at + 4] as number) * Y + (rows[at + 5] as number);
      let wc = (rows[at + 6] as number) * X + (rows[at + 7] as number) * Y + (rows[at + 8] as number);
      const z = 1 / (wa + wb + wc);
      wa *= z;
      wb *= z;
      wc *= z;
      const t = source[id - 1] as number;
      const a = triangles[t * 3] as number;
      const b = triangles[t * 3 + 1] as number;
      const c = triangles[t * 3 + 2] as number;
      let nx = normals[a * 3] as number;
      let ny = normals[a * 3 + 1] as number;
      let nz = normals[a * 3 + 2] as number;
      if (flat[t] === 0) {
        nx = wa * nx + wb * (normals[b * 3] as number) + wc * (normals[c * 3] as number);
        ny = wa * ny + wb * (normals[b * 3 + 1] as number) + wc * (normals[c * 3 + 1] as number);
        nz = wa * nz + wb * (normals[b * 3 + 2] as number) + wc * (normals[c * 3 + 2] as number);
        const unit = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
        nx *= unit;
        ny *= unit;
        nz *= unit;
      }
      const u = wa * (uvs[a * 2] as number) + wb * (uvs[b * 2] as number) + wc * (uvs[c * 2] as number);
      const v =
        wa * (uvs[a * 2 + 1] as number) + wb * (uvs[b * 2 + 1] as number) + wc * (uvs[c * 2 + 1] as number);
      const kx = ((X - 0.5) * 0.5 - cx) / fx;
      const ky = ((Y - 0.5) * 0.5 - cy) / fx;
      const dx = m0 * kx + m1 * ky + m2;
      const dy = m3 * kx + m4 * ky + m5;
      const dz = m6 * kx + m7 * ky + m8;
      const x = ox + dx * z;
      const y = oy + dy * z;
      const h = oz + dz * z;
      const reach = 1 / Math.sqrt(1 + kx * kx + ky * ky);
      const front = -(nx * dx + ny * dy + nz * dz) * reach;
      const material = materialOf[t] as number;
      // Depth is one ray's, never a mixture: mixed depths belong to the sensor model.
      if (place >= 3) {
        depth_m[pixel] = z;
        facing[pixel] = front;
        loss[pixel] = lossOf[material] as number;
      }

      // Texture: the size whose texels match this pixel's footprint.
      let footprint = ((densityOf[t] as number) * z) / (fx * (front > 0.25 ? front : 0.25));
      let level = 0;
      const last = (levels[material] as number) - 1;
      while (footprint > 1.4 && level < last) {
        footprint *= 0.5;
        level++;
      }
      const slot = material * maxLevels + level;
      const w = texWidth[slot] as number;
      const tall = texHeight[slot] as number;
      let tu = u;
      let tv = v;
      if (repeats[material] === 1) {
        tu = u - Math.floor(u);
        tv = v - Math.floor(v);
      }
      let iu = (tu * w) | 0;
      let iv = (tv * tall) | 0;
      if (iu >= w) iu = w - 1;
      if (iv >= tall) iv = tall - 1;
      if (iu < 0) iu = 0;
      if (iv < 0) iv = 0;
      const texel = (offset[slot] as number) + (iv * w + iu) * 3;
      // Beside an entry of the same flat triangle, every second pixel takes its neighbour's light: only texture changes.
      const alike = id === lastId && pixel === lastPixel + 1 && (pixel & 1) === 1 && flat[t] === 1;
      if (!alike && emissive[material] === 1) {
        kr = kg = kb = 1.1;
        shine = 0;
      } else if (!alike) {
        const lambert = nx * lx + ny * ly + nz * lz;
        let direct = 0;
        shine = 0;
        if (lambert > 0) {
          const qx = x + nx * lift_m;
          const qy = y + ny * lift_m;
          const qz = h + nz * lift_m;
          const across = qx * rx + qy * ry + qz * rz;
          const upward = qx * ux + qy * uy + qz * uz;
          const depth = -(qx * lx + qy * ly + qz * lz) - bias_m;
          // Four neighbours in the room's shadow map, blended; outside it all is lit.
          let lit = 1;
          let su = (across - roomX) * roomScale - 0.5;
          let sv = (upward - roomY) * roomScale - 0.5;
          if (su >= 0 && sv >= 0 && su < roomSize - 1 && sv < roomSize - 1) {
            const i = su | 0;
            const j = sv | 0;
            const k = j * roomSize + i;
            const s00 = (room[k] as number) >= depth ? 1 : 0;
            const s10 = (room[k + 1] as number) >= depth ? 1 : 0;
            const s01 = (room[k + roomSize] as number) >= depth ? 1 : 0;
            const s11 = (room[k + roomSize + 1] as number) >= depth ? 1 : 0;
            const gx = su - i;
            lit = s00 + (s10 - s00) * gx + (s01 - s00 + (s00 - s10 - s01 + s11) * gx) * (sv - j);
          }
          su = (across - craftX) * craftScale - 0.5;
          sv = (upward - craftY) * craftScale - 0.5;
          if (lit > 0 && su >= 0 && sv >= 0 && su < craftSize - 1 && sv < craftSize - 1) {
            const i = su | 0;
            const j = sv | 0;
            const k = j * craftSize + i;
            const s00 = (craft[k] as number) >= depth ? 1 : 0;
            const s10 = (craft[k + 1] as number) >= depth ? 1 : 0;
            const s01 = (craft[k + craftSize] as number) >= depth ? 1 : 0;
            const s11 = (craft[k + craftSize + 1] as number) >= depth ? 1 : 0;
            const gx = su - i;
            lit *= s00 + (s10 - s00) * gx + (s01 - s00 + (s00 - s10 - s01 + s11) * gx) * (sv - j);
          }
          direct = lit * lambert * strength;
          const gloss = glossOf[material] as number;
          if (gloss > 0.05 && lit > 0) {
            const hx = lx - dx * reach;
            const hy = ly - dy * reach;
            const hz = lz - dz * reach;
            let s = (nx * hx + ny * hy + nz * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
            if (s > 0) {
              s *= s;
              s *= s;
              s *= s;
              s *= s;
              if (gloss > 0.4) s *= s;
              shine = lit * s * gloss * 0.55;
            }
          }
        }
        // Light from all around is less near the room's edges; a wall counts for surfaces that do not lie in it.
        let ax = x - minX < maxX - x ? x - minX : maxX - x;
        let ay = y - minY < maxY - y ? y - minY : maxY - y;
        let az = h - minZ < maxZ - h ? h - minZ : maxZ - h;
        ax = ax < 0 ? 1 : ax > 0.7 ? 0 : 1 - ax / 0.7;
        ay = ay < 0 ? 1 : ay > 0.7 ? 0 : 1 - ay / 0.7;
        az = az < 0 ? 1 : az > 0.7 ? 0 : 1 - az / 0.7;
        const corners =
          (1 - 0.38 * ax * ax * (1 - nx * nx)) *
          (1 - 0.38 * ay * ay * (1 - ny * ny)) *
          (1 - 0.38 * az * az * (1 - nz * nz));
        const sky =
          ambient * (0.72 + 0.28 * nz) * corners + 0.16 * (0.5 + 0.5 * (nx * f0 + ny * f1 + nz * f2));
        kr = direct * 1.04 + sky * 0.98;
        kg = direct + sky;
        kb = direct * 0.94 + sky * 1.04;
      }
      const share = (kind & 7) * 0.25;
      red += share * ((texels[texel] as number) * kr + shine);
      green += share * ((texels[texel + 1] as number) * kg + shine);
      blue += share * ((texels[texel + 2] as number) * kb + shine);
      lastId = id;
      lastPixel = pixel;
      if (e + 1 < entries && entryPixel[e + 1] === pixel) continue;
      const out = pixel * 3;
      let step = (red * scale) | 0;
      colour[out] = byteOfLinear[step > steps ? steps : step] as number;
      step = (green * scale) | 0;
      colour[out + 1] = byteOfLinear[step > steps ? steps : step] as number;
      step = (blue * scale) | 0;
      colour[out + 2] = byteOfLinear[step > steps ? steps : step] as number;
      red = green = blue = 0;
    }
  }
}

function isFlat(normals: Float32Array, triangles: Uint32Array, t: number): boolean {
  const a = (triangles[t * 3] as number) * 3;
  return [1, 2].every((k) => {
    const b = (triangles[t * 3 + k] as number) * 3;
    return [0, 1, 2].every((j) => Math.abs((normals[a + j] as number) - (normals[b + j] as number)) < 1e-6);
  });
}
