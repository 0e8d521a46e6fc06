import { z } from "zod";
import { FluSchema } from "./frames";

/**
 * A vehicle file (resources/vehicles/*.json): geometry, masses, rotors, arm, limits and camera mounts of one aircraft.
 * Sim, planning, safety and twin read the same file. Lengths in metres, masses in kilograms, body frame FLU.
 */
const positive = z.number().positive();
const triple = z.tuple([z.number(), z.number(), z.number()]).readonly();
const positives = z.tuple([positive, positive, positive]).readonly();

/** sRGB, each 0 to 1. */
export const ColourSchema = z
  .tuple([z.number().min(0).max(1), z.number().min(0).max(1), z.number().min(0).max(1)])
  .readonly();

/** A solid of the airframe: for collision, pictures and the twin. `to` ends a capsule that starts at `at`. */
export const AirframeShape = z.strictObject({
  kind: z.enum(["box", "cylinder", "sphere", "capsule"]),
  at_flu_m: FluSchema,
  to_flu_m: FluSchema.optional(),
  /** box: half extents; cylinder: radius, radius, half height; sphere and capsule: radius thrice. */
  half_m: positives,
  colour: ColourSchema,
  collides: z.boolean(),
});
export type AirframeShape = z.infer<typeof AirframeShape>;

/** One joint and the link it carries; links are chained, the link extends along its own x. */
export const ArmLink = z.strictObject({
  name: z.string().min(1),
  axis: z.enum(["pitch", "roll"]),
  length_m: positive,
  /** Where the next joint (or the gripper's x axis) begins, in this link's frame; left out: at the end, `length_m` along x. */
  next_m: triple.optional(),
  radius_m: positive,
  mass_kg: positive,
  /** In the link's own frame. */
  com_m: triple,
  inertia_kg_m2: positives,
  range_rad: z.tuple([z.number(), z.number()]).readonly(),
  speed_max_rad_s: positive,
  torque_max_nm: positive,
  /** Position servo: stiffness, damping; passive joint damping and rotor inertia. */
  kp: positive,
  kv: positive,
  damping: z.number().nonnegative(),
  armature: z.number().nonnegative(),
  /** Current drawn per torque, for measured joint current. */
  amps_per_nm: positive,
});
export type ArmLink = z.infer<typeof ArmLink>;

export const AirframeCamera = z.strictObject({
  name: z.string().min(1),
  /** The frame that carries it: the airframe, or the last arm link (then `position_flu_m` is in that link's frame). */
  parent: z.enum(["body", "wrist"]),
  position_flu_m: FluSchema,
  /** Optical axis below the parent's x axis. */
  pitch_down_rad: z.number(),
  /** Focal length in pixels per pixel of image width in the full 16:9 mode; narrower modes are cropped from it. */
  focal_per_width: positive,
  baseline_m: positive,
  /** Width in pixels of the mode the depth is matched in: sets the noise whatever the delivered size. */
  native_width: positive,
  subpixel: positive,
  depth_range_m: z.tuple([positive, positive]).readonly(),
  latency_s: z.number().nonnegative(),
  exposure_s: z.number().nonnegative(),
});
export type AirframeCamera = z.infer<typeof AirframeCamera>;

