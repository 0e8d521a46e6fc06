import type { Paint } from "../world/scene-file";
import { ValueNoise } from "./noise";
import { patterns } from "./patterns";

/** Linear light of an sRGB byte. */
export const linearOfByte = Float32Array.from({ length: 256 }, (_, i) => {
  const s = i / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
});

/** One size of a texture: linear light, three floats a texel; the size is a power of two or any number of pixels. */
export interface Level {
  readonly width: number;
  readonly height: number;
  readonly rgb: Float32Array;
}

export interface Material {
  readonly levels: readonly Level[];
  /** Repetitions per metre of surface, or null when uv already spans 0 to 1 over a face. */
  readonly tile_m: number | null;
  readonly gloss: number;
  readonly emissive: boolean;
  readonly depth_loss: number;
}

const emissive = new Set<Paint["pattern"]>(["window", "screen", "sky"]);

/** Draws a paint's pattern into a texture with its smaller copies. */
export function materialOf(paint: Paint, seed: number): Material {
  const info = patterns[paint.pattern];
  const noise = new ValueNoise(seed);
  const { width, height } = info;
  const rgb = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const c = info.draw((x + 0.5) / width, (y + 0.5) / height, paint, noise);
      for (let k = 0; k < 3; k++) {
        const byte = Math.round(255 * Math.min(1, Math.max(0, c[k as 0 | 1 | 2])));
        rgb[(y * width + x) * 3 + k] = linearOfByte[byte] ?? 0;
      }
    }
  }
  const levels: Level[] = [{ width, height, rgb }];
  for (let last = levels[0]; last !== undefined && (last.width > 1 || last.height > 1); ) {
    last = halved(last);
    levels.push(last);
  }
  const lamp = Math.min(...paint.rgb) >= 1;
  return {
    levels,
    tile_m: info.tile_m,
    gloss: paint.gloss,
    emissive: lamp || emissive.has(paint.pattern),
    depth_loss: paint.depth_loss,
  };
}

function halved(from: Level): Level {
  const width = Math.max(1, from.width >> 1);
  const height = Math.max(1, from.height >> 1);
  const rgb = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const x0 = Math.min(from.width - 1, 2 * x);
      const y0 = Math.min(from.height - 1, 2 * y);
      const x1 = Math.min(from.width - 1, x0 + 1);
      const y1 = Math.min(from.height - 1, y0 + 1);
      for (let k = 0; k < 3; k++) {
        const at = (i: number, j: number): number => from.rgb[(j * from.width + i) * 3 + k] ?? 0;
        rgb[(y * width + x) * 3 + k] = (at(x0, y0) + at(x1, y0) + at(x0, y1) + at(x1, y1)) / 4;
      }
    }
  }
  return { width, height, rgb };
}
