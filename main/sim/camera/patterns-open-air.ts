import { type Draw, mix, second, shade, step } from "./pattern-tools";

/** Running bond, two bricks and six courses a tile. */
export const brick: Draw = (u, v, paint, noise) => {
  const course = Math.floor(v * 6);
  const along = u * 3 + (course % 2) * 0.5;
  const x = along - Math.floor(along);
  const y = v * 6 - course;
  if (x < 0.05 || y < 0.12) return second(paint);
  const tone = noise.at((Math.floor(along) + 0.5) / 8, (course + 0.5) / 8, 8) - 0.5;
  return shade(paint.rgb, 1 + 0.3 * tone + 0.16 * (noise.fractal(u, v, 32) - 0.5));
};

export const grass: Draw = (u, v, paint, noise) => {
  const patch = noise.fractal(u, v, 4, 4, 3);
  const blade = noise.at(u, v, 64, 32);
  return shade(mix(paint.rgb, second(paint), patch), 0.72 + 0.5 * blade);
};

export const gravel: Draw = (u, v, paint, noise) => {
  const stone = noise.at(u, v, 64);
  const patch = noise.fractal(u, v, 4);
  return shade(mix(paint.rgb, second(paint), step(0.35, 0.65, stone)), 0.8 + 0.35 * patch);
};

/** From haze at the horizon (v near 0) to the open sky, with clouds between. */
export const sky: Draw = (u, v, paint, noise) => {
  const clear = mix(second(paint), paint.rgb, step(0, 0.6, v));
  const cloud = step(0.5, 0.78, noise.fractal(u, v, 4, 2, 4)) * step(0.06, 0.3, v);
  return mix(clear, [0.97, 0.97, 0.97], 0.75 * cloud);
};
