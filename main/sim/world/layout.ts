import { err, ok, type Result } from "#contract/result";
import type { PlacedPart, Structure } from "./placed";
import { Random } from "./random";
import { aboutAxis, add, fromRpy, identity, multiply, type Q4, radians, turn, type V3 } from "./rigid";
import { room } from "./room";
import type { Catalogue, Mover, ObjectAsset, Paint, Part, SceneFile, Surface } from "./scene-file";

export interface FreeBody {
  readonly name: string;
  readonly asset: ObjectAsset;
  readonly at: V3;
  readonly quat: Q4;
  /** In the body's own frame. */
  readonly parts: readonly PlacedPart[];
  /** The surface it was placed on; null for a thing at an exact place. */
  readonly on: PlacedSurface | null;
}

/** A part of furniture that moves in a joint; `at` and `quat` are the furniture's, parts and joint are in its frame. */
export interface PlacedMover {
  readonly name: string;
  readonly mover: Mover;
  readonly at: V3;
  readonly quat: Q4;
  readonly parts: readonly PlacedPart[];
}

export interface PlacedSurface {
  readonly of: string;
  readonly surface: Surface;
  readonly at: V3;
  readonly yaw_rad: number;
}

/** A scene for one seed: what stands where before anything moves. Light and paints are those of the seed's variant. */
export interface Layout {
  readonly scene: SceneFile;
  readonly seed: number;
  readonly structures: readonly Structure[];
  readonly bodies: readonly FreeBody[];
  readonly movers: readonly PlacedMover[];
}

const tries = 400;

/** Draws the scene of a seed. The error says which thing found no place. */
export function layOut(file: SceneFile, catalogue: Catalogue, seed: number): Result<Layout, string> {
  const random = new Random(seed, `layout ${file.name}`);
  const looks = [null, ...file.variants];
  const look = new Random(seed, `look ${file.name}`).pick(looks);
  const scene = look === null ? file : { ...file, light: look.light };
  const paintOf = (name: string): Paint => {
    const paint = catalogue.paints[look?.repaint[name] ?? name];
    if (paint === undefined) throw new Misfit(`paint "${name}" is not in ${scene.catalogue}`);
    return paint;
  };
  const placedParts = (parts: readonly Part[], at: V3, quat: Q4): PlacedPart[] =>
    parts.map((part) => {
      const own = part.rpy_deg;
      const turned =
        own === undefined ? identity : fromRpy(radians(own[0]), radians(own[1]), radians(own[2]));
      return {
        part,
        paint: paintOf(part.paint),
        at: add(at, turn(quat, part.at)),
        quat: multiply(quat, turned),
      };
    });
  try {
    const mirror = scene.mirrored && random.unit() < 0.5 ? -1 : 1;
    const structures: Structure[] = room(scene, paintOf);
    const surfaces: PlacedSurface[] = [];
    const movers: PlacedMover[] = [];
    for (const entry of scene.furniture) {
      const asset = catalogue.furniture[entry.asset];
      if (asset === undefined) throw new Misfit(`furniture "${entry.asset}" is not in ${scene.catalogue}`);
      const side = entry.mirror ? mirror : 1;
      // What is not always there draws from a stream of its own, so that its coming or going moves nothing else.
      const own = entry.share < 1 ? new Random(seed, `layout ${scene.name}/${entry.id}`) : random;
      if (entry.share < 1 && own.unit() >= entry.share) continue;
      let placed: Structure | null = null;
      for (let i = 0; i < tries && placed === null; i++) {
        const at: V3 = [draw(entry.x, own), side * draw(entry.y, own), draw(entry.z, own)];
        const yaw_rad = radians(side * draw(entry.yaw_deg, own));
        const parts = placedParts(asset.parts, at, aboutAxis(2, yaw_rad));
        if (!entry.decoration && parts.some((p) => tooNear(p, scene))) continue;
        const alone = !entry.decoration && !entry.stacked;
        if (alone && structures.some((s) => s.role === "furniture" && overlaps(s.parts, parts))) continue;
        placed = { id: entry.id, role: "furniture", parts };
        for (const mover of asset.movers)
          movers.push({
            name: `${entry.id}-${mover.name}`,
            mover,
            at,
            quat: aboutAxis(2, yaw_rad),
            parts: placedParts(mover.parts, [0, 0, 0], identity),
          });
        for (const surface of asset.surfaces) surfaces.push({ of: entry.id, surface, at, yaw_rad });
      }
      if (placed === null) throw new Misfit(`furniture "${entry.id}" finds no free place`);
      structures.push(placed);
    }
    const bodies = placeObjects(scene, seed, catalogue, surfaces, placedParts, random);
    return ok({ scene, seed, structures, bodies, movers });
  } catch (error) {
    if (error instanceof Misfit) return err(`scene "${scene.name}", seed ${seed}: ${error.message}`);
    throw error;
  }
}

