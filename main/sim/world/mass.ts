import type { PlacedPart } from "./placed";

/** Volume of a primitive, cubic metres. */
export function volume(part: PlacedPart["part"]): number {
  switch (part.kind) {
    case "box":
      return 8 * part.half[0] * part.half[1] * part.half[2];
    case "ellipsoid":
      return (4 / 3) * Math.PI * part.half[0] * part.half[1] * part.half[2];
    case "sphere":
      return (4 / 3) * Math.PI * part.radius ** 3;
    case "cylinder":
      return 2 * Math.PI * part.radius ** 2 * part.half_height;
    case "capsule":
      return Math.PI * part.radius ** 2 * (2 * part.half_height + (4 / 3) * part.radius);
    case "cone":
    case "vessel": {
      const { radius: a, top_radius: b, half_height: h } = part;
      return ((2 * Math.PI * h) / 3) * (a * a + a * b + b * b);
    }
  }
}

/** Shares a body's mass among its solids by volume, so that its centre of mass and inertia follow from its shape. */
export function distributeMass(parts: readonly PlacedPart[], mass_kg: number): number[] {
  const volumes = parts.map((p) => volume(p.part));
  const total = volumes.reduce((a, b) => a + b, 0);
  return volumes.map((v) => (mass_kg * v) / total);
}
