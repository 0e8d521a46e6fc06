import type { Q4, V3 } from "./rigid";
import type { Paint, Part } from "./scene-file";

/** A part where it stands: in the world for structure, in its body's frame for movable objects. */
export interface PlacedPart {
  readonly part: Part;
  readonly paint: Paint;
  readonly at: V3;
  readonly quat: Q4;
}

/** `sky` is a picture: no station is told of it. */
export type Role = "floor" | "wall" | "ceiling" | "furniture" | "pad" | "sky";

export interface Structure {
  readonly id: string;
  readonly role: Role;
  readonly parts: readonly PlacedPart[];
}
