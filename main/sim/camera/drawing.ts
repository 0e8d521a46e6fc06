import type { AirframeShape, VehicleFile } from "#contract/airframe";
import type { Layout } from "../world/layout";
import { bodyName, fingerName, fingers, linkBody, vehicleBody } from "../world/mjcf";
import { personBody, personParts, personPieces } from "../world/person";
import type { PlacedPart } from "../world/placed";
import { add, identity, norm, type Q4, scale, subtract, turn, type V3, zOnto } from "../world/rigid";
import type { Paint, Part } from "../world/scene-file";
import { type Mesh, meshOf } from "./mesh";
import { patterns } from "./patterns";
import { type Material, materialOf } from "./textures";

/** What moves as one: the structure (fixed), one movable object, the vehicle or one of its links. */
export type Carrier =
  | { readonly kind: "structure" }
  | { readonly kind: "object"; readonly body: string }
  | { readonly kind: "vehicle"; readonly body: string };

export interface Item {
  readonly carrier: Carrier;
  readonly material: number;
  readonly casts: boolean;
  /** Ranges in the drawing's vertex and triangle arrays. */
  readonly vertex: number;
  readonly vertices: number;
  readonly triangle: number;
  readonly triangles: number;
  /** Enclosing sphere in the carrier's frame. */
  readonly centre: V3;
  readonly radius_m: number;
  /** Texture coordinates are in metres and repeat. */
  readonly texels_per_m: number;
}

/** All triangles of a scene in arrays, carriers' frames; made once. */
export interface Drawing {
  readonly items: readonly Item[];
  readonly materials: readonly Material[];
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly uvs: Float32Array;
  readonly triangles: Uint32Array;
  readonly itemOfTriangle: Uint16Array;
}

export interface Solid {
  readonly part: Part;
  readonly paint: Paint;
  readonly at: V3;
  readonly quat: Q4;
}

/** The structure alone. */
export function drawStructures(layout: Layout): Drawing {
  return structures(layout).done();
}

export function drawScene(layout: Layout, vehicle: VehicleFile): Drawing {
  const assembly = structures(layout);
  for (const body of layout.bodies)
    for (const part of body.parts) assembly.add({ kind: "object", body: bodyName(body.name) }, part, true);
  for (const mover of layout.movers)
    for (const part of mover.parts) assembly.add({ kind: "object", body: bodyName(mover.name) }, part, true);
  const person = personParts(layout.seed);
  for (const piece of personPieces)
    for (const part of person[piece]) assembly.add({ kind: "object", body: personBody(piece) }, part, true);
  for (const [body, solid] of vehicleSolids(vehicle)) assembly.add({ kind: "vehicle", body }, solid, true);
  return assembly.done();
}

function structures(layout: Layout): Assembly {
  const assembly = new Assembly(layout.seed);
  for (const structure of layout.structures) {
    for (const part of structure.parts) {
      // Lamps hang where the light comes from.
      const casts = structure.role === "furniture" && part.at[2] < layout.scene.room.max[2] - 0.1;
      assembly.add({ kind: "structure" }, part, casts);
    }
  }
  return assembly;
}

