import { z } from "zod";
import { EnuSchema } from "./frames";
import { LinkStatus } from "./vehicle";

/** One vehicle that is heard, over whichever links. Several may share one link; one is selected and flown. */
export const HeardVehicle = z.strictObject({
  system_id: z.number(),
  component_id: z.number(),
  autopilot: z.enum(["px4", "ardupilot", "other", "unknown"]),
  type: z.string(),
  armed: z.boolean(),
  mode_label: z.string(),
  heartbeat_at_ms: z.number(),
  /** The vehicle that screens and commands mean. */
  selected: z.boolean(),
  /** Link whose messages are used; the others of this vehicle stand by. */
  primary: z.string(),
  links: z.array(z.strictObject({ address: z.string(), last_at_ms: z.number() })).readonly(),
  /** True when an operator chose the primary link; it still gives way when it falls silent. */
  primary_chosen: z.boolean(),
});
export type HeardVehicle = z.infer<typeof HeardVehicle>;

/** One open address, with what the station asked of the vehicle over it. */
export const LinkRow = z.strictObject({
  status: LinkStatus,
  /** The connection's own link cannot be removed, only connected elsewhere. */
  removable: z.boolean(),
  system_ids: z.array(z.number()).readonly(),
  /** Bytes a second that the medium carries; null when nothing limits it. */
  capacity_bytes_per_s: z.number().nullable(),
});
export type LinkRow = z.infer<typeof LinkRow>;

/** How one message stream was asked for; `asked_hz` is lower than `wanted_hz` on a slow radio, 0 is left out. */
export const StreamRow = z.strictObject({
  name: z.string(),
  wanted_hz: z.number(),
  asked_hz: z.number(),
  answer: z.enum(["pending", "accepted", "refused", "unanswered"]),
});
export type StreamRow = z.infer<typeof StreamRow>;

export const SigningStatus = z.strictObject({
  /** Whether this station has a key; the key itself never leaves the main process. */
  key: z.enum(["none", "set"]),
  /** Where it is kept: the system's own store, or a file only its owner may read. */
  store: z.string(),
  /** Takes unsigned and unverifiable frames while setting up; they are still told. */
  accept_unsigned: z.boolean(),
  /** The worst state over all links, see LinkStatus.signing. */
  state: LinkStatus.shape.signing,
  advice: z.string(),
  counts: z.strictObject({
    ok: z.number(),
    unsigned: z.number(),
    replayed: z.number(),
    wrong_key: z.number(),
    no_key: z.number(),
  }),
  /** How the last SETUP_SIGNING went: it has no answer, so only signed frames prove it. */
  setup: z.enum(["none", "sent", "confirmed", "not_confirmed"]),
});
export type SigningStatus = z.infer<typeof SigningStatus>;

export const ForwarderStatus = z.strictObject({
  address: z.string().nullable(),
  may_command: z.boolean(),
  state: z.enum(["off", "open", "failed"]),
  /** Why it failed. */
  reason: z.string(),
  to_stations_per_s: z.number(),
  /** Frames of other stations held back because they may not command. */
  held_back: z.number(),
  passed: z.number(),
});
export type ForwarderStatus = z.infer<typeof ForwarderStatus>;

export const TimeStatus = z.strictObject({
  /** Best round trip of late; null when the vehicle does not answer. */
  round_trip_ms: z.number().nullable(),
  /** Station time minus the vehicle's boot time; null before anything was heard. */
  offset_ms: z.number().nullable(),
});

export const ParameterStatus = z.strictObject({
  state: z.enum(["none", "downloading", "complete", "incomplete", "failed"]),
  received: z.number(),
  count: z.number().nullable(),
  /** Indices that never came. */
  missing: z.array(z.number()).readonly(),
  /** True when the list was taken from disk because the vehicle's hash had not changed. */
  cached: z.boolean(),
  detail: z.string(),
  /** Raised on every change of a value or of the descriptions: read the list again. */
  revision: z.number(),
  metadata: z.strictObject({
    state: z.enum(["none", "reading", "vehicle", "cached", "failed"]),
    detail: z.string(),
    /** Parameters that have a description. */
    described: z.number(),
    /** Events that have words. */
    events: z.number(),
  }),
});
export type ParameterStatus = z.infer<typeof ParameterStatus>;