class Misfit extends Error {}

function draw(range: number | readonly [number, number], random: Random): number {
  return typeof range === "number" ? range : random.between(range[0], range[1]);
}

type Place = (parts: readonly Part[], at: V3, quat: Q4) => PlacedPart[];

function placeObjects(
  scene: SceneFile,
  seed: number,
  catalogue: Catalogue,
  surfaces: readonly PlacedSurface[],
  place: Place,
  random: Random,
): FreeBody[] {
  const bodies: FreeBody[] = [];
  const used = new Set<string>(scene.objects.flatMap((group) => group.always));
  for (const group of scene.objects) {
    const under = scene.furniture.find((f) => f.id === group.on);
    const on = surfaces.find((s) => s.of === group.on && s.surface.name === group.surface);
    if (
      on === undefined &&
      under !== undefined &&
      under.share < 1 &&
      !surfaces.some((s) => s.of === group.on)
    )
      continue;
    if (on === undefined) throw new Misfit(`there is no surface "${group.surface}" on "${group.on}"`);
    const extra = group.extra === "all" ? group.maybe.length : random.integer(group.extra[0], group.extra[1]);
    const drawn = random.shuffle(group.maybe.filter((name) => !used.has(name))).slice(0, extra);
    for (const name of drawn) used.add(name);
    const assets = [...group.always, ...drawn].map((name) => {
      const asset = catalogue.objects[name];
      if (asset === undefined) throw new Misfit(`object "${name}" is not in ${scene.catalogue}`);
      return { name, asset };
    });
    const spots = pack(assets, on.surface, group.gap_m, random);
    assets.forEach(({ name, asset }, i) => {
      const spot = spots[i];
      if (spot === undefined) throw new Misfit(`"${name}" finds no room on "${group.on}"`);
      const base = aboutAxis(2, on.yaw_rad);
      const local: V3 = [spot.x, spot.y, on.surface.height_m];
      const quat = aboutAxis(2, on.yaw_rad + radians(random.between(-asset.yaw_deg, asset.yaw_deg)));
      bodies.push({
        name: numbered(name, bodies),
        asset,
        at: add(on.at, turn(base, local)),
        quat,
        parts: place(asset.parts, [0, 0, 0], identity),
        on,
      });
    });
  }
  for (const { object, at, rpy_deg } of shuffled(scene, seed)) {
    const asset = catalogue.objects[object];
    if (asset === undefined) throw new Misfit(`object "${object}" is not in ${scene.catalogue}`);
    const quat = fromRpy(radians(rpy_deg[0]), radians(rpy_deg[1]), radians(rpy_deg[2]));
    const name = numbered(object, bodies);
    bodies.push({ name, asset, at, quat, parts: place(asset.parts, [0, 0, 0], identity), on: null });
  }
  return bodies;
}

/** The things at exact places, those of one group with their places exchanged. */
function shuffled(scene: SceneFile, seed: number): SceneFile["placed"] {
  const groups = new Set(scene.placed.flatMap((p) => p.shuffle ?? []));
  const next = new Map<string, SceneFile["placed"][number][]>();
  for (const group of groups) {
    const random = new Random(seed, `shuffle ${scene.name}/${group}`);
    next.set(group, random.shuffle(scene.placed.filter((p) => p.shuffle === group)));
  }
  return scene.placed.map((p) => {
    const place = p.shuffle === undefined ? undefined : next.get(p.shuffle)?.pop();
    return place === undefined ? p : { ...p, at: place.at, rpy_deg: place.rpy_deg };
  });
}