class Assembly {
  readonly #items: Item[] = [];
  readonly #materials: Material[] = [];
  readonly #keys = new Map<string, number>();
  readonly #meshes: { mesh: Mesh; at: V3; quat: Q4; perMetre: number }[] = [];
  readonly #seed: number;
  #vertices = 0;
  #triangles = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  add(carrier: Carrier, placed: PlacedPart | Solid, casts: boolean): void {
    if (!placed.part.visible) return;
    const info = patterns[placed.paint.pattern];
    const mesh = meshOf(placed.part, info.tile_m !== null);
    const material = this.#material(placed.paint);
    const perMetre = info.tile_m === null ? 1 : 1 / info.tile_m;
    const extent = info.tile_m ?? mesh.span_m;
    this.#items.push({
      carrier,
      material,
      casts,
      vertex: this.#vertices,
      vertices: mesh.positions.length / 3,
      triangle: this.#triangles,
      triangles: mesh.triangles.length / 3,
      centre: placed.at,
      radius_m: furthest(mesh.positions),
      texels_per_m: info.width / extent,
    });
    this.#meshes.push({ mesh, at: placed.at, quat: placed.quat, perMetre });
    this.#vertices += mesh.positions.length / 3;
    this.#triangles += mesh.triangles.length / 3;
  }

  done(): Drawing {
    const positions = new Float32Array(this.#vertices * 3);
    const normals = new Float32Array(this.#vertices * 3);
    const uvs = new Float32Array(this.#vertices * 2);
    const triangles = new Uint32Array(this.#triangles * 3);
    const itemOfTriangle = new Uint16Array(this.#triangles);
    this.#items.forEach((item, i) => {
      const source = this.#meshes[i];
      if (source === undefined) throw new Error("Invariant: one mesh per item");
      const { mesh, at, quat, perMetre } = source;
      for (let k = 0; k < item.vertices; k++) {
        const p = add(at, turn(quat, triple(mesh.positions, k)));
        positions.set(p, (item.vertex + k) * 3);
        normals.set(turn(quat, triple(mesh.normals, k)), (item.vertex + k) * 3);
        uvs[(item.vertex + k) * 2] = (mesh.uvs[k * 2] ?? 0) * perMetre;
        uvs[(item.vertex + k) * 2 + 1] = (mesh.uvs[k * 2 + 1] ?? 0) * perMetre;
      }
      mesh.triangles.forEach((v, k) => {
        triangles[item.triangle * 3 + k] = item.vertex + v;
      });
      itemOfTriangle.fill(i, item.triangle, item.triangle + item.triangles);
    });
    return {
      items: this.#items,
      materials: this.#materials,
      positions,
      normals,
      uvs,
      triangles,
      itemOfTriangle,
    };
  }

  #material(paint: Paint): number {
    const key = JSON.stringify(paint);
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#materials.push(materialOf(paint, this.#seed));
    this.#keys.set(key, this.#materials.length - 1);
    return this.#materials.length - 1;
  }
}

const triple = (a: Float32Array, k: number): V3 => [a[k * 3] ?? 0, a[k * 3 + 1] ?? 0, a[k * 3 + 2] ?? 0];

function furthest(positions: Float32Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const p = triple(positions, i / 3);
    most = Math.max(most, norm(p));
  }
  return most;
}

const plain = (rgb: readonly [number, number, number], gloss = 0.35): Paint => ({
  rgb: [rgb[0], rgb[1], rgb[2]],
  pattern: "plain",
  gloss,
  depth_loss: 0,
});

const seen = { paint: "", collides: false, visible: true, at: [0, 0, 0] as V3 };

function capsuleBetween(from: V3, to: V3, radius: number, paint: Paint): Solid {
  const along = subtract(to, from);
  return {
    part: { kind: "capsule", radius, half_height: norm(along) / 2, ...seen },
    paint,
    at: add(from, scale(along, 0.5)),
    quat: zOnto(along),
  };
}

function airframeSolid(shape: AirframeShape): Solid {
  const paint = plain(shape.colour);
  const [a, , c] = shape.half_m;
  const at = shape.at_flu_m;
  switch (shape.kind) {
    case "capsule":
      return capsuleBetween(at, shape.to_flu_m ?? at, a, paint);
    case "sphere":
      return { part: { kind: "sphere", radius: a, ...seen }, paint, at, quat: identity };
    case "cylinder":
      return { part: { kind: "cylinder", radius: a, half_height: c, ...seen }, paint, at, quat: identity };
    case "box":
      return { part: { kind: "box", half: shape.half_m, ...seen }, paint, at, quat: identity };
  }
}

/** The aircraft as seen from outside: airframe, legs, propellers at rest, arm, fingers. */
function vehicleSolids(vehicle: VehicleFile): (readonly [string, Solid])[] {
  const solids: (readonly [string, Solid])[] = [];
  const body = (solid: Solid): void => void solids.push([vehicleBody, solid]);
  for (const shape of vehicle.base.shapes) body(airframeSolid(shape));
  for (const leg of vehicle.legs.list)
    body(
      capsuleBetween(leg.from_flu_m, leg.foot_flu_m, vehicle.legs.tube_radius_m, plain(vehicle.legs.colour)),
    );
  const blade = plain([0.08, 0.08, 0.09]);
  vehicle.rotors.list.forEach((rotor, i) => {
    const part: Part = { kind: "box", half: [vehicle.rotors.radius_m, 0.011, 0.0015], ...seen };
    const quat: Q4 = [Math.cos(i * 0.7), 0, 0, Math.sin(i * 0.7)];
    body({ part, paint: blade, at: rotor.position_flu_m, quat });
  });
  const arm = vehicle.arm;
  if (arm === null) return solids;
  const metal = plain([0.72, 0.73, 0.76], 0.5);
  for (const link of arm.links)
    solids.push([
      linkBody(link.name),
      capsuleBetween([0, 0, 0], link.next_m ?? [link.length_m, 0, 0], link.radius_m, metal),
    ]);
  for (const side of fingers) {
    const part: Part = { kind: "box", half: arm.gripper.finger_half_m, ...seen };
    solids.push([
      fingerName(side),
      { part, paint: plain([0.12, 0.12, 0.13]), at: [0, 0, 0], quat: identity },
    ]);
  }
  return solids;
}
