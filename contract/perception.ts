import { z } from "zod";
import { EnuSchema, FluSchema } from "./frames";

/** Pinhole camera; x right, y down, z out of the lens; pixels. */
export const Intrinsics = z.strictObject({
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  fx: z.number().positive(),
  fy: z.number().positive(),
  cx: z.number(),
  cy: z.number(),
});
export type Intrinsics = z.infer<typeof Intrinsics>;

/** A camera and where it sits on the vehicle: what is needed to draw its view volume. */
export const Lens = z.strictObject({
  intrinsics: Intrinsics,
  /** Lens position in the FLU body frame, metres. */
  mount_position_flu_m: FluSchema,
  /** Rotates optical vectors (x right, y down, z forward) into FLU; [w, x, y, z]. */
  mount_quat: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
});
export type Lens = z.infer<typeof Lens>;

/** One object of the tracker. Labels describe what is seen (colour, shape); they are not classes from a simulator. */
export const TrackedObject = z.strictObject({
  id: z.string(),
  label: z.string(),
  confidence: z.number(),
  /** In this very frame; hidden and lost objects are "not seen", never "not moved". */
  seen: z.boolean(),
  last_seen_at_ms: z.number(),
  position_enu_m: EnuSchema,
  size_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  /** One standard deviation of the position at its range. */
  sigma_m: z.number(),
  range_m: z.number(),
  /** x, y, width, height in the colour image; null when not seen. */
  box_px: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly().nullable(),
  colour: z.tuple([z.number(), z.number(), z.number()]).readonly(),
});
export type TrackedObject = z.infer<typeof TrackedObject>;

export const FrameReport = z.strictObject({
  camera: z.string(),
  seq: z.number().int(),
  /** Exposure, on the station's clock. */
  captured_at_ms: z.number(),
  width: z.number().int(),
  height: z.number().int(),
  frames_per_s: z.number(),
  latency_ms: z.number(),
  depth_range_m: z.tuple([z.number(), z.number()]).readonly(),
  /** False when no vehicle pose was known at exposure: nothing was localised. */
  localised: z.boolean(),
  /** How much older than the exposure the newest pose was: it was held until then. Absent or 0 when measured around it. */
  pose_gap_ms: z.number().min(0).optional(),
  objects: z.array(TrackedObject).readonly(),
  /** Mean brightness 0-1, share of pixels with depth 0-1: what a rules policy may say of the image. */
  brightness: z.number(),
  depth_share: z.number(),
  /** Free distance straight ahead within the vehicle's width; null when not measured. */
  ahead_m: z.number().nullable(),
  /** Absent while the camera has not said how it is mounted. */
  lens: Lens.optional(),
});
export type FrameReport = z.infer<typeof FrameReport>;
