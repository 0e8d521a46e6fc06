import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "./frames";

export const FlightMode = z.enum([
  "manual",
  "altitude",
  "position",
  "acro",
  "stabilized",
  "offboard",
  "takeoff",
  "hold",
  "mission",
  "return",
  "land",
  "guided",
  "auto",
  "other",
  "unknown",
]);
export type FlightMode = z.infer<typeof FlightMode>;

/** Modes that fly streamed setpoints: PX4's offboard, ArduPilot's guided. */
export const followsSetpoints = (mode: FlightMode): boolean => mode === "offboard" || mode === "guided";

export const Health = z.enum(["good", "degraded", "bad", "unknown"]);
export type Health = z.infer<typeof Health>;

/** One reason why arming is refused, or a warning; all are shown at once. */
export const ArmingIssue = z.strictObject({
  id: z.string(),
  severity: z.enum(["blocks", "warns"]),
  text: z.string(),
  advice: z.string(),
});
export type ArmingIssue = z.infer<typeof ArmingIssue>;

/** Everything known of the vehicle. Null is "not known"; ages are against the station's clock. World frame is ENU, body FLU. */
export const VehicleState = z.strictObject({
  system_id: z.number().nullable(),
  component_id: z.number().nullable(),
  autopilot: z.enum(["px4", "ardupilot", "other", "unknown"]),
  type: z.string(),
  type_id: z.number().nullable(),
  firmware: z.string().nullable(),
  git_hash: z.string().nullable(),
  connected: z.boolean(),
  heartbeat_at_ms: z.number().nullable(),
  mode: FlightMode,
  mode_label: z.string(),
  custom_mode: z.number().nullable(),
  armed: z.boolean(),
  landed: z.enum(["on_ground", "in_air", "takeoff", "landing", "unknown"]),
  /** MAV_STATE: failsafe in progress is critical (5), emergency (6), termination (8). */
  system_status: z.number().nullable(),
  failsafe: z.boolean(),
  position_enu_m: EnuSchema.nullable(),
  velocity_enu_m_s: EnuSchema.nullable(),
  position_at_ms: z.number().nullable(),
  quat_flu_enu: QuatFluEnuSchema.nullable(),
  yaw_enu_rad: z.number().nullable(),
  attitude_at_ms: z.number().nullable(),
  /** Boot time of the newest attitude, for matching camera exposures. */
  boot_time_ms: z.number().nullable(),
  reset_counter: z.number().nullable(),
  home_enu_m: EnuSchema.nullable(),
  battery: z.strictObject({
    remaining: z.number().nullable(),
    voltage_v: z.number().nullable(),
    current_a: z.number().nullable(),
    minutes_left: z.number().nullable(),
  }),
  estimate: z.strictObject({
    source: z.string(),
    health: Health,
    horizontal_sigma_m: z.number().nullable(),
    rate_hz: z.number().nullable(),
  }),
  subsystems: z.array(z.strictObject({ name: z.string(), health: Health })).readonly(),
  arming: z.array(ArmingIssue).readonly(),
  /** What the vehicle would do by itself, in words, from its failsafe parameters; empty until they are known. */
  failsafes: z
    .array(z.strictObject({ parameter: z.string(), sentence: z.string(), blocks: z.boolean() }))
    .readonly(),
  in_air_since_ms: z.number().nullable(),
  parameters: z.strictObject({ received: z.number(), count: z.number().nullable() }),
});
export type VehicleState = z.infer<typeof VehicleState>;

/** Nothing has been heard yet: nothing is known, nothing is claimed. */
export const unknownVehicle: VehicleState = {
  system_id: null,
  component_id: null,
  autopilot: "unknown",
  type: "unknown",
  type_id: null,
  firmware: null,
  git_hash: null,
  connected: false,
  heartbeat_at_ms: null,
  mode: "unknown",
  mode_label: "unknown",
  custom_mode: null,
  armed: false,
  landed: "unknown",
  system_status: null,
  failsafe: false,
  position_enu_m: null,
  velocity_enu_m_s: null,
  position_at_ms: null,
  quat_flu_enu: null,
  yaw_enu_rad: null,
  attitude_at_ms: null,
  boot_time_ms: null,
  reset_counter: null,
  home_enu_m: null,
  battery: { remaining: null, voltage_v: null, current_a: null, minutes_left: null },
  estimate: { source: "none", health: "unknown", horizontal_sigma_m: null, rate_hz: null },
  subsystems: [],
  arming: [],
  failsafes: [],
  in_air_since_ms: null,
  parameters: { received: 0, count: null },
};

export const LinkStatus = z.strictObject({
  address: z.string(),
  primary: z.boolean(),
  state: z.enum(["opening", "open", "silent", "failed", "closed"]),
  /** What is wrong and what to do; empty when all is well. */
  advice: z.string(),
  bytes_per_s: z.number(),
  frames_per_s: z.number(),
  /** Share of frames lost, 0-1, over the last 10 s. */
  loss: z.number(),
  /** Counts by kind: bad checksum, unknown message, bad flags, garbage bytes. */
  faults: z.record(z.string(), z.number()),
  last_frame_at_ms: z.number().nullable(),
  signing: z.enum(["off", "ok", "unsigned", "replayed", "wrong_key", "no_key"]),
});
export type LinkStatus = z.infer<typeof LinkStatus>;
