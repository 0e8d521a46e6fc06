import { z } from "zod";
import { LinkDetail } from "./link-detail";
import { nothing, Outcome, outcomeOf } from "./outcome";
import { Fence, GeoOrigin, VehiclePlan } from "./plan";

/** One parameter with what the vehicle's own description says of it. */
export const ParameterRow = z.strictObject({
  name: z.string(),
  value: z.number(),
  /** MAV_PARAM_TYPE in words. */
  type: z.enum(["uint8", "int8", "uint16", "int16", "uint32", "int32", "float"]),
  group: z.string(),
  short: z.string(),
  long: z.string(),
  unit: z.string(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  increment: z.number().nullable(),
  /** Digits after the point that make sense; null when not said. */
  decimals: z.number().nullable(),
  default: z.number().nullable(),
  /** Values with a name; empty when any number will do. */
  values: z.array(z.strictObject({ value: z.number(), text: z.string() })).readonly(),
  /** Bits with a name; empty when it is no bit mask. */
  bits: z.array(z.strictObject({ index: z.number(), text: z.string() })).readonly(),
  reboot_required: z.boolean(),
  read_only: z.boolean(),
});
export type ParameterRow = z.infer<typeof ParameterRow>;

/** A difference between the vehicle and a file; null is "not there". */
export const ParameterDifference = z.strictObject({
  name: z.string(),
  vehicle: z.number().nullable(),
  file: z.number().nullable(),
});
export type ParameterDifference = z.infer<typeof ParameterDifference>;

export const VehicleFile = z.strictObject({ name: z.string(), directory: z.boolean(), size: z.number() });
export type VehicleFile = z.infer<typeof VehicleFile>;

export const VehicleLog = z.strictObject({
  id: z.number(),
  size: z.number(),
  /** Null when the vehicle had no clock. */
  utc_s: z.number().nullable(),
});
export type VehicleLog = z.infer<typeof VehicleLog>;

/** One kind of message from one component, since the connection. */
export const InspectedMessage = z.strictObject({
  system_id: z.number(),
  component_id: z.number(),
  name: z.string(),
  id: z.number(),
  count: z.number(),
  rate_hz: z.number(),
  /** Bytes a second that it takes on the wire. */
  bytes_per_s: z.number(),
  last_at_ms: z.number(),
});
export type InspectedMessage = z.infer<typeof InspectedMessage>;

/** Loss of one component by its sequence numbers; frames out of order are not lost. */
export const InspectedComponent = z.strictObject({
  system_id: z.number(),
  component_id: z.number(),
  frames: z.number(),
  lost: z.number(),
  duplicates: z.number(),
  restarts: z.number(),
});
export type InspectedComponent = z.infer<typeof InspectedComponent>;

/** One field as it is shown: `text` always, `value` when it can be plotted. */
export const InspectedField = z.strictObject({
  /** Elements of an array have names like `q[2]`. */
  name: z.string(),
  text: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
});
export type InspectedField = z.infer<typeof InspectedField>;

const messageKey = {
  system_id: z.number().int(),
  component_id: z.number().int(),
  name: z.string(),
};

/** A serial port of this computer that may lead to an autopilot. */
export const SerialPortRow = z.strictObject({
  path: z.string(),
  /** The autopilot's maker by its USB vendor; null for anything not known to carry MAVLink. */
  autopilot: z.string().nullable(),
  serial_number: z.string().nullable(),
  /** Ready for links.add and station.connect. */
  address: z.string(),
});
export type SerialPortRow = z.infer<typeof SerialPortRow>;

export const linkEvents = { link: LinkDetail } as const;

export const linkRequests = {
  /** The newest state; the same comes as the event `link` twice a second. */
  "link.detail": { input: nothing, output: LinkDetail },
  "link.ports": { input: nothing, output: z.array(SerialPortRow).readonly() },
  /** Opens one more link to the same vehicle or to others. */
  "link.add": { input: z.strictObject({ address: z.string() }), output: Outcome },
  "link.remove": { input: z.strictObject({ address: z.string() }), output: Outcome },
  /** Makes one link of a vehicle the primary; null lets the station choose. */
  "link.primary": {
    input: z.strictObject({ system_id: z.number().int(), address: z.string().nullable() }),
    output: Outcome,
  },
  /** Screens and commands mean this vehicle from now on; refused while the present one is armed. */
  "link.select": { input: z.strictObject({ system_id: z.number().int() }), output: Outcome },
  /** Passes frames on to other ground stations; a null address ends it. */
  "link.forward": {
    input: z.strictObject({ address: z.string().nullable(), may_command: z.boolean() }),
    output: Outcome,
  },
  /** Makes and keeps the key of a passphrase; `send` also hands it to the vehicle (in the clear: over a cable only). */
  "signing.set": {
    input: z.strictObject({ passphrase: z.string().min(1).max(500), send: z.boolean() }),
    output: Outcome,
  },
  /** Forgets the key; `send` also switches signing off on the vehicle. */
  "signing.disable": { input: z.strictObject({ send: z.boolean() }), output: Outcome },
  "signing.accept_unsigned": { input: z.strictObject({ accept: z.boolean() }), output: Outcome },

  "parameters.list": { input: nothing, output: outcomeOf(z.array(ParameterRow).readonly()) },
  /** Downloads all again, cache or not. */
  "parameters.refresh": { input: nothing, output: Outcome },
  /** Written, read back and compared; the answer is what the vehicle says now. */
  "parameters.write": {
    input: z.strictObject({ name: z.string().min(1).max(16), value: z.number() }),
    output: outcomeOf(z.strictObject({ value: z.number() })),
  },
  /** Against a QGroundControl .params file. */
  "parameters.compare": {
    input: z.strictObject({ path: z.string() }),
    output: outcomeOf(z.array(ParameterDifference).readonly()),
  },
  "parameters.export": { input: z.strictObject({ path: z.string() }), output: Outcome },
  /** Writes the named ones of a file to the vehicle, one after the other; what failed is told by name. */
  "parameters.import": {
    input: z.strictObject({ path: z.string(), names: z.array(z.string()).readonly() }),
    output: outcomeOf(
      z.strictObject({
        written: z.number(),
        failed: z.array(z.strictObject({ name: z.string(), reason: z.string() })).readonly(),
      }),
    ),
  },

  "plan.read": { input: nothing, output: outcomeOf(VehiclePlan) },
  /** Sent, read back and compared; a part that is null is left alone. */
  "plan.write": {
    input: z.strictObject({
      mission: VehiclePlan.shape.mission.nullable(),
      fence: Fence.nullable(),
      rally: VehiclePlan.shape.rally.nullable(),
    }),
    output: Outcome,
  },
  "plan.open": { input: z.strictObject({ path: z.string() }), output: outcomeOf(VehiclePlan) },
  "plan.save": { input: z.strictObject({ path: z.string(), plan: VehiclePlan }), output: Outcome },
  "plan.origin": { input: nothing, output: z.strictObject({ origin: GeoOrigin.nullable() }) },

  "files.list": {
    input: z.strictObject({ path: z.string() }),
    output: outcomeOf(z.array(VehicleFile).readonly()),
  },
  /** Into a folder of this computer, checked by CRC; progress is a transfer of the detail. */
  "files.download": {
    input: z.strictObject({ path: z.string(), folder: z.string() }),
    output: outcomeOf(z.strictObject({ transfer: z.string() })),
  },
  "logs.list": { input: nothing, output: outcomeOf(z.array(VehicleLog).readonly()) },
  /** Resumes where an earlier download into the same folder stopped. */
  "logs.download": {
    input: z.strictObject({ id: z.number().int(), folder: z.string() }),
    output: outcomeOf(z.strictObject({ transfer: z.string() })),
  },
  "transfer.cancel": { input: z.strictObject({ transfer: z.string() }), output: Outcome },
  "transfer.dismiss": { input: z.strictObject({ transfer: z.string() }), output: Outcome },

  "inspector.messages": {
    input: nothing,
    output: z.strictObject({
      messages: z.array(InspectedMessage).readonly(),
      components: z.array(InspectedComponent).readonly(),
    }),
  },
  "inspector.fields": {
    input: z.strictObject(messageKey),
    output: outcomeOf(z.array(InspectedField).readonly()),
  },
  /** Keeps the newest 3,000 values of one field from now on; at most eight at once. */
  "inspector.plot": { input: z.strictObject({ ...messageKey, field: z.string() }), output: Outcome },
  "inspector.unplot": { input: z.strictObject({ ...messageKey, field: z.string() }), output: Outcome },
  /** What was kept after `after_ms` (station time). */
  "inspector.series": {
    input: z.strictObject({ ...messageKey, field: z.string(), after_ms: z.number().nullable() }),
    output: outcomeOf(
      z.strictObject({ at_ms: z.array(z.number()).readonly(), values: z.array(z.number()).readonly() }),
    ),
  },

  /** Asks the vehicle to run its arming checks now. */
  "vehicle.check": { input: nothing, output: Outcome },
  /** Sets where the vehicle's local frame lies on the globe: without it PX4 refuses hold under motion capture. */
  "vehicle.set_origin": { input: GeoOrigin, output: Outcome },

  "site.set": {
    input: z.strictObject({
      yaw_rad: z.number(),
      offset_enu_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
    }),
    output: Outcome,
  },
  /** Carry the vehicle 1 m along the site's x axis; the detail's check says what it found. */
  "site.check": { input: z.strictObject({ step: z.enum(["begin", "end", "adopt"]) }), output: Outcome },

  /** Starts the process that relays poses to the vehicle; a null source ends it. */
  "relay.set": {
    input: z.strictObject({
      /** `udp://0.0.0.0:9870`. */
      source: z.string().nullable(),
      /** From the tracker's frame (z up) to the site. */
      yaw_rad: z.number(),
      offset_enu_m: z.tuple([z.number(), z.number(), z.number()]).readonly(),
    }),
    output: Outcome,
  },

  /** The system's own dialog; null when cancelled. */
  "dialog.pick": {
    input: z.strictObject({
      kind: z.enum(["open", "save", "folder"]),
      title: z.string(),
      /** Without the dot; empty for any. */
      extension: z.string(),
      suggested: z.string(),
    }),
    output: z.strictObject({ path: z.string().nullable() }),
  },
} as const;