export const VehicleFile = z
  .strictObject({
    schema: z.literal(1),
    id: z.string().regex(/^[a-z0-9-]+$/),
    name: z.string().min(1),
    /** What the embedded vehicle does not model for this aircraft; empty when all is modelled. */
    not_modelled: z.array(z.string()).readonly(),
    /** Where the figures come from: a paper's table, a data sheet, or an assumption named as one. */
    sources: z.array(z.string()).readonly().default([]),
    /** What the autopilot's airframe file sets for this aircraft beside geometry and masses: PX4 parameters by name. */
    parameters: z.record(z.string().regex(/^[A-Z0-9_]{1,16}$/), z.number()).default({}),
    mav_type: z.number().int(),
    base: z.strictObject({
      mass_kg: positive,
      com_flu_m: FluSchema,
      inertia_kg_m2: positives,
      /** Drag area (coefficient times area) along each body axis, square metres. */
      drag_area_m2: positives,
      shapes: z.array(AirframeShape).readonly(),
    }),
    rotors: z.strictObject({
      radius_m: positive,
      thrust_max_n: positive,
      /** Newtons per (rad/s)^2. */
      thrust_coefficient: positive,
      /** Reaction torque per newton of thrust, metres. */
      torque_ratio_m: positive,
      lag_s: positive,
      /** In-plane drag, N per (rad/s) per (m/s); Faessler et al. 2018, as RotorS' rolling-moment-free form. */
      drag_coefficient: z.number().nonnegative(),
      /** In the autopilot's output order. `spin` is seen from above; `axis_flu` is the thrust direction. */
      list: z
        .array(
          z.strictObject({
            position_flu_m: FluSchema,
            spin: z.enum(["ccw", "cw"]),
            axis_flu: FluSchema,
            /** A rotor on a tilting arm: the tilt axis and its limits. `axis_flu` is the thrust direction at tilt zero. */
            tilt: z
              .strictObject({
                axis_flu: FluSchema,
                range_rad: z.tuple([z.number(), z.number()]).readonly(),
                speed_max_rad_s: positive,
              })
              .optional(),
          }),
        )
        .min(4)
        .readonly(),
    }),
    legs: z.strictObject({
      foot_radius_m: positive,
      tube_radius_m: positive,
      list: z
        .array(z.strictObject({ from_flu_m: FluSchema, foot_flu_m: FluSchema }))
        .min(3)
        .readonly(),
      colour: ColourSchema,
    }),
    battery: z.strictObject({
      cells: z.number().int().positive(),
      capacity_ah: positive,
      resistance_ohm: positive,
      /** Electrical to shaft power. */
      efficiency: positive.max(1),
      avionics_w: z.number().nonnegative(),
    }),
    arm: z
      .strictObject({
        mount_flu_m: FluSchema,
        /** The first link's x axis at joint angle zero, below the body's x axis: 0 is ahead, half of pi is down. */
        mount_pitch_down_rad: z.number().default(0),
        links: z.array(ArmLink).min(1).readonly(),
        /** Joint angles at rest: the centre of mass sits under the rotors' centre and the camera sees past the arm. */
        stowed_rad: z.array(z.number()).readonly(),
        gripper: z.strictObject({
          /** Grasp centre along the last link's x. */
          reach_m: positive,
          stroke_m: positive,
          force_max_n: positive,
          friction: positive,
          finger_mass_kg: positive,
          finger_half_m: positives,
        }),
      })
      .nullable(),
    cameras: z.array(AirframeCamera).min(1).readonly(),
  })
  .superRefine((file, context) => {
    const stowed = file.arm?.stowed_rad.length ?? 0;
    const links = file.arm?.links ?? [];
    if (file.arm !== null && stowed !== links.length)
      context.addIssue({
        code: "custom",
        path: ["arm", "stowed_rad"],
        message: `expected ${String(links.length)} angles, one for each link, received ${String(stowed)}`,
      });
    links.forEach((link, i) => {
      const [low, high] = link.range_rad;
      const at = file.arm?.stowed_rad[i] ?? 0;
      if (!(low < high))
        context.addIssue({
          code: "custom",
          path: ["arm", "links", i, "range_rad"],
          message: `expected the lower limit first, received ${String(low)} to ${String(high)}`,
        });
      else if (!(at >= low && at <= high))
        context.addIssue({
          code: "custom",
          path: ["arm", "stowed_rad", i],
          message: `expected an angle within the joint's range ${String(low)} to ${String(high)}, received ${String(at)}`,
        });
    });
  });
export type VehicleFile = z.infer<typeof VehicleFile>;
