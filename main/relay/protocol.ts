import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "#contract/frames";

/** What the station tells the relay process. */
export const ToRelay = z.strictObject({
  kind: z.literal("listen"),
  host: z.string(),
  port: z.number().int(),
  /** From the tracker's frame to the site: turned about z, then moved. */
  yaw_rad: z.number(),
  offset_enu_m: EnuSchema,
});
export type ToRelay = z.infer<typeof ToRelay>;

/** What the relay process tells the station. */
export const FromRelay = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("listening"), port: z.number().int() }),
  /** It cannot go on: one sentence. */
  z.strictObject({ kind: z.literal("failed"), reason: z.string() }),
  z.strictObject({
    kind: z.literal("pose"),
    position_enu_m: EnuSchema,
    quat_flu_enu: QuatFluEnuSchema,
    /** How long ago the tracker saw it, beyond its least delay. */
    age_ms: z.number(),
    /** 1 to 100, or 0 when the source does not say. */
    quality: z.number(),
    /** Variances of x, y, z in m² and of roll, pitch, yaw in rad². */
    variances: z.array(z.number()).length(6).readonly(),
    reset_counter: z.number().int(),
  }),
  z.strictObject({
    kind: z.literal("status"),
    rate_hz: z.number(),
    age_ms: z.number().nullable(),
    quality: z.number().nullable(),
    resets: z.number(),
    refused: z.number(),
    /** Why the newest packet was refused; empty when it was not. */
    refusal: z.string(),
  }),
]);
export type FromRelay = z.infer<typeof FromRelay>;
