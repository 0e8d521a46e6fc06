import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import { type Catalogue, FurnitureAsset, ObjectAsset, Paint } from "./scene-file";

/** An object in the shape of another one: a mug in another colour, a bottle with another mass. */
const Likeness = z.strictObject({
  like: z.string(),
  label: z.string().min(1),
  mass_kg: z.number().positive().optional(),
  friction: z.number().positive().optional(),
  /** Paints that stand in for the original's, by name. */
  repaint: z.record(z.string(), z.string()),
});

/**
 * A file resources/scenes/catalogue-*.json. One with a `base` holds only what differs from those catalogues, of which the
 * later ones win: this is how a second asset pack is written, with its own objects and repainted furniture.
 */
export const CatalogueFile = z.strictObject({
  schema: z.literal(1),
  base: z.array(z.string()).readonly().default([]),
  paints: z.record(z.string(), Paint),
  objects: z.record(
    z.string().regex(/^[a-z0-9_]+$/),
    z.union([Likeness, ObjectAsset], {
      error: (issue) => unionError(issue.input),
    }),
  ),
  furniture: z.record(z.string(), FurnitureAsset).default({}),
});
export type CatalogueFile = z.infer<typeof CatalogueFile>;

/** Says what is wrong with the kind of object that was meant, not that it is neither kind. */
function unionError(input: unknown): string {
  const like = typeof input === "object" && input !== null && "like" in input;
  const issue = (like ? Likeness : ObjectAsset).safeParse(input).error?.issues[0];
  if (issue === undefined) return "does not fit";
  return issue.path.length === 0 ? issue.message : `at ${issue.path.map(String).join(".")}: ${issue.message}`;
}

/** Follows a file's references. The error names the path inside the file and what was expected there. */
export function resolveCatalogue(
  file: CatalogueFile,
  bases: readonly Catalogue[],
): Result<Catalogue, string> {
  const paints = merged([...bases.map((b) => b.paints), file.paints]);
  const objects = merged(bases.map((b) => b.objects));
  const furniture = merged([...bases.map((b) => b.furniture), file.furniture]);
  for (const [name, entry] of Object.entries(file.objects)) if (!("like" in entry)) objects[name] = entry;
  for (const [name, entry] of Object.entries(file.objects)) {
    if (!("like" in entry)) continue;
    const original = objects[entry.like];
    if (original === undefined || isLikeness(file, entry.like))
      return err(`at objects.${name}.like: expected an object of this catalogue, not "${entry.like}"`);
    objects[name] = {
      ...original,
      label: entry.label,
      mass_kg: entry.mass_kg ?? original.mass_kg,
      friction: entry.friction ?? original.friction,
      parts: original.parts.map((part) => ({ ...part, paint: entry.repaint[part.paint] ?? part.paint })),
    };
  }
  const catalogue = { paints, objects, furniture };
  const missing = missingPaint(catalogue);
  return missing === null ? ok(catalogue) : err(missing);
}

/** One record of several, the later ones winning. */
function merged<T>(records: readonly Readonly<Record<string, T>>[]): Record<string, T> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
}

const isLikeness = (file: CatalogueFile, name: string): boolean => {
  const entry = file.objects[name];
  return entry !== undefined && "like" in entry;
};

function missingPaint({ paints, objects, furniture }: Catalogue): string | null {
  const assets = [
    ...Object.entries(objects).map(([name, { parts }]) => ({ at: `objects.${name}`, parts })),
    ...Object.entries(furniture).map(([name, { parts, movers }]) => ({
      at: `furniture.${name}`,
      parts: [...parts, ...movers.flatMap((m) => m.parts)],
    })),
  ];
  for (const { at, parts } of assets) {
    const strange = parts.find((part) => paints[part.paint] === undefined);
    if (strange !== undefined) return `at ${at}: expected paints of this catalogue, not "${strange.paint}"`;
  }
  return null;
}
