import { MessageIndex } from "../message-index";
import type { MessageTopic } from "../message-log";
import { alignDepth, between, cornerRays, type Intrinsics, type Rigid, rigidFrom } from "./align";

/** Bags up to this size have their frames paired when they are opened; it needs every frame's number. */
const PAIR_BYTES = 512 * 1024 * 1024;

type Payload = (chunk: number, offset: number) => Uint8Array | null;
const STREAM = /^(\/device_\d+)\/sensor_\d+\/(Depth|Color)_\d+\/image\/data$/;

/**
 * What RealSense's recorder leaves to its player: depth as the colour camera sees it, one picture a pair of frames with
 * the same number, from the recorded intrinsics and extrinsics. A topic of its own for every device that has both.
 */
export function alignedTopics(
  topics: readonly MessageTopic[],
  payload: Payload,
  file_bytes: number,
  remarks: string[],
): MessageTopic[] {
  const devices = new Map<string, { Depth?: MessageTopic; Color?: MessageTopic }>();
  for (const topic of topics) {
    const [, device, stream] = STREAM.exec(topic.name) ?? [];
    if (device === undefined) continue;
    const found = devices.get(device) ?? {};
    devices.set(device, found);
    found[stream as "Depth" | "Color"] ??= topic;
  }
  const out: MessageTopic[] = [];
  for (const [device, { Depth: depth, Color: colour }] of devices) {
    if (!depth?.decode || !colour) continue;
    const calibration = calibrationOf(topics, payload, depth.name, colour.name);
    if (typeof calibration === "string") {
      remarks.push(`depth of ${device} cannot be aligned with colour: ${calibration}`);
      continue;
    }
    const index = pairedFrames(depth, colour, payload, file_bytes, remarks);
    const { decode, numbers } = depth;
    const align = aligner(calibration);
    out.push({
      name: `${device}/aligned_depth_to_color/image`,
      type: "sensor_msgs/Image",
      index,
      image: true,
      decode: (bytes) => align(decode(bytes)),
      ...(numbers && { numbers }),
    });
  }
  return out;
}

interface Calibration {
  readonly depth: Intrinsics;
  readonly colour: Intrinsics;
  readonly motion: Rigid;
  readonly unit_m: number;
}

function calibrationOf(
  topics: readonly MessageTopic[],
  payload: Payload,
  depth: string,
  colour: string,
): Calibration | string {
  const first = (name: (topic: string) => boolean): unknown => {
    const topic = topics.find((t) => name(t.name));
    if (!topic?.decode || topic.index.length === 0) return null;
    const bytes = payload(topic.index.chunk(0), topic.index.offset(0));
    try {
      return bytes && topic.decode(bytes);
    } catch {
      return null;
    }
  };
  const stream = (image: string): string => image.replace(/\/image\/data$/, "");
  const cameras = [depth, colour].map((image) =>
    intrinsicsOf(first((name) => name === `${stream(image)}/info/camera_info`)),
  );
  const motions = [depth, colour].map((image) =>
    motionOf(first((name) => name.startsWith(`${stream(image)}/tf/`))),
  );
  const [from, to] = cameras;
  const [to_depth, to_colour] = motions;
  if (!from || !to) return "its intrinsics are not recorded";
  if (!to_depth || !to_colour) return "its extrinsics are not recorded";
  const sensor = depth.replace(/\/[^/]+\/image\/data$/, "");
  const units = first((name) => name === `${sensor}/option/Depth_Units/value`) as { data?: unknown } | null;
  const unit_m = typeof units?.data === "number" && units.data > 0 ? units.data : 0.001;
  return { depth: from, colour: to, motion: between(to_depth, to_colour), unit_m };
}

function intrinsicsOf(message: unknown): Intrinsics | null {
  const info = message as {
    width: number;
    height: number;
    distortion_model: string;
    K: ArrayLike<number>;
    D: ArrayLike<number>;
  } | null;
  if (!info) return null;
  const [fx = 0, , cx = 0, , fy = 0, cy = 0] = Array.from(info.K);
  if (!(fx > 0 && fy > 0 && info.width > 0 && info.height > 0)) return null;
  return {
    width: info.width,
    height: info.height,
    fx,
    fy,
    cx,
    cy,
    distortion: Array.from(info.D),
    modified: /inverse|modified/i.test(info.distortion_model),
  };
}

/** The recorder stores the way from the reference stream to each stream. */
function motionOf(message: unknown): Rigid | null {
  const tf = message as {
    rotation: { x: number; y: number; z: number; w: number };
    translation: { x: number; y: number; z: number };
  } | null;
  return tf && rigidFrom(tf.rotation, tf.translation);
}

/** Frame numbers stand first in std_msgs/Header. */
function frameNumbers(topic: MessageTopic, payload: Payload): (number | null)[] {
  return Array.from({ length: topic.index.length }, (_, i) => {
    const bytes = payload(topic.index.chunk(i), topic.index.offset(i));
    if (!bytes || bytes.length < 4) return null;
    return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  });
}

function pairedFrames(
  depth: MessageTopic,
  colour: MessageTopic,
  payload: Payload,
  file_bytes: number,
  remarks: string[],
): MessageIndex {
  const index = new MessageIndex();
  const all = file_bytes > PAIR_BYTES;
  if (all) remarks.push("too large to pair every depth frame with its colour frame when opened");
  const numbers = all ? [] : frameNumbers(depth, payload);
  const coloured = new Set(all ? [] : frameNumbers(colour, payload));
  for (let i = 0; i < depth.index.length; i++) {
    const number = numbers[i];
    if (all || (number !== null && coloured.has(number ?? null)))
      index.add(depth.index.chunk(i), depth.index.offset(i), depth.index.time_s(i));
  }
  const alone = depth.index.length - index.length;
  if (alone > 0)
    remarks.push(`${alone} depth frames have no colour frame of the same number and are not aligned`);
  return index;
}

interface DepthImage {
  readonly header: unknown;
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function aligner({ depth, colour, motion, unit_m }: Calibration): (message: unknown) => unknown {
  let rays: Float32Array | null = null;
  return (message) => {
    const { header, data, width, height } = message as DepthImage;
    if (width !== depth.width || height !== depth.height || data.length < width * height * 2)
      throw new Error("the frame is not as large as its intrinsics say");
    rays ??= cornerRays(depth);
    // A copy: the frame may begin at an odd byte.
    const values = new Uint16Array(Uint8Array.from(data.subarray(0, width * height * 2)).buffer);
    const aligned = alignDepth(values, rays, depth, colour, motion, unit_m);
    return {
      header,
      height: colour.height,
      width: colour.width,
      encoding: "16UC1",
      is_bigendian: 0,
      step: colour.width * 2,
      data: new Uint8Array(aligned.buffer),
    };
  };
}
