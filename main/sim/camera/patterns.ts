import type { Paint } from "../world/scene-file";
import { type Colour, type Draw, inside, mix, print, second, shade, step } from "./pattern-tools";
import { brick, grass, gravel, sky } from "./patterns-open-air";

type Pattern = Paint["pattern"];

export interface PatternInfo {
  readonly draw: Draw;
  /** Texture size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Metres covered by one repetition; null stretches the texture once over each face. */
  readonly tile_m: number | null;
}

const wood: Draw = (u, v, paint, noise) => {
  const bend = noise.fractal(u, v, 2, 2, 2) * 0.16;
  const rings = Math.sin(2 * Math.PI * (9 * (u + bend)));
  const grain = noise.at(u, v, 64, 4);
  const t = 0.34 + 0.26 * rings + 0.5 * (grain - 0.5) + 0.3 * (noise.fractal(u, v, 4, 2, 2) - 0.5);
  return mix(paint.rgb, second(paint), Math.min(1, Math.max(0, t)));
};

const planks: Draw = (u, v, paint, noise) => {
  const row = Math.floor(u * 8);
  const shift = noise.at(row / 8, 0.5, 8, 1);
  const along = (v + shift) % 1;
  const board = Math.floor(along * 2);
  const tone = noise.at((row * 2 + board + 0.5) / 32, 0.21, 32, 8);
  const grain = noise.fractal(u, (v + shift * 3) % 1, 64, 4, 2);
  const seam =
    Math.min(Math.abs(u * 8 - row), 1 - Math.abs(u * 8 - row)) < 0.035 || Math.abs(along * 2 - board) < 0.008;
  const c = mix(paint.rgb, second(paint), 0.15 + 0.55 * tone + 0.35 * (grain - 0.5));
  return seam ? shade(c, 0.6) : c;
};

const tiles: Draw = (u, v, paint, noise) => {
  const x = (u * 4) % 1;
  const y = (v * 4) % 1;
  const tone = noise.at((Math.floor(u * 4) + 0.5) / 4, (Math.floor(v * 4) + 0.5) / 4, 4) - 0.5;
  const grout = x < 0.025 || y < 0.025;
  return grout ? second(paint) : shade(paint.rgb, 1 + 0.05 * tone + 0.05 * (noise.fractal(u, v, 32) - 0.5));
};

const can: Draw = (u, v, paint, noise) => {
  if (v < 0.03 || v > 0.97) return [0.75, 0.76, 0.78];
  const twice = (u * 2) % 1;
  const wave = 0.5 + 0.12 * Math.sin(2 * Math.PI * twice) + (twice - 0.5) * 0.25;
  if (Math.abs(v - wave) < 0.045) return second(paint);
  const letters = inside(v, wave + 0.09, wave + 0.24) && inside(twice, 0.15, 0.85);
  if (letters && noise.at(twice, 0.2, 16, 4) > 0.42) return second(paint);
  return paint.rgb;
};

const bottle: Draw = (u, v, paint, noise) => {
  if (!inside(v, 0.28, 0.8)) return paint.rgb;
  const label = second(paint);
  const x = (u * 2) % 1;
  const y = (v - 0.28) / 0.52;
  if (y < 0.06 || y > 0.94) return [0.75, 0.6, 0.2];
  if (inside(y, 0.55, 0.82) && inside(x, 0.2, 0.8)) return shade(paint.rgb, 1.3);
  return print((x - 0.2) / 0.6, y, 9, noise, 3) && inside(x, 0.2, 0.8) && y < 0.45
    ? [0.35, 0.3, 0.25]
    : label;
};

