import { z } from "zod";
import { EnuSchema, QuatFluEnuSchema } from "./frames";
import { Lens } from "./perception";

/**
 * The grader socket (docs/grader-socket.md): ground truth of the embedded vehicle's world, one JSON object a line, from the
 * sim to the reader only. Served when the sim is started with `--grader PATH`, never otherwise. Nothing of it may reach a
 * station: only main/evaluation, and the spectator's port in main/app, import a client for it.
 *
 * Order: `hello` once, then `truth` every `period_ms` of simulated time with each `event` before the truth that shows it,
 * and `end` when the world stops. World ENU, bodies FLU, lengths in metres, angles in radians, times in simulated
 * milliseconds: the clock of the barrier, and so of a recording made on simulated time.
 */
export const graderSchemaVersion = 1;
export const graderPeriod_ms = 50;

const Quat = z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly();
const Pair = z.tuple([z.number(), z.number()]).readonly();

/** A free body. Its own frame has the origin on the ground under its middle, z up. */
const GraderObject = z.strictObject({
  name: z.string(),
  /** The class, in words: what a person would call it. */
  label: z.string(),
  mass_kg: z.number(),
  footprint_radius_m: z.number(),
  height_m: z.number(),
  /** Box around all its parts, in its own frame. */
  bounds_m: z.strictObject({ min: EnuSchema, max: EnuSchema }),
  /** Its main colour, sRGB 0 to 1. */
  colour: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  /** `FURNITURE/SURFACE` where it stood at the beginning; null for a thing at an exact place. */
  on: z.string().nullable(),
});
export type GraderObject = z.infer<typeof GraderObject>;

/** A door, drawer or hanging basket: one joint of the furniture it belongs to. */
const GraderMover = z.strictObject({
  name: z.string(),
  joint: z.enum(["hinge", "slide"]),
  /** Radians or metres. */
  range: Pair,
  /** A point of the axis and its direction, in the world. */
  at_enu_m: EnuSchema,
  axis_enu: EnuSchema,
});

/** Where things may stand. Round surfaces have one half size, the radius. */
const GraderSurface = z.strictObject({
  id: z.string(),
  centre_enu_m: EnuSchema,
  yaw_enu_rad: z.number(),
  half_m: z.union([Pair, z.tuple([z.number()]).readonly()]),
});
export type GraderSurface = z.infer<typeof GraderSurface>;

export const GraderHello = z.strictObject({
  kind: z.literal("hello"),
  schema: z.literal(graderSchemaVersion),
  scene: z.string(),
  seed: z.number().int(),
  vehicle: z.string(),
  period_ms: z.number().int().positive(),
  objects: z.array(GraderObject).readonly(),
  movers: z.array(GraderMover).readonly(),
  surfaces: z.array(GraderSurface).readonly(),
  /** What the station's camera could see, and how far; null when the world serves none. */
  camera: Lens.extend({ depth_range_m: Pair }).nullable(),
});
export type GraderHello = z.infer<typeof GraderHello>;

/** Position, then quaternion [w, x, y, z]. */
const FreePose = z.strictObject({ p: EnuSchema, q: Quat });

export const GraderTruth = z.strictObject({
  kind: z.literal("truth"),
  t_ms: z.number(),
  vehicle: z.strictObject({
    position_enu_m: EnuSchema,
    velocity_enu_m_s: EnuSchema,
    quat_flu_enu: QuatFluEnuSchema,
    rates_flu_rad_s: EnuSchema,
    armed: z.boolean(),
    /** State of charge, 0 to 1. */
    battery: z.number(),
    rotor_speed_rad_s: z.array(z.number()).readonly(),
  }),
  /** Null on a vehicle without one. */
  arm: z
    .strictObject({
      joints_rad: z.array(z.number()).readonly(),
      width_m: z.number(),
      /** Contact force on the left and the right finger. */
      forces_n: Pair,
      /** Between the finger pads. */
      grasp_enu_m: EnuSchema,
      grasp_quat: Quat,
    })
    .nullable(),
  /** In the order of the hello. */
  objects: z.array(FreePose).readonly(),
  /** Radians or metres, in the order of the hello. */
  movers: z.array(z.number()).readonly(),
  /**
   * Who touched whom since the truth before, each pair once, sorted: `vehicle`, `arm/LINK`, `finger/left|right`, names of
   * objects and movers, `structure/ID`. A body at rest keeps the contacts it came to rest with.
   */
  contacts: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
});
export type GraderTruth = z.infer<typeof GraderTruth>;

/** Something that was made to happen: by schedule, or by a person through the station. */
export const GraderEvent = z.strictObject({
  kind: z.literal("event"),
  t_ms: z.number(),
  /** `push`, `wind`, `motor`, `battery`, `camera` and so on. */
  what: z.string(),
  /** The object or part it happened to; empty when it is the whole vehicle or scene. */
  to: z.string(),
  detail: z.string(),
});
export type GraderEvent = z.infer<typeof GraderEvent>;

const GraderEnd = z.strictObject({ kind: z.literal("end"), t_ms: z.number() });

export const GraderMessage = z.discriminatedUnion("kind", [GraderHello, GraderTruth, GraderEvent, GraderEnd]);
export type GraderMessage = z.infer<typeof GraderMessage>;
