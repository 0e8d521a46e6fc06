import { z } from "zod";
import { VehicleFile } from "./airframe";
import { Site } from "./geometry";

export const EmergencyAction = z.enum(["hold", "land", "kill"]);
export type EmergencyAction = z.infer<typeof EmergencyAction>;

/** State of each emergency button: what was asked and how far it has got. */
export const EmergencyState = z.strictObject({
  action: EmergencyAction,
  state: z.enum(["idle", "sent", "acknowledged", "confirmed", "not_confirmed", "unavailable"]),
  detail: z.string(),
  at_ms: z.number().nullable(),
});
export type EmergencyState = z.infer<typeof EmergencyState>;

/** What the station is connected to and what it is doing with it. Published at 1 Hz and on change. */
export const StationStatus = z.strictObject({
  address: z.string(),
  vehicle_kind: z.enum(["embedded", "foreign_simulator", "hardware", "none"]),
  simulation: z.boolean(),
  scene: z.string(),
  seed: z.number().nullable(),
  recording: z.string().nullable(),
  now_ms: z.number(),
  utc_ms: z.number(),
  emergency: z.array(EmergencyState).readonly(),
  site: Site.nullable(),
  /** Names the scene offers for "push an object"; only in simulation. */
  pushable: z.array(z.string()).readonly(),
  /** The vehicle's file, where it is known: what the twin draws. */
  airframe: VehicleFile.nullable().optional(),
});
export type StationStatus = z.infer<typeof StationStatus>;

export const AppInfo = z.strictObject({
  version: z.string(),
  git: z.string(),
  runtime: z.string(),
  runtime_for_field: z.boolean(),
  electron: z.string(),
  chromium: z.string(),
  node: z.string(),
  home: z.string(),
});
export type AppInfo = z.infer<typeof AppInfo>;
