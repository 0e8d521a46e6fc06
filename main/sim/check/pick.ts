import { invariant } from "#contract/result";
import { aboutAxis, add, conjugate, multiply, scale, subtract, turn, type V3 } from "../world/rigid";
import type { World } from "../world/world";
import { Hand } from "./hand";
import type { Pilot } from "./pilot";
import { reachAhead_rad, reachDown_rad } from "./reach";

export interface PickOutcome {
  readonly lifted: boolean;
  readonly carried_m: number;
  /** Largest deviation of the vehicle from its way while lifting. */
  readonly kick_m: number;
  /** Contact forces on the fingers while carrying, as the companion measures them. */
  readonly forces_n: readonly [number, number];
  /** The shoulder's current before the grasp and while carrying: the load is felt there. */
  readonly shoulder_a: readonly [number, number];
}

/** What to take hold of, and how: everything a program would have measured before it reaches out. */
export interface Grasp {
  /** Joint angles of the reach, held through the whole grasp. */
  readonly joints_rad: readonly number[];
  /** Heading from which it is approached. */
  readonly yaw_rad: number;
  /** Where the grasp centre goes, world. */
  readonly at: V3;
  /** It hangs: raised off its peg by this much first, then drawn back by that much. */
  readonly unhook: { readonly rise_m: number; readonly back_m: number } | null;
  readonly force_n: number;
}

/** Height above any table's things at which the arm may hang while flying there. */
const travel_m = 1.85;

/**
 * A scripted pick by contact and friction alone, from a hover with a running setpoint stream: reach, approach along the
 * gripper's axis, close, lift, carry. Arm and gripper obey TUNNEL commands, the vehicle setpoints; nothing is attached.
 */
export function pickAndCarry(pilot: Pilot, object: number, carry_m: number, asked?: Grasp): PickOutcome {
  const { world } = pilot.simulation;
  const grasp = asked ?? graspOf(world, object);
  const hand = new Hand(pilot);
  hand.reach(grasp.joints_rad);
  const base = world.objectPose(object).at;
  hand.approach(grasp.at, grasp.yaw_rad, 0.16, travel_m);
  hand.advance(grasp.at, 0.16);
  const empty_a = pilot.arm.state?.currents_a[0] ?? 0;
  hand.grip(grasp.force_n);
  const place = grasp.unhook === null ? grasp.at : unhook(hand, grasp, grasp.unhook);
  const before = pilot.position_enu_m;
  let kick_m = 0;
  const up = add(place, [0, 0, 0.25]);
  for (let i = 0; i < 8; i++) {
    hand.lead(up, 0.5, 0.15);
    const now = pilot.position_enu_m;
    kick_m = Math.max(kick_m, Math.hypot(now[0] - before[0], now[1] - before[1]));
  }
  const lifted = world.objectPose(object).at[2] - base[2] > 0.05;
  const from = world.objectPose(object).at;
  const pad = world.layout.scene.pad.at;
  const home = Math.atan2(pad[1] - from[1], pad[0] - from[0]);
  const back = scale([Math.cos(home), Math.sin(home), 0], carry_m);
  hand.lead(add(up, back), carry_m / 0.3 + 4, 0.3);
  const to = world.objectPose(object).at;
  const held = to[2] - base[2] > 0.05;
  const state = pilot.arm.state;
  return {
    lifted,
    carried_m: held ? Math.hypot(to[0] - from[0], to[1] - from[1]) : 0,
    kick_m,
    forces_n: state?.forces_n ?? [0, 0],
    shoulder_a: [empty_a, state?.currents_a[0] ?? 0],
  };
}

/** Half a turn either way that is still flown to, and the step between the headings that are tried. */
const swing_rad = 3.1;
const swingStep_rad = 0.1;

/** Takes the weight until it has come free, then draws back; answers where the grasp centre is led to by then. */
function unhook(hand: Hand, grasp: Grasp, { rise_m, back_m }: NonNullable<Grasp["unhook"]>): V3 {
  const above = (z_m: number): V3 => add(grasp.at, [0, 0, z_m]);
  hand.lead(above(0.2), 8, 0.1, { trim_m: 0.3, stop: () => hand.place[2] > grasp.at[2] + rise_m });
  const away = subtract(above(1.5 * rise_m), scale(hand.ahead(grasp.yaw_rad), back_m));
  hand.lead(away, 1 + back_m / 0.12, 0.15);
  return away;
}

