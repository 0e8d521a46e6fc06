import type { CameraHello } from "#contract/camera-wire";
import {
  type GraderHello,
  type GraderObject,
  type GraderSurface,
  type GraderTruth,
  graderPeriod_ms,
  graderSchemaVersion,
} from "#contract/grader-wire";
import type { Simulation } from "../simulation";
import type { FreeBody, Layout, PlacedMover, PlacedSurface } from "../world/layout";
import { linkBody } from "../world/mjcf";
import { aboutAxis, add, type Q4, turn, type V3 } from "../world/rigid";
import type { Part } from "../world/scene-file";

/** Micrometres: far below anything graded, and half the bytes. */
const round = (x: number): number => Math.round(x * 1e6) / 1e6;
const v3 = (v: V3): V3 => [round(v[0]), round(v[1]), round(v[2])];
const q4 = (q: Q4): Q4 => [round(q[0]), round(q[1]), round(q[2]), round(q[3])];

/** What the grader socket says once: the names and classes of everything that can move. */
export function helloOf({ world, camera }: Simulation): GraderHello {
  const { layout, vehicle } = world;
  return {
    kind: "hello",
    schema: graderSchemaVersion,
    scene: layout.scene.name,
    seed: layout.seed,
    vehicle: vehicle.id,
    period_ms: graderPeriod_ms,
    objects: layout.bodies.map(objectOf),
    movers: layout.movers.map(moverOf),
    surfaces: surfacesOf(layout),
    camera: camera === null ? null : lensOf(camera.hello),
  };
}

const lensOf = ({
  intrinsics,
  mount_position_flu_m,
  mount_quat,
  depth_range_m,
}: CameraHello): GraderHello["camera"] => ({
  intrinsics,
  mount_position_flu_m,
  mount_quat,
  depth_range_m,
});

function objectOf(body: FreeBody): GraderObject {
  const { asset, on } = body;
  return {
    name: body.name,
    label: asset.label,
    mass_kg: asset.mass_kg,
    footprint_radius_m: asset.footprint_radius_m,
    height_m: asset.height_m,
    bounds_m: boundsOf(body),
    colour: body.parts[0]?.paint.rgb ?? [0.5, 0.5, 0.5],
    on: on === null ? null : `${on.of}/${on.surface.name}`,
  };
}

function moverOf({ name, mover, at, quat }: PlacedMover): GraderHello["movers"][number] {
  return {
    name,
    joint: mover.joint,
    range: mover.range,
    at_enu_m: v3(add(at, turn(quat, mover.at))),
    axis_enu: v3(turn(quat, mover.axis)),
  };
}

/** The surfaces that objects were placed on, each once. */
function surfacesOf(layout: Layout): GraderSurface[] {
  const used = new Map<string, PlacedSurface>();
  for (const { on } of layout.bodies) if (on !== null) used.set(`${on.of}/${on.surface.name}`, on);
  return [...used].map(([id, { surface, at, yaw_rad }]) => ({
    id,
    centre_enu_m: v3(
      add(at, turn(aboutAxis(2, yaw_rad), [surface.centre[0], surface.centre[1], surface.height_m])),
    ),
    yaw_enu_rad: round(yaw_rad),
    half_m: surface.half,
  }));
}

function boundsOf(body: FreeBody): GraderObject["bounds_m"] {
  const min: [number, number, number] = [0, 0, 0];
  const max: [number, number, number] = [0, 0, 0];
  body.parts.forEach(({ part, at, quat }, i) => {
    const half = halfOf(part);
    const axes = [turn(quat, [half[0], 0, 0]), turn(quat, [0, half[1], 0]), turn(quat, [0, 0, half[2]])];
    for (const k of [0, 1, 2] as const) {
      const reach = axes.reduce((sum, axis) => sum + Math.abs(axis[k]), 0);
      min[k] = i === 0 ? at[k] - reach : Math.min(min[k], at[k] - reach);
      max[k] = i === 0 ? at[k] + reach : Math.max(max[k], at[k] + reach);
    }
  });
  return { min: v3(min), max: v3(max) };
}

