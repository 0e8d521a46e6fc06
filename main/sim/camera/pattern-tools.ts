import type { Paint } from "../world/scene-file";
import type { ValueNoise } from "./noise";

export type Colour = readonly [number, number, number];

/** Colour (sRGB 0 to 1) at (u, v), each 0 to 1, v upwards. */
export type Draw = (u: number, v: number, paint: Paint, noise: ValueNoise) => Colour;

export const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
export const shade = (c: Colour, s: number): Colour => [c[0] * s, c[1] * s, c[2] * s];
export const step = (low: number, high: number, x: number): number => {
  const t = Math.min(1, Math.max(0, (x - low) / (high - low)));
  return t * t * (3 - 2 * t);
};
export const second = (paint: Paint): Colour => paint.rgb2 ?? shade(paint.rgb, 0.7);
export const inside = (x: number, low: number, high: number): boolean => x >= low && x < high;

/** Bars of random length in rows: reads as small print. */
export function print(u: number, v: number, rows: number, noise: ValueNoise, seed: number): boolean {
  const row = Math.floor(v * rows);
  if (v * rows - row < 0.35) return false;
  const length = 0.35 + 0.65 * noise.at((row + seed) / 61, 0.37, 61);
  return u < length && noise.at(u, (row + seed) / 61, 32, 61) > 0.3;
}