/** A second cup is `cup-2`. */
function numbered(name: string, bodies: readonly FreeBody[]): string {
  const copies = bodies.filter((b) => b.name === name || b.name.startsWith(`${name}-`)).length;
  return copies === 0 ? name : `${name}-${copies + 1}`;
}

/** Places circles on a surface so that they keep their gap; starts over when it has painted itself into a corner. */
function pack(
  assets: readonly { readonly name: string; readonly asset: ObjectAsset }[],
  surface: Surface,
  gap_m: number,
  random: Random,
): { x: number; y: number }[] {
  const order = assets.map((_, i) => i).sort((a, b) => radius(assets, b) - radius(assets, a));
  for (let round = 0; round < 40; round++) {
    const spots: { x: number; y: number }[] = [];
    const done: number[] = [];
    for (const i of order) {
      const r = radius(assets, i);
      for (let t = 0; t < 60; t++) {
        const spot = randomOn(surface, r, random);
        const free = done.every((j) => {
          const other = spots[j];
          return (
            other !== undefined &&
            Math.hypot(other.x - spot.x, other.y - spot.y) >= r + radius(assets, j) + gap_m
          );
        });
        if (!free) continue;
        spots[i] = spot;
        done.push(i);
        break;
      }
      if (done[done.length - 1] !== i) break;
    }
    if (done.length === assets.length) return spots;
  }
  throw new Misfit(`${assets.length} objects do not fit on surface "${surface.name}"`);
}

const radius = (assets: readonly { readonly asset: ObjectAsset }[], i: number): number =>
  assets[i]?.asset.footprint_radius_m ?? 0;

function randomOn(surface: Surface, r: number, random: Random): { x: number; y: number } {
  const [cx, cy] = surface.centre;
  if (surface.half.length === 1) {
    const reach = Math.max(0, surface.half[0] - r) * Math.sqrt(random.unit());
    const angle = random.between(-Math.PI, Math.PI);
    return { x: cx + reach * Math.cos(angle), y: cy + reach * Math.sin(angle) };
  }
  const hx = Math.max(0, surface.half[0] - r);
  const hy = Math.max(0, surface.half[1] - r);
  return { x: cx + random.between(-hx, hx), y: cy + random.between(-hy, hy) };
}

/** Radius of the circle (seen from above) that holds a part. */
export function reachXY(part: Part): number {
  switch (part.kind) {
    case "box":
      return Math.hypot(part.half[0], part.half[1], part.rpy_deg === undefined ? 0 : part.half[2]);
    case "ellipsoid":
      return Math.max(part.half[0], part.half[1], part.half[2]);
    case "sphere":
      return part.radius;
    case "capsule":
    case "cylinder":
      return part.rpy_deg === undefined ? part.radius : part.radius + part.half_height;
    case "cone":
    case "vessel":
      return Math.max(part.radius, part.top_radius);
  }
}

/** Horizontal distance from a point to a part (boxes exactly, the rest by their circle). */
export function distanceXY(placed: PlacedPart, x: number, y: number): number {
  const dx = x - placed.at[0];
  const dy = y - placed.at[1];
  if (placed.part.kind !== "box" || placed.part.rpy_deg !== undefined)
    return Math.max(0, Math.hypot(dx, dy) - reachXY(placed.part));
  const yaw = 2 * Math.atan2(placed.quat[3], placed.quat[0]);
  const lx = Math.abs(Math.cos(yaw) * dx + Math.sin(yaw) * dy) - placed.part.half[0];
  const ly = Math.abs(-Math.sin(yaw) * dx + Math.cos(yaw) * dy) - placed.part.half[1];
  return Math.hypot(Math.max(0, lx), Math.max(0, ly));
}

const tooNear = (placed: PlacedPart, scene: SceneFile): boolean =>
  distanceXY(placed, scene.pad.at[0], scene.pad.at[1]) < scene.keep_clear_m;

/** Coarse: the enclosing circles of the largest parts must not meet; furniture stands apart by more than that anyway. */
function overlaps(a: readonly PlacedPart[], b: readonly PlacedPart[]): boolean {
  return a.some((pa) =>
    b.some((pb) => distanceXY(pa, pb.at[0], pb.at[1]) <= 0.02 || distanceXY(pb, pa.at[0], pa.at[1]) <= 0.02),
  );
}