const carton: Draw = (u, v, paint, noise) => {
  const fibre = 1 + 0.1 * (noise.fractal(u, v, 32, 8) - 0.5);
  if (Math.abs(u - 0.5) < 0.075) return shade(second(paint), fibre);
  if (inside(u, 0.08, 0.32) && inside(v, 0.12, 0.38)) {
    return print((u - 0.09) / 0.23, (v - 0.12) / 0.26, 6, noise, 11) ? [0.25, 0.25, 0.27] : [0.93, 0.93, 0.9];
  }
  return shade(paint.rgb, fibre * (u < 0.02 || u > 0.98 || v < 0.02 || v > 0.98 ? 0.8 : 1));
};

const cracker: Draw = (u, v, paint, noise) => {
  const dx = (u - 0.5) / 0.4;
  const dy = (v - 0.64) / 0.17;
  if (dx * dx + dy * dy < 1) {
    return dx * dx + dy * dy > 0.82 || (Math.abs(dy) < 0.45 && noise.at(u, 0.4, 16, 4) > 0.45)
      ? [0.12, 0.2, 0.55]
      : second(paint);
  }
  if (v < 0.36) {
    const cx = ((u * 3) % 1) - 0.5;
    const cy = ((v * 4.2) % 1) - 0.5;
    if (cx * cx + cy * cy < 0.16) return shade([0.87, 0.66, 0.36], 0.9 + 0.25 * noise.at(u, v, 32));
  }
  return v > 0.93 ? [0.95, 0.93, 0.88] : paint.rgb;
};

const tissue: Draw = (u, v, paint, noise) => {
  const wave = Math.sin(2 * Math.PI * (3 * u + 0.35 * Math.sin(2 * Math.PI * v * 2)));
  const flower = noise.at(u, v, 8) > 0.72;
  return flower ? [0.96, 0.82, 0.85] : mix(paint.rgb, second(paint), 0.5 + 0.5 * wave * wave * wave);
};

const banana: Draw = (u, v, paint, noise) => {
  const spot = noise.fractal(u, v, 16, 16, 2) > 0.7;
  return spot ? mix(paint.rgb, second(paint), 0.55) : shade(paint.rgb, 0.95 + 0.1 * noise.at(u, v, 8));
};

const apple: Draw = (u, v, paint, noise) => {
  const streak = noise.fractal(u, v, 32, 2, 2);
  return mix(paint.rgb, second(paint), step(0.52, 0.8, streak + 0.35 * step(0.55, 1, v) - 0.1));
};

const bookColours: readonly Colour[] = [
  [0.55, 0.14, 0.13],
  [0.12, 0.26, 0.42],
  [0.16, 0.36, 0.24],
  [0.78, 0.66, 0.35],
  [0.82, 0.8, 0.76],
  [0.28, 0.2, 0.32],
  [0.2, 0.2, 0.22],
];
const books: Draw = (u, v, _paint, noise) => {
  const n = 9;
  const i = Math.floor(u * n);
  const x = u * n - i;
  const height = 0.78 + 0.2 * noise.at((i + 0.5) / 16, 0.3, 16, 4);
  if (v > height || x < 0.06) return [0.09, 0.07, 0.06];
  const c = bookColours[Math.floor(noise.at((i + 0.5) / 16, 0.8, 16, 4) * 6.99)] ?? [0.5, 0.5, 0.5];
  return inside(v, 0.62, 0.68) || inside(v, 0.12, 0.15)
    ? mix(c, [0.9, 0.8, 0.5], 0.6)
    : shade(c, 0.75 + 0.35 * Math.sin(Math.PI * x));
};

const window: Draw = (u, v, paint, noise) => {
  const frame = Math.abs(u - 0.5) < 0.02 || Math.abs(v - 0.55) < 0.015;
  if (frame) return second(paint);
  const roof = 0.24 + 0.2 * noise.at((Math.floor(u * 9) + 0.5) / 16, 0.1, 16, 4);
  if (v < roof) {
    const lit = Math.sin(u * 180) > 0.3 && Math.sin(v * 120) > 0.1;
    return lit ? [0.62, 0.66, 0.7] : [0.47, 0.5, 0.55];
  }
  return mix([0.93, 0.95, 0.97], paint.rgb, step(0.2, 1, v) * (0.7 + 0.5 * noise.fractal(u, v, 4)));
};

