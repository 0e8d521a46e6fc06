import type { VehicleFile } from "#contract/airframe";
import type { Layout } from "./layout";
import { bodyName, fingerName, fingers, linkBody, vehicleBody } from "./mjcf";
import type { Physics } from "./mujoco";
import { personBody, personPieces } from "./person";

/**
 * Who touches whom, by the names of the grader socket (contract/grader-wire.ts): bodies by theirs, structure by the id of
 * its piece. Touches within one thing (a link on the next) are left out.
 */
export class Touching {
  readonly #physics: Physics;
  readonly #names: readonly string[];

  constructor(physics: Physics, layout: Layout, vehicle: VehicleFile) {
    this.#physics = physics;
    const bodies = new Map<number, string>([[physics.id("body", vehicleBody), "vehicle"]]);
    if (vehicle.arm !== null) {
      for (const link of vehicle.arm.links)
        bodies.set(physics.id("body", linkBody(link.name)), `arm/${link.name}`);
      for (const side of fingers) bodies.set(physics.id("body", fingerName(side)), `finger/${side}`);
    }
    for (const { name } of [...layout.bodies, ...layout.movers])
      bodies.set(physics.id("body", bodyName(name)), name);
    for (const piece of personPieces) bodies.set(physics.id("body", personBody(piece)), "person");
    // The compiler keeps the world's own geoms first and in the order of the text.
    const structure = layout.structures.flatMap((s) =>
      s.parts.filter((p) => p.part.collides).map(() => `structure/${s.id}`),
    );
    this.#names = Array.from(
      physics.model("geom_bodyid"),
      (body, geom) => (body === 0 ? structure[geom] : bodies.get(body)) ?? "unknown",
    );
  }

  /** Each pair once and in order of its names. */
  pairs(): readonly (readonly [string, string])[] {
    const found = new Map<string, readonly [string, string]>();
    for (const [one, other] of this.#physics.contacts()) {
      const [a = "", b = ""] = [this.#names[one] ?? "", this.#names[other] ?? ""].sort();
      if (a !== b) found.set(`${a} ${b}`, [a, b]);
    }
    return [...found.values()];
  }
}
