import { encodePng } from "../platform/png";

export interface Picture {
  readonly media_type: string;
  readonly bytes: Uint8Array;
}

/** Message types that hold one picture. */
export const isImageType = (type: string): boolean =>
  /(^|[./])(CompressedImage|RawImage|Image)$/.test(type) && !/CompressedImageArray/.test(type);

interface RosImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly encoding: string;
  readonly is_bigendian?: number | boolean;
}

/**
 * What a browser can show: JPEG and PNG pass through, raw ROS and Foxglove images become PNG, depth with a colour
 * scale of its own. Null when it is none of these.
 */
export function displayImage(message: unknown): Picture | null {
  if (message === null || typeof message !== "object") return null;
  const image = message as Partial<RosImage> & { format?: unknown };
  const data = typeof image.data === "string" ? Buffer.from(image.data, "base64") : image.data;
  if (!(data instanceof Uint8Array)) return null;
  const media_type = sniff(data);
  if (media_type !== null) return { media_type, bytes: data };
  const { width, height, encoding } = image;
  if (typeof width !== "number" || typeof height !== "number" || typeof encoding !== "string") return null;
  const rgb = toRgb({
    data,
    width,
    height,
    encoding,
    step: image.step ?? 0,
    is_bigendian: image.is_bigendian ?? 0,
  });
  return rgb ? { media_type: "image/png", bytes: encodePng(rgb, width, height) } : null;
}

function sniff(data: Uint8Array): string | null {
  if (data[0] === 0xff && data[1] === 0xd8) return "image/jpeg";
  if (data[0] === 0x89 && data[1] === 0x50) return "image/png";
  if (data[0] === 0x52 && data[1] === 0x49 && data[8] === 0x57) return "image/webp";
  return null;
}

const COLOUR: Readonly<Record<string, readonly [number, number, number, number]>> = {
  rgb8: [3, 0, 1, 2],
  bgr8: [3, 2, 1, 0],
  rgba8: [4, 0, 1, 2],
  bgra8: [4, 2, 1, 0],
  mono8: [1, 0, 0, 0],
  "8UC1": [1, 0, 0, 0],
  "8UC3": [3, 2, 1, 0],
};

function toRgb(image: RosImage): Uint8Array | null {
  const { data, width, height, encoding } = image;
  const layout = COLOUR[encoding];
  if (layout) {
    const [pixel, r, g, b] = layout;
    const step = image.step > 0 ? image.step : width * pixel;
    if (data.length < step * (height - 1) + width * pixel) return null;
    const out = new Uint8Array(width * height * 3);
    for (let y = 0, o = 0; y < height; y++) {
      for (let x = 0, i = y * step; x < width; x++, i += pixel, o += 3) {
        out[o] = data[i + r] as number;
        out[o + 1] = data[i + g] as number;
        out[o + 2] = data[i + b] as number;
      }
    }
    return out;
  }
  if (encoding === "16UC1" || encoding === "mono16")
    return depthRgb(image, 2, (v, at, le) => v.getUint16(at, le));
  if (encoding === "32FC1") return depthRgb(image, 4, (v, at, le) => v.getFloat32(at, le));
  return null;
}

/** Near is warm, far is cold, nothing is black; the scale spans the picture's own 2nd to 98th percentile. */
function depthRgb(
  image: RosImage,
  width_bytes: number,
  read: (view: DataView, at: number, littleEndian: boolean) => number,
): Uint8Array | null {
  const { data, width, height } = image;
  const step = image.step > 0 ? image.step : width * width_bytes;
  if (data.length < step * (height - 1) + width * width_bytes) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const little = !image.is_bigendian;
  const depths = new Float32Array(width * height);
  for (let y = 0, o = 0; y < height; y++)
    for (let x = 0; x < width; x++, o++) depths[o] = read(view, y * step + x * width_bytes, little);
  const valid = depths.filter((d) => d > 0 && Number.isFinite(d)).sort();
  const near = valid[Math.floor(valid.length * 0.02)] ?? 0;
  const far = valid[Math.floor(valid.length * 0.98)] ?? 1;
  const out = new Uint8Array(width * height * 3);
  for (let i = 0; i < depths.length; i++) {
    const d = depths[i] as number;
    if (!(d > 0) || !Number.isFinite(d)) continue;
    const u = Math.min(1, Math.max(0, far > near ? (d - near) / (far - near) : 0));
    out[i * 3] = Math.round(255 * Math.min(1, Math.max(0, 1.5 - Math.abs(4 * u - 1))));
    out[i * 3 + 1] = Math.round(255 * Math.min(1, Math.max(0, 1.5 - Math.abs(4 * u - 2))));
    out[i * 3 + 2] = Math.round(255 * Math.min(1, Math.max(0, 1.5 - Math.abs(4 * u - 3))));
  }
  return out;
}