const poster: Draw = (u, v, paint, noise) => {
  if (u < 0.06 || u > 0.94 || v < 0.04 || v > 0.96) return [0.97, 0.97, 0.96];
  const d = Math.hypot(u - 0.55, (v - 0.62) * 1.3);
  if (d < 0.2) return [0.91, 0.45, 0.2];
  if (v < 0.32 + 0.1 * Math.sin(u * 7) + 0.06 * noise.at(u, 0.2, 8)) return second(paint);
  if (v < 0.42 + 0.12 * Math.sin(u * 5 + 1)) return mix(second(paint), paint.rgb, 0.5);
  return paint.rgb;
};

const pad: Draw = (u, v, paint, noise) => {
  const x = u - 0.5;
  const y = v - 0.5;
  const r = Math.hypot(x, y);
  if (inside(r, 0.44, 0.48) || inside(r, 0.235, 0.255)) return second(paint);
  const arrow = x > 0.02 && x < 0.2 && Math.abs(y) < (0.2 - x) * 0.6;
  if (arrow || (inside(x, -0.17, 0.03) && Math.abs(y) < 0.025)) return second(paint);
  return shade(paint.rgb, 0.94 + 0.12 * noise.fractal(u, v, 32));
};

const screen: Draw = (u, v, paint, noise) => {
  if (v > 0.94) return [0.22, 0.26, 0.31];
  if (u < 0.18) return print(u / 0.17, v, 18, noise, 5) ? [0.45, 0.52, 0.6] : [0.11, 0.14, 0.19];
  if (v < 0.4 && u > 0.55) {
    const curve = 0.2 + 0.12 * Math.sin(u * 22) * Math.sin(u * 5);
    return Math.abs(v - curve) < 0.02 ? second(paint) : [0.07, 0.1, 0.14];
  }
  return print((u - 0.2) / 0.6, v, 26, noise, 9) ? mix(paint.rgb, second(paint), 0.75) : paint.rgb;
};

const panel: Draw = (u, v, paint, noise) => {
  const x = Math.abs(((u * 2) % 1) - 0.5);
  const y = Math.abs(((v * 2) % 1) - 0.5);
  const edge = Math.max(x, y);
  const c = wood(v, u, paint, noise);
  return inside(edge, 0.36, 0.385) ? shade(c, 0.6) : edge < 0.36 ? shade(c, 1.06) : c;
};

const hazard: Draw = (u, v, paint) => (((u + v) * 4) % 1 < 0.5 ? paint.rgb : second(paint));

const sticker: Draw = (u, v, paint, noise) => {
  if (!inside(u, 0.3, 0.7) || !inside(v, 0.25, 0.75)) return paint.rgb;
  return print((u - 0.33) / 0.34, (v - 0.25) / 0.5, 5, noise, 2) ? [0.1, 0.1, 0.1] : second(paint);
};

const holes: Draw = (u, v, paint) => {
  const x = ((u * 4) % 1) - 0.5;
  const y = ((v * 4) % 1) - 0.5;
  return x * x + y * y < 0.02 ? second(paint) : paint.rgb;
};

/** A packet: a band with its name, a line of small print, a picture in the second colour. */
const label: Draw = (u, v, paint, noise) => {
  if (inside(v, 0.52, 0.8)) {
    const word = inside(u, 0.14, 0.86) && inside(v, 0.58, 0.74) && noise.at(u, 0.6, 16, 4) > 0.42;
    return word ? paint.rgb : second(paint);
  }
  const d = Math.hypot((u - 0.72) * 1.2, v - 0.26);
  if (d < 0.16) return mix(second(paint), [0.5, 0.3, 0.15], 0.5 + 0.4 * noise.at(u, v, 16));
  const small = inside(u, 0.1, 0.5) && inside(v, 0.14, 0.4);
  return small && print((u - 0.1) / 0.4, (v - 0.14) / 0.26, 5, noise, 7)
    ? shade(second(paint), 0.85)
    : paint.rgb;
};

