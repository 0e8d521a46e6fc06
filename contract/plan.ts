import { z } from "zod";
import { EnuSchema } from "./frames";

/** Latitude and longitude in degrees, altitude above sea level in metres, of the site's zero: where the vehicle's local frame begins. */
export const GeoOrigin = z.strictObject({
  latitude_deg: z.number().min(-90).max(90),
  longitude_deg: z.number().min(-180).max(180),
  altitude_m: z.number(),
});
export type GeoOrigin = z.infer<typeof GeoOrigin>;

/** One item as MISSION_ITEM_INT carries it. `label` and `position_enu_m` are for reading; an upload ignores them. */
export const PlanItem = z.strictObject({
  command: z.number().int(),
  frame: z.number().int(),
  /** Null where a parameter is not used. */
  params: z
    .tuple([z.number().nullable(), z.number().nullable(), z.number().nullable(), z.number().nullable()])
    .readonly(),
  /** Latitude and longitude in 1e-7 degrees, or local metres times 1e4. */
  x: z.number().int(),
  y: z.number().int(),
  /** Metres, in the frame's sense of altitude. */
  z: z.number(),
  autocontinue: z.boolean(),
  label: z.string(),
  position_enu_m: EnuSchema.nullable(),
});
export type PlanItem = z.infer<typeof PlanItem>;

const corner = z.tuple([z.number(), z.number()]).readonly();

/** A fence on the floor of the site, in metres east and north; heights are the parameter GF_MAX_VER_DIST's business. */
export const Fence = z.strictObject({
  polygons: z
    .array(
      z.strictObject({ inclusion: z.boolean(), corners_enu_m: z.array(corner).min(3).max(200).readonly() }),
    )
    .readonly(),
  circles: z
    .array(z.strictObject({ inclusion: z.boolean(), centre_enu_m: corner, radius_m: z.number().positive() }))
    .readonly(),
});
export type Fence = z.infer<typeof Fence>;

/** Rally points: x, y of the site and height above home. */
export const RallyPoint = z.strictObject({ position_enu_m: EnuSchema });
export type RallyPoint = z.infer<typeof RallyPoint>;

/** Everything of one vehicle's plan, or of a .plan file. */
export const VehiclePlan = z.strictObject({
  mission: z.array(PlanItem).readonly(),
  fence: Fence,
  rally: z.array(RallyPoint).readonly(),
  /** Null: the vehicle has no global origin, so that only local frames have a meaning. */
  origin: GeoOrigin.nullable(),
});
export type VehiclePlan = z.infer<typeof VehiclePlan>;
