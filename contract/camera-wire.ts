import { z } from "zod";
import { FluSchema } from "./frames";
import { Intrinsics } from "./perception";

/**
 * The camera socket (a Unix socket; on Windows a named pipe): a stream of packets, little-endian:
 * u32 magic "KFC1" (0x3143464b), u32 header length, u32 payload length, header (JSON, UTF-8), payload.
 * Packet kinds: `hello` (once, empty payload) and `frame` (payload: colour RGB8 row-major, then depth u16).
 */
export const cameraMagic = 0x3143464b;

export const CameraHello = z.strictObject({
  kind: z.literal("hello"),
  camera: z.string(),
  intrinsics: Intrinsics,
  /** Lens position in the vehicle's FLU body frame, metres. */
  mount_position_flu_m: FluSchema,
  /** Rotates optical vectors (x right, y down, z forward) into FLU; [w, x, y, z]. */
  mount_quat: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  depth_range_m: z.tuple([z.number(), z.number()]).readonly(),
  /** Clock of `captured_us`. */
  clock: z.enum(["vehicle_boot", "camera"]),
});
export type CameraHello = z.infer<typeof CameraHello>;

export const CameraFrame = z.strictObject({
  kind: z.literal("frame"),
  seq: z.number().int(),
  /** Middle of exposure, microseconds of the clock named in the hello. */
  captured_us: z.number(),
  width: z.number().int(),
  height: z.number().int(),
  /** Metres per depth unit; 0 means no measurement. */
  depth_unit_m: z.number(),
});
export type CameraFrame = z.infer<typeof CameraFrame>;
