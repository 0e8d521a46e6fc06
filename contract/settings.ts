import { z } from "zod";
import { Limits } from "./safety";

export const settingsSchemaVersion = 1;

export const Settings = z.strictObject({
  schema: z.literal(settingsSchemaVersion),
  operator: z.string().min(1),
  connect: z.strictObject({ address: z.string(), auto: z.boolean(), simulated: z.boolean() }),
  appearance: z.strictObject({
    theme: z.enum(["dark", "sunlight", "contrast"]),
    units: z.enum(["metric", "feet"]),
    scale: z.number().min(0.75).max(2),
  }),
  sound: z.strictObject({ enabled: z.boolean(), speech: z.boolean(), muted_until_utc_ms: z.number() }),
  approvals: z.strictObject({
    timeout_s: z.number().min(5).max(300),
    /** Simulation only, T1 and T2 only. */
    veto_window: z.boolean(),
  }),
  limits: Limits,
  recent_files: z.array(z.string()).readonly(),
});
export type Settings = z.infer<typeof Settings>;

export const defaultLimits: Limits = {
  ceiling_m: 2.6,
  clearance_m: 0.25,
  battery_min: 0.3,
  link_age_max_ms: 1500,
  observation_age_max_ms: 1000,
  speed_max_m_s: 0.6,
  yaw_rate_max_rad_s: 0.7,
  vehicle_radius_m: 0.48,
  vehicle_height_m: 0.35,
};

export const defaultSettings: Settings = {
  schema: settingsSchemaVersion,
  operator: "operator 1",
  connect: { address: "sim://office?seed=1", auto: true, simulated: false },
  appearance: { theme: "dark", units: "metric", scale: 1 },
  sound: { enabled: true, speech: false, muted_until_utc_ms: 0 },
  approvals: { timeout_s: 30, veto_window: false },
  limits: defaultLimits,
  recent_files: [],
};
