import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "#contract/frames";
import { FrameReport } from "#contract/perception";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, "must be bytes");

/** Parent to perception. Boot times are the vehicle's; `offset_ms` maps them to the station's clock. */
export const ToPerception = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("open"), socket: z.string(), lockstep: z.boolean() }),
  z.strictObject({
    kind: z.literal("position"),
    boot_ms: z.number(),
    position_enu_m: EnuSchema,
    offset_ms: z.number(),
  }),
  z.strictObject({ kind: z.literal("attitude"), boot_ms: z.number(), quat_flu_enu: QuatFluEnuSchema }),
  /** Everything known up to that boot time has been sent: frames exposed by then need not wait longer. */
  z.strictObject({ kind: z.literal("until"), boot_ms: z.number() }),
]);
export type ToPerception = z.infer<typeof ToPerception>;

export const FromPerception = z.discriminatedUnion("kind", [
  /** Exactly one for every camera frame received, in order. */
  z.strictObject({
    kind: z.literal("frame"),
    report: FrameReport,
    colour_jpeg: bytes,
    depth_jpeg: bytes,
  }),
  z.strictObject({ kind: z.literal("skipped"), seq: z.number() }),
  z.strictObject({ kind: z.literal("problem"), text: z.string() }),
]);
export type FromPerception = z.infer<typeof FromPerception>;