function halfOf(part: Part): V3 {
  switch (part.kind) {
    case "box":
    case "ellipsoid":
      return part.half;
    case "sphere":
      return [part.radius, part.radius, part.radius];
    case "cylinder":
      return [part.radius, part.radius, part.half_height];
    case "capsule":
      return [part.radius, part.radius, part.half_height + part.radius];
    case "cone":
    case "vessel": {
      const radius = Math.max(part.radius, part.top_radius);
      return [radius, radius, part.half_height];
    }
  }
}

interface Placed {
  readonly at: V3;
  readonly quat: Q4;
}

/** Nearer than a body that was lifted or slid, further than what the solver leaves when it puts one to sleep. */
function same(a: Placed, b: Placed): boolean {
  const apart_m = Math.hypot(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]);
  const alike = a.quat.reduce((sum, x, i) => sum + x * (b.quat[i] ?? 0), 0);
  return apart_m < 5e-4 && Math.abs(alike) > 0.99999;
}

/** Reads the truth out of a running simulation. Looks only: a world that is graded goes on exactly as one that is not. */
export class TruthReader {
  readonly #simulation: Simulation;
  readonly #movable: readonly string[];
  readonly #last: { readonly id: number; readonly offset: V3 } | null;
  readonly #touched = new Map<string, readonly [string, string]>();
  /** Where each thing came to rest, and what it touched there: sleeping bodies have no contacts in the physics. */
  readonly #resting = new Map<string, Placed & { readonly pairs: readonly (readonly [string, string])[] }>();
  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    const { layout, vehicle } = simulation.world;
    this.#movable = layout.bodies.map((b) => b.name);
    const link = vehicle.arm?.links.at(-1);
    this.#last =
      vehicle.arm === null || link === undefined
        ? null
        : {
            id: simulation.world.bodyId(linkBody(link.name)),
            offset: [vehicle.arm.gripper.reach_m, 0, 0],
          };
  }

  /** Between two truths, often enough that a short touch is not missed. */
  look(): void {
    const pairs = this.#simulation.world.touching.pairs();
    for (const pair of pairs) this.#touched.set(pair.join(" "), pair);
    this.#movable.forEach((name, i) => {
      const here = this.#simulation.world.objectPose(i);
      const own = pairs.filter((pair) => pair.includes(name));
      if (own.length > 0) this.#resting.set(name, { ...here, pairs: own });
      const rested = this.#resting.get(name);
      if (own.length > 0 || rested === undefined || !same(rested, here)) return;
      for (const pair of rested.pairs) this.#touched.set(pair.join(" "), pair);
    });
  }

  /** The truth now, with everything that touched since the truth before. */
  take(): GraderTruth {
    const { world, autopilot } = this.#simulation;
    const truth = world.truth();
    const contacts = [...this.#touched]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([, pair]) => pair);
    this.#touched.clear();
    return {
      kind: "truth",
      t_ms: Math.round(world.time_s * 1000),
      vehicle: {
        position_enu_m: v3(truth.position_enu_m),
        velocity_enu_m_s: v3(truth.velocity_enu_m_s),
        quat_flu_enu: q4(truth.quat_flu_enu),
        rates_flu_rad_s: v3(truth.rates_flu_rad_s),
        armed: autopilot.armed,
        battery: round(truth.battery.remaining),
        rotor_speed_rad_s: truth.rotor_speed_rad_s.map((w) => Math.round(w * 10) / 10),
      },
      arm: this.#arm(),
      objects: this.#movable.map((_, i) => {
        const { at, quat } = world.objectPose(i);
        return { p: v3(at), q: q4(quat) };
      }),
      movers: world.layout.movers.map((_, i) => round(world.moverPosition(i))),
      contacts,
    };
  }

  #arm(): GraderTruth["arm"] {
    const { world } = this.#simulation;
    if (world.arm === null || this.#last === null) return null;
    const reading = world.arm.read();
    const { at, quat } = world.pose(this.#last.id);
    return {
      joints_rad: reading.joints_rad.map(round),
      width_m: round(reading.width_m),
      forces_n: [round(reading.forces_n[0]), round(reading.forces_n[1])],
      grasp_enu_m: v3(add(at, turn(quat, this.#last.offset))),
      grasp_quat: q4(quat),
    };
  }
}
