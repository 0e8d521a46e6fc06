import { z } from "zod";
import { ColourSchema } from "#contract/airframe";

/**
 * The files of resources/scenes: the asset catalogues (what an object or a piece of furniture is made of) and the seeded
 * scene descriptions (what may stand where). Lengths in metres, angles in degrees, frame ENU; an asset's own frame has its
 * origin on the ground under its middle, z up.
 */
const positive = z.number().positive();
const pair = z.tuple([z.number(), z.number()]).readonly();
const triple = z.tuple([z.number(), z.number(), z.number()]).readonly();
const positives = z.tuple([positive, positive, positive]).readonly();

export const patterns = [
  "plain",
  "wood",
  "planks",
  "tiles",
  "carpet",
  "plaster",
  "metal",
  "can",
  "bottle",
  "carton",
  "cracker",
  "tissue",
  "peel",
  "banana",
  "apple",
  "books",
  "window",
  "poster",
  "pad",
  "panel",
  "screen",
  "hazard",
  "sticker",
  "holes",
  "label",
  "cube",
  "brick",
  "grass",
  "gravel",
  "sky",
] as const;

/** How a surface looks: a colour, and a pattern that may use a second one. `gloss` 0 is chalk, 1 is polished. */
export const Paint = z.strictObject({
  rgb: ColourSchema,
  pattern: z.enum(patterns).default("plain"),
  rgb2: ColourSchema.optional(),
  gloss: z.number().min(0).max(1).default(0.15),
  /** Dark or shiny surfaces lose depth: share of pixels without a measurement. */
  depth_loss: z.number().min(0).max(1).default(0),
});
export type Paint = z.infer<typeof Paint>;

const common = {
  at: triple,
  rpy_deg: triple.optional(),
  paint: z.string(),
  /** False: seen but not felt. */
  collides: z.boolean().default(true),
  /** False: felt but not seen. */
  visible: z.boolean().default(true),
};

/** One primitive. `cone` and `vessel` (an open, hollow cone) are pictures only; give them a collision partner. */
export const Part = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("box"), half: positives, ...common }),
  z.strictObject({ kind: z.literal("cylinder"), radius: positive, half_height: positive, ...common }),
  z.strictObject({ kind: z.literal("capsule"), radius: positive, half_height: positive, ...common }),
  z.strictObject({ kind: z.literal("sphere"), radius: positive, ...common }),
  z.strictObject({ kind: z.literal("ellipsoid"), half: positives, ...common }),
  z.strictObject({
    kind: z.enum(["cone", "vessel"]),
    radius: positive,
    top_radius: positive,
    half_height: positive,
    ...common,
    collides: z.literal(false).default(false),
  }),
]);
export type Part = z.infer<typeof Part>;

/** Something movable. The footprint is what must not overlap a neighbour's. */
export const ObjectAsset = z.strictObject({
  label: z.string().min(1),
  mass_kg: positive,
  friction: positive,
  /** Resistance to rolling, metres; lets round fruit lie still. */
  rolling_m: z.number().nonnegative().default(0.0005),
  footprint_radius_m: positive,
  height_m: positive,
  /** Turns at random about z when placed, degrees either way. */
  yaw_deg: z.number().nonnegative().default(180),
  /** Centre of mass when it is not where the shape puts it: a carton with its load to one side. */
  com_m: triple.optional(),
  parts: z.array(Part).min(1).readonly(),
});
export type ObjectAsset = z.infer<typeof ObjectAsset>;

const Surface = z.strictObject({
  name: z.string(),
  height_m: z.number(),
  centre: pair,
  /** Usable half size; a round surface has one value. */
  half: z.union([pair, z.tuple([positive]).readonly()]),
});
export type Surface = z.infer<typeof Surface>;

/** A door, drawer or hanging basket: turns about or slides along an axis of the furniture it belongs to. */
export const Mover = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]+$/),
  joint: z.enum(["hinge", "slide"]),
  /** A point of the axis, and its direction, in the furniture's frame. */
  at: triple,
  axis: triple,
  /** Radians or metres. */
  range: pair,
  damping: z.number().nonnegative(),
  /** Dry friction in the joint, N m or N: what holds a door where it was left. */
  friction: z.number().nonnegative(),
  mass_kg: positive,
  parts: z.array(Part).min(1).readonly(),
});
export type Mover = z.infer<typeof Mover>;

