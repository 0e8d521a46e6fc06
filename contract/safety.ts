import { z } from "zod";
import { EnuSchema } from "./frames";

export const CheckId = z.enum([
  "link_fresh",
  "vehicle_healthy",
  "position_valid",
  "battery",
  "geofence",
  "ceiling",
  "clearance",
  "observation_fresh",
  "skill_known",
  "arguments",
  "displacement",
  "mode_ours",
]);
export type CheckId = z.infer<typeof CheckId>;

/** One gate with its margin. `value` is measured, `needed` the limit; both null when nothing could be measured (a fail). */
export const GateCheck = z.strictObject({
  id: CheckId,
  label: z.string(),
  status: z.enum(["pass", "caution", "fail"]),
  /** A failed hard limit makes approval impossible. */
  hard: z.boolean(),
  value: z.number().nullable(),
  needed: z.number().nullable(),
  unit: z.string(),
  sense: z.enum(["at_least", "at_most"]),
  /** Margin as a share of the limit, 0 = at the limit, 1 or more = ample; negative = breached; null = not measured. */
  margin: z.number().nullable(),
  detail: z.string(),
});
export type GateCheck = z.infer<typeof GateCheck>;

/** Checks are listed worst first. */
export const Verdict = z.strictObject({
  at_ms: z.number(),
  pass: z.boolean(),
  checks: z.array(GateCheck).readonly(),
});
export type Verdict = z.infer<typeof Verdict>;

export const ObjectDisplacement = z.strictObject({
  id: z.string(),
  label: z.string(),
  state: z.enum(["settling", "seen", "not_seen", "exempt"]),
  baseline_enu_m: EnuSchema.nullable(),
  position_enu_m: EnuSchema,
  size_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  colour: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  displacement_m: z.number(),
  deadband_m: z.number(),
  score: z.number(),
  last_seen_at_ms: z.number(),
});
export type ObjectDisplacement = z.infer<typeof ObjectDisplacement>;

/** S_safe (AIR-VLA equation 5, profile `flight`): the worst object decides. Null score = nothing is being watched. */
export const SafetyState = z.strictObject({
  profile: z.literal("flight"),
  score: z.number().nullable(),
  level: z.enum(["unknown", "ok", "caution", "stop"]),
  worst: z.string().nullable(),
  worst_displacement_m: z.number(),
  seen: z.number(),
  total: z.number(),
  objects: z.array(ObjectDisplacement).readonly(),
  frame_seq: z.number().nullable(),
  at_ms: z.number(),
});
export type SafetyState = z.infer<typeof SafetyState>;

/** Flight limits; the operator's settings, never the model's. */
export const Limits = z.strictObject({
  ceiling_m: z.number().positive(),
  clearance_m: z.number().positive(),
  battery_min: z.number().min(0).max(1),
  link_age_max_ms: z.number().positive(),
  observation_age_max_ms: z.number().positive(),
  speed_max_m_s: z.number().positive(),
  yaw_rate_max_rad_s: z.number().positive(),
  vehicle_radius_m: z.number().positive(),
  vehicle_height_m: z.number().positive(),
});
export type Limits = z.infer<typeof Limits>;