/** How far in front of the grasp centre a face may be, for the palm not to push it. */
const fingerDepth_m = 0.024;

/** A grasp for something that stands on a table: upright, round or a box, from the heading with most room. */
function graspOf(world: World, object: number): Grasp {
  const body = world.layout.bodies[object];
  invariant(body !== undefined, "an object to pick");
  const { at, quat } = world.objectPose(object);
  const height_m = body.asset.height_m;
  const solid = body.asset.parts.find((part) => part.collides);
  const own_rad = Math.atan2(
    2 * (quat[0] * quat[3] + quat[1] * quat[2]),
    1 - 2 * (quat[2] ** 2 + quat[3] ** 2),
  );
  const straight = Math.atan2(
    at[1] - world.truth().position_enu_m[1],
    at[0] - world.truth().position_enu_m[0],
  );
  // The fingers close across the heading: a box is taken across its narrow side, a handle must not come between.
  const across = solid?.kind === "box" ? (solid.half[1] < solid.half[0] ? 0 : Math.PI / 2) : null;
  const headings =
    across === null
      ? Array.from(
          { length: 2 * Math.round(swing_rad / swingStep_rad) + 1 },
          (_, i) => straight - swing_rad + i * swingStep_rad,
        )
      : [own_rad + across, own_rad + across + Math.PI];
  const yaw_rad = best(
    headings,
    (yaw) => room(world, object, yaw) + handleRoom(world, object, yaw) - 0.04 * turnFrom(yaw, straight),
  );
  // The palm must stay clear of the front: the fingers reach past it by this much.
  const depth_m =
    solid?.kind === "box"
      ? Math.max(solid.half[0], solid.half[1])
      : solid?.kind === "cylinder"
        ? solid.radius
        : 0;
  const back_m = Math.max(0, depth_m - fingerDepth_m);
  return {
    joints_rad: reachDown_rad,
    yaw_rad,
    at: [
      at[0] - back_m * Math.cos(yaw_rad),
      at[1] - back_m * Math.sin(yaw_rad),
      at[2] + (height_m > 0.2 ? Math.min(0.6 * height_m, 0.11) : 0.55 * height_m),
    ],
    unhook: null,
    force_n: 20,
  };
}

const turnFrom = (a: number, b: number): number => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

function best(list: readonly number[], worth: (x: number) => number): number {
  return list.reduce((a, b) => (worth(b) > worth(a) ? b : a));
}

/** Room beside the arm on its way in: from the object back along the heading, to the nearest neighbour. */
function room(world: World, object: number, yaw_rad: number): number {
  const here = world.objectPose(object).at;
  const [c, s] = [Math.cos(yaw_rad), Math.sin(yaw_rad)];
  const gaps = world.layout.bodies.map((other, i) => {
    const there = world.objectPose(i).at;
    if (i === object || Math.abs(there[2] - here[2]) > 0.3) return 1;
    const [dx, dy] = [there[0] - here[0], there[1] - here[1]];
    const along = Math.max(-0.45, Math.min(0.05, dx * c + dy * s));
    return Math.hypot(dx - along * c, dy - along * s) - other.asset.footprint_radius_m;
  });
  return Math.min(0.1, ...gaps);
}

/** A handle stands out to one side: less room the nearer it is to a finger. */
function handleRoom(world: World, object: number, yaw_rad: number): number {
  const parts = world.layout.bodies[object]?.asset.parts ?? [];
  const handle = parts.find(
    (part) => part.collides && part.kind === "capsule" && Math.hypot(part.at[0], part.at[1]) > 0.03,
  );
  if (handle === undefined) return 0;
  const out = turn(multiply(conjugate(aboutAxis(2, yaw_rad)), world.objectPose(object).quat), handle.at);
  return -0.3 * Math.abs(out[1] / Math.hypot(out[0], out[1]));
}

/** A tool that hangs on the laboratory's pegboard by its head: its handle is taken a hand below, from in front. */
export function hungTool(world: World, object: number, below_m: number): Grasp {
  const { at } = world.objectPose(object);
  return {
    joints_rad: reachAhead_rad,
    yaw_rad: -Math.PI / 2,
    at: [at[0], at[1], at[2] - below_m],
    unhook: { rise_m: 0.02, back_m: 0.35 },
    force_n: 25,
  };
}