export const FurnitureAsset = z.strictObject({
  surfaces: z.array(Surface).readonly(),
  movers: z.array(Mover).readonly().default([]),
  parts: z.array(Part).min(1).readonly(),
});
export type FurnitureAsset = z.infer<typeof FurnitureAsset>;

/** All that a scene is made of, after a catalogue file's references have been followed (catalogue.ts). */
export interface Catalogue {
  readonly paints: Readonly<Record<string, Paint>>;
  readonly objects: Readonly<Record<string, ObjectAsset>>;
  readonly furniture: Readonly<Record<string, FurnitureAsset>>;
}

const Range = z.union([z.number(), pair]);

const Light = z.strictObject({
  /** Direction the main light travels; it casts the shadows. */
  direction: triple,
  strength: positive,
  ambient: positive,
});

const Room = z.strictObject({
  min: triple,
  max: triple,
  floor: z.string(),
  /** Null in the open: nothing stops flight there but the fence. */
  walls: z.string().nullable(),
  ceiling: z.string().nullable(),
  skirting: z.string().nullable(),
  /** What is seen beyond the floor's edge in the open. */
  sky: z.string().nullable().default(null),
});

export const SceneFile = z.strictObject({
  schema: z.literal(1),
  name: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  catalogue: z.string(),
  /** The same classes in other shapes and colours: what a detector has not been made for (`--catalogue second`). */
  second_catalogue: z.string(),
  room: Room,
  /** Where the vehicle starts; its nose points along `yaw_deg` (0 is east). */
  pad: z.strictObject({ at: pair, radius_m: positive, yaw_deg: z.number(), paint: z.string() }),
  /** No furniture or object within this distance of the pad's centre. */
  keep_clear_m: positive,
  fence_margin_m: z.number().nonnegative(),
  /** Where a third person stands to see most of the place; `fov_deg` is across the picture. */
  overview: z.strictObject({ eye_enu_m: triple, target_enu_m: triple, fov_deg: z.number().min(10).max(120) }),
  light: Light,
  /** Other looks of the same place, one of which a seed draws; "as written" is one more of them. */
  variants: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9-]+$/),
        light: Light,
        /** Paints that stand in for others, by name. */
        repaint: z.record(z.string(), z.string()),
      }),
    )
    .readonly()
    .default([]),
  /** Mirrors all that may be mirrored across the x axis in half of the seeds. */
  mirrored: z.boolean(),
  furniture: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]+$/),
        asset: z.string(),
        x: Range,
        y: Range,
        z: Range.default(0),
        yaw_deg: Range,
        mirror: z.boolean().default(true),
        /** On the wall or ceiling: out of the way of flight, so the clear circle does not bind it. */
        decoration: z.boolean().default(false),
        /** Stands over or under other furniture on purpose. */
        stacked: z.boolean().default(false),
        /** Share of the seeds in which it is there at all. */
        share: z.number().min(0).max(1).default(1),
      }),
    )
    .readonly(),
  /** Things at exact places: a tool on its pegs, a bottle behind a door. */
  placed: z
    .array(
      z.strictObject({
        object: z.string(),
        at: triple,
        rpy_deg: triple.default([0, 0, 0]),
        /** Things of one group exchange their places from seed to seed. */
        shuffle: z.string().optional(),
      }),
    )
    .readonly()
    .default([]),
  objects: z
    .array(
      z.strictObject({
        on: z.string(),
        surface: z.string(),
        /** Always there. */
        always: z.array(z.string()).readonly(),
        /** As many more as `extra` says, drawn without repetition; `all` takes every one that is nowhere else yet. */
        maybe: z.array(z.string()).readonly(),
        extra: z.union([pair, z.literal("all")]),
        gap_m: z.number().nonnegative(),
      }),
    )
    .readonly(),
});
export type SceneFile = z.infer<typeof SceneFile>;
