import type { Q4, V3 } from "./rigid";
import type { Paint, Part } from "./scene-file";

/** A part where it stands: in the world for structure, in its body's frame for movable objects. */
export interface PlacedPart {
  readonly part: Part;
  readonly paint: Paint;
  readonly at: V3;
  readonly quat: Q4;
}

export type Role = "floor" | "wall" | "ceiling" | "furniture" | "pad";

export interface Structure {
  readonly id: string;
  readonly role: Role;
  readonly parts: readonly PlacedPart[];
}