/** A download or upload, running or over. */
export const Transfer = z.strictObject({
  id: z.string(),
  kind: z.enum(["log", "file", "plan", "parameters"]),
  name: z.string(),
  received: z.number(),
  /** Null while not known. */
  size: z.number().nullable(),
  unit: z.enum(["bytes", "items"]),
  per_s: z.number(),
  state: z.enum(["running", "done", "failed", "cancelled"]),
  detail: z.string(),
  /** Where it went on this computer. */
  path: z.string().nullable(),
});
export type Transfer = z.infer<typeof Transfer>;

export const ComponentRow = z.strictObject({
  component_id: z.number(),
  kind: z.enum(["autopilot", "companion", "gimbal", "camera", "gripper", "radio", "other"]),
  name: z.string(),
  model: z.string(),
  last_at_ms: z.number(),
});
export type ComponentRow = z.infer<typeof ComponentRow>;

/** The pose stream that this station relays to the vehicle as ODOMETRY, by a process of its own. */
export const RelayStatus = z.strictObject({
  state: z.enum(["off", "starting", "waiting", "relaying", "failed"]),
  /** Where it listens, like `udp://0.0.0.0:9870`. */
  source: z.string(),
  detail: z.string(),
  rate_hz: z.number(),
  age_ms: z.number().nullable(),
  /** 0-100 of the newest pose; null when the source does not say. */
  quality: z.number().nullable(),
  resets: z.number(),
  refused: z.number(),
  sent: z.number(),
});
export type RelayStatus = z.infer<typeof RelayStatus>;

/** Motion capture or vision as the vehicle uses it, and the relay that feeds it. */
export const ExternalPosition = z.strictObject({
  /** The vehicle's own estimate of it: whether it fuses external poses. Null when it does not tell. */
  fused: z.boolean().nullable(),
  rate_hz: z.number().nullable(),
  age_ms: z.number().nullable(),
  /** ODOMETRY quality 0-100, -1 failed; null when unknown. */
  quality: z.number().nullable(),
  resets: z.number(),
  relay: RelayStatus,
});
export type ExternalPosition = z.infer<typeof ExternalPosition>;

/** From the vehicle's local frame to the site: turned by `yaw_rad` about z, then moved. */
export const SiteStatus = z.strictObject({
  yaw_rad: z.number(),
  offset_enu_m: EnuSchema,
  /** Estimator resets taken out of the transform since the connection, and the last jump. */
  resets: z.number(),
  last_jump_m: z.number().nullable(),
  last_reset_at_ms: z.number().nullable(),
  /** Carrying the vehicle along the site's x axis: null when not begun. */
  check: z
    .strictObject({
      state: z.enum(["carrying", "done"]),
      /** Distance from where the check began, in the vehicle's local frame. */
      carried_m: z.number(),
      /** Which way it went there, counter-clockwise from local x. */
      bearing_rad: z.number().nullable(),
      /** Against the stored transform; null until 0.5 m are carried. */
      yaw_error_rad: z.number().nullable(),
      verdict: z.enum(["carry_further", "agrees", "turned", "scale_wrong"]),
      text: z.string(),
    })
    .nullable(),
});
export type SiteStatus = z.infer<typeof SiteStatus>;

/** Everything the link screens show beside `links` and `vehicle`. Published twice a second. */
export const LinkDetail = z.strictObject({
  connected: z.boolean(),
  /** Why nothing is here; empty when connected. */
  reason: z.string(),
  links: z.array(LinkRow).readonly(),
  vehicles: z.array(HeardVehicle).readonly(),
  streams: z.array(StreamRow).readonly(),
  signing: SigningStatus,
  forwarder: ForwarderStatus,
  time: TimeStatus,
  parameters: ParameterStatus,
  transfers: z.array(Transfer).readonly(),
  components: z.array(ComponentRow).readonly(),
  external: ExternalPosition,
  site: SiteStatus,
});
export type LinkDetail = z.infer<typeof LinkDetail>;
