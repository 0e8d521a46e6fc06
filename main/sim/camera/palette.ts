import type { Material } from "./textures";

export const maxLevels = 12;

/** All materials in flat arrays: the shader's inner loop must meet no objects. */
export interface Palette {
  /** Linear RGB of every texture at every size, one after the other. */
  readonly texels: Float32Array;
  /** Per material and level (material * maxLevels + level): first texel's float, width, height. */
  readonly offset: Int32Array;
  readonly width: Int32Array;
  readonly height: Int32Array;
  /** Per material. */
  readonly levels: Uint8Array;
  readonly repeats: Uint8Array;
  readonly emissive: Uint8Array;
  readonly gloss: Float32Array;
  readonly loss: Float32Array;
}

export function paletteOf(materials: readonly Material[]): Palette {
  const n = materials.length;
  const total = materials.reduce((sum, m) => sum + m.levels.reduce((s, l) => s + l.rgb.length, 0), 0);
  const palette: Palette = {
    texels: new Float32Array(total),
    offset: new Int32Array(n * maxLevels),
    width: new Int32Array(n * maxLevels),
    height: new Int32Array(n * maxLevels),
    levels: new Uint8Array(n),
    repeats: new Uint8Array(n),
    emissive: new Uint8Array(n),
    gloss: new Float32Array(n),
    loss: new Float32Array(n),
  };
  let at = 0;
  materials.forEach((material, i) => {
    palette.levels[i] = Math.min(maxLevels, material.levels.length);
    palette.repeats[i] = material.tile_m === null ? 0 : 1;
    palette.emissive[i] = material.emissive ? 1 : 0;
    palette.gloss[i] = material.gloss;
    palette.loss[i] = material.depth_loss;
    material.levels.slice(0, maxLevels).forEach((level, k) => {
      palette.texels.set(level.rgb, at);
      palette.offset[i * maxLevels + k] = at;
      palette.width[i * maxLevels + k] = level.width;
      palette.height[i * maxLevels + k] = level.height;
      at += level.rgb.length;
    });
  });
  return palette;
}