const cubeColours: readonly Colour[] = [
  [0.78, 0.08, 0.08],
  [0.06, 0.5, 0.2],
  [0.05, 0.2, 0.66],
  [0.95, 0.82, 0.1],
  [0.94, 0.44, 0.06],
  [0.93, 0.93, 0.92],
];
/** Nine stickers a face, as after a few turns. */
const cube: Draw = (u, v, paint) => {
  const x = u * 3 - Math.floor(u * 3);
  const y = v * 3 - Math.floor(v * 3);
  if (Math.min(x, y) < 0.07 || Math.max(x, y) > 0.93) return paint.rgb;
  const i = Math.floor(u * 3) + 3 * Math.floor(v * 3);
  return cubeColours[(i * i + 3 * i + 1) % 6] ?? paint.rgb;
};

const fractalTone =
  (period: number, depth: number): Draw =>
  (u, v, paint, noise) =>
    mix(paint.rgb, second(paint), depth * noise.fractal(u, v, period, period, 3));

export const patterns: Readonly<Record<Pattern, PatternInfo>> = {
  plain: { draw: (_u, _v, paint) => paint.rgb, width: 1, height: 1, tile_m: null },
  wood: { draw: wood, width: 256, height: 256, tile_m: 0.9 },
  planks: { draw: planks, width: 512, height: 512, tile_m: 1.2 },
  tiles: { draw: tiles, width: 256, height: 256, tile_m: 2.4 },
  carpet: { draw: fractalTone(32, 1), width: 128, height: 128, tile_m: 0.5 },
  plaster: { draw: fractalTone(16, 0.12), width: 128, height: 128, tile_m: 1.6 },
  metal: { draw: fractalTone(32, 0.2), width: 64, height: 64, tile_m: 0.3 },
  can: { draw: can, width: 128, height: 64, tile_m: null },
  bottle: { draw: bottle, width: 128, height: 64, tile_m: null },
  carton: { draw: carton, width: 128, height: 128, tile_m: null },
  cracker: { draw: cracker, width: 96, height: 128, tile_m: null },
  tissue: { draw: tissue, width: 128, height: 64, tile_m: null },
  peel: { draw: fractalTone(32, 0.9), width: 64, height: 64, tile_m: 0.1 },
  banana: { draw: banana, width: 64, height: 64, tile_m: 0.12 },
  apple: { draw: apple, width: 64, height: 64, tile_m: null },
  books: { draw: books, width: 128, height: 64, tile_m: null },
  window: { draw: window, width: 192, height: 192, tile_m: null },
  poster: { draw: poster, width: 96, height: 128, tile_m: null },
  pad: { draw: pad, width: 256, height: 256, tile_m: null },
  panel: { draw: panel, width: 96, height: 192, tile_m: null },
  screen: { draw: screen, width: 192, height: 128, tile_m: null },
  hazard: { draw: hazard, width: 64, height: 64, tile_m: 0.3 },
  sticker: { draw: sticker, width: 96, height: 64, tile_m: null },
  holes: { draw: holes, width: 64, height: 64, tile_m: 0.16 },
  label: { draw: label, width: 96, height: 96, tile_m: null },
  cube: { draw: cube, width: 48, height: 48, tile_m: null },
  brick: { draw: brick, width: 128, height: 128, tile_m: 0.8 },
  grass: { draw: grass, width: 256, height: 256, tile_m: 2 },
  gravel: { draw: gravel, width: 256, height: 256, tile_m: 1.6 },
  sky: { draw: sky, width: 256, height: 128, tile_m: null },
};
