import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "./frames";

export const Pose = z.strictObject({ position_enu_m: EnuSchema, quat_flu_enu: QuatFluEnuSchema });
export type Pose = z.infer<typeof Pose>;

/** Position and heading: all that an underactuated vehicle can be asked for. Yaw counter-clockwise from east. */
export const PoseYaw = z.strictObject({ position_enu_m: EnuSchema, yaw_enu_rad: z.number() });
export type PoseYaw = z.infer<typeof PoseYaw>;

/** sRGB, each 0 to 1. */
const Rgb = z.tuple([z.number(), z.number(), z.number()]).readonly();

/** One piece of known static structure, in the site frame. `half_m` are half extents (cylinder: radius, radius, half height). */
export const StaticShape = z.strictObject({
  id: z.string(),
  kind: z.enum(["box", "cylinder"]),
  centre_enu_m: EnuSchema,
  half_m: z.tuple([z.number().positive(), z.number().positive(), z.number().positive()]).readonly(),
  yaw_enu_rad: z.number(),
  colour: Rgb,
  role: z.enum(["floor", "wall", "ceiling", "furniture", "pad"]),
});
export type StaticShape = z.infer<typeof StaticShape>;

/**
 * What is known of a place before a flight: structure, fence, pad. The embedded vehicle writes one for its scene;
 * a real site has one measured by people. Never holds movable objects.
 */
export const Site = z.strictObject({
  schema: z.literal(1),
  name: z.string(),
  seed: z.number().int().nullable(),
  shapes: z.array(StaticShape).readonly(),
  fence: z.strictObject({ min_enu_m: EnuSchema, max_enu_m: EnuSchema }),
  pad_enu_m: EnuSchema,
});
export type Site = z.infer<typeof Site>;
