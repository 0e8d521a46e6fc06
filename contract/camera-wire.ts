import { z } from "zod";
import { FluSchema } from "./frames";
import { Intrinsics } from "./perception";

/**
 * The camera socket (a Unix socket; on Windows a named pipe): a stream of packets, little-endian:
 * u32 magic "KFC1" (0x3143464b), u32 header length, u32 payload length, header (JSON, UTF-8), payload.
 * Packet kinds: `hello` (once, empty payload) and `frame` (payload: colour RGB8 row-major, then depth u16).
 *
 * A reader that says nothing gets the pictures of the hello's own camera. One that sends a `select` (one JSON object on a
 * line) gets those of the cameras it names, from the hello's own and its `others`; each frame then says whose it is.
 */
export const cameraMagic = 0x3143464b;

const quaternion = z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly();

/** Another camera that can be asked for. */
export const CameraView = z.strictObject({
  camera: z.string(),
  intrinsics: Intrinsics,
  /** What carries it: the airframe, the last arm link, or the site (a third person's camera that stands still). */
  parent: z.enum(["body", "wrist", "site"]),
  /** Lens in the parent's frame (body and link FLU, site ENU), and the rotation of optical vectors into it. */
  position_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  quat: quaternion,
  depth_range_m: z.tuple([z.number(), z.number()]).readonly(),
});
export type CameraView = z.infer<typeof CameraView>;

export const CameraSelect = z.strictObject({
  kind: z.literal("select"),
  cameras: z.array(z.string()).max(16).readonly(),
});
export type CameraSelect = z.infer<typeof CameraSelect>;

export const CameraHello = z.strictObject({
  kind: z.literal("hello"),
  camera: z.string(),
  intrinsics: Intrinsics,
  /** Left out: the airframe. A wrist camera's place is in the last link's frame here and in the body's in each frame. */
  parent: z.enum(["body", "wrist"]).optional(),
  /** Lens position in the parent's FLU frame, metres. */
  mount_position_flu_m: FluSchema,
  /** Rotates optical vectors (x right, y down, z forward) into FLU; [w, x, y, z]. */
  mount_quat: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  depth_range_m: z.tuple([z.number(), z.number()]).readonly(),
  /** Clock of `captured_us`. */
  clock: z.enum(["vehicle_boot", "camera"]),
  /** From the middle of the exposure until the picture leaves the camera. */
  latency_us: z.number().optional(),
  others: z.array(CameraView).readonly().optional(),
});
export type CameraHello = z.infer<typeof CameraHello>;

export const CameraFrame = z.strictObject({
  kind: z.literal("frame"),
  /** Left out: the hello's own camera. */
  camera: z.string().optional(),
  seq: z.number().int(),
  /** Middle of exposure, microseconds of the clock named in the hello. */
  captured_us: z.number(),
  exposure_us: z.number().optional(),
  /** Where a wrist camera was at that moment, in the vehicle's FLU body frame: in place of the hello's mount. */
  mount: z.strictObject({ position_flu_m: FluSchema, quat: quaternion }).optional(),
  width: z.number().int(),
  height: z.number().int(),
  /** Metres per depth unit; 0 means no measurement. */
  depth_unit_m: z.number(),
});
export type CameraFrame = z.infer<typeof CameraFrame>;
