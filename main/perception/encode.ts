import sharp from "sharp";

/** Turbo-like ramp, near = warm, far = cool, no measurement = black; 256 entries RGB. */
const ramp = buildRamp();

function buildRamp(): Uint8Array {
  const stops: readonly (readonly [number, number, number, number])[] = [
    [0, 244, 109, 67],
    [0.2, 253, 200, 80],
    [0.42, 122, 209, 110],
    [0.65, 44, 150, 190],
    [0.85, 52, 80, 160],
    [1, 48, 18, 59],
  ];
  const table = new Uint8Array(256 * 3);
  for (let i = 0; i < 256; i++) {
    const f = i / 255;
    const next = Math.max(
      1,
      stops.findIndex((s) => s[0] >= f),
    );
    const [fa, ...a] = stops[next - 1] ?? [0, 0, 0, 0];
    const [fb, ...b] = stops[next] ?? [1, 0, 0, 0];
    const g = fb === fa ? 0 : (f - fa) / (fb - fa);
    a.forEach((value, c) => {
      table[3 * i + c] = Math.round(value + g * ((b[c] ?? 0) - value));
    });
  }
  return table;
}

/** Colour-maps a depth image between `near_m` and `far_m`. */
export function colourDepth(depth: Uint16Array, unit_m: number, near_m: number, far_m: number): Uint8Array {
  const out = new Uint8Array(depth.length * 3);
  const scale = (255 * unit_m) / (far_m - near_m);
  const offset = (255 * near_m) / (far_m - near_m);
  for (let i = 0; i < depth.length; i++) {
    const d = depth[i] ?? 0;
    if (d === 0) continue;
    const at = 3 * Math.max(0, Math.min(255, Math.round(d * scale - offset)));
    out[3 * i] = ramp[at] ?? 0;
    out[3 * i + 1] = ramp[at + 1] ?? 0;
    out[3 * i + 2] = ramp[at + 2] ?? 0;
  }
  return out;
}

/** JPEG of an RGB8 image; encoding runs outside the JavaScript thread. */
export async function toJpeg(
  rgb: Uint8Array,
  width: number,
  height: number,
  quality = 82,
): Promise<Uint8Array> {
  return await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality })
    .toBuffer();
}
