import { invariant } from "#contract/result";
import type { PlacedMover } from "../world/layout";
import { bodyName } from "../world/mjcf";
import {
  add,
  conjugate,
  cross,
  multiply,
  norm,
  type Q4,
  scale,
  subtract,
  turn,
  type V3,
} from "../world/rigid";
import type { World } from "../world/world";
import { Hand } from "./hand";
import type { Pilot } from "./pilot";
import { reachAhead_rad } from "./reach";

interface OpenOutcome {
  /** Both fingers had hold of the handle. */
  readonly held: boolean;
  /** How far it was open when it was let go, and a little later: radians or metres. */
  readonly opened: number;
  readonly left: number;
  /** Contact forces on the fingers while pulling. */
  readonly forces_n: readonly [number, number];
  /** Largest tilt of the vehicle on the way, radians. */
  readonly tilt_rad: number;
}

/**
 * The hand is led along the handle's way, ahead of where it is: by little at first. The position controller is a spring of
 * 7 N/m sideways, and what is lacking is added up in the setpoint, by at most `lead_m`.
 */
const pull_m_s = 0.03;
const ahead_m = 0.1;
const lead_m = 0.9;
const pullMost_s = 45;
/** How far past the grasp centre the handle is. */
const tip_m = 0.017;

/**
 * Opens a door or drawer by its handle, by contact alone: takes it between the fingers and leads it along the way that the
 * hinge or slide leaves it, the vehicle turning with a door.
 */
export function openMover(pilot: Pilot, name: string, amount: number): OpenOutcome {
  const { world } = pilot.simulation;
  const mover = world.layout.movers.find((m) => m.name === name);
  invariant(mover !== undefined, `there is a "${name}" to open`);
  const way = wayOf(mover);
  const hand = new Hand(pilot);
  const [shoulder = 0, elbow = 0, wrist = 0] = reachAhead_rad;
  hand.reach([shoulder, elbow, wrist, way.roll_rad]);
  hand.approach(way.at(0), way.yaw(0), 0.14, 1.7);
  hand.advance(way.at(0), 0.14);
  hand.grip(25);
  const held = pilot.arm.state?.holding === true;
  let tilt_rad = 0;
  let forces_n: readonly [number, number] = [0, 0];
  for (let t_s = 0; t_s < pullMost_s && openness(world, mover) < amount; t_s += 0.25) {
    const open = openness(world, mover);
    const ahead = open + Math.min(ahead_m, 0.02 + pull_m_s * t_s) / way.reach_m;
    hand.lead(way.at(ahead), 0.25, 0.25, { yaw_rad: way.yaw(open + 0.03), trim_m: lead_m });
    const [w, x, y, z] = world.truth().quat_flu_enu;
    tilt_rad = Math.max(tilt_rad, Math.acos(Math.min(1, w * w - x * x - y * y + z * z)));
    forces_n = pilot.arm.state?.forces_n ?? forces_n;
  }
  const opened = openness(world, mover);
  hand.lead(way.at(opened), 3, 0.1, { trim_m: lead_m });
  hand.release();
  hand.lead(add(hand.place, scale(hand.ahead(pilot.yaw_enu_rad), -0.2)), 4, 0.15);
  return { held, opened, left: openness(world, mover), forces_n, tilt_rad };
}

/** How far a door or drawer is open now: radians or metres. */
function openness(world: World, { name, mover, at, quat }: PlacedMover): number {
  const now = world.pose(world.bodyId(bodyName(name)));
  const axis = turn(quat, mover.axis);
  if (mover.joint === "slide") {
    const gone = subtract(now.at, at);
    return gone[0] * axis[0] + gone[1] * axis[1] + gone[2] * axis[2];
  }
  const [w, x, y, z] = multiply(now.quat, conjugate(quat));
  return 2 * Math.atan2(x * axis[0] + y * axis[1] + z * axis[2], w);
}

interface Way {
  /** Where the handle is when it is open by so much, and the heading that faces it. */
  at(open: number): V3;
  yaw(open: number): number;
  /** Metres the handle goes per unit of opening. */
  readonly reach_m: number;
  /** How the gripper is turned about its own axis. */
  readonly roll_rad: number;
}

/** The handle is taken by the front half of the fingers: behind it the door leaves little room for their tips. */
const taken = (handle: V3, yaw_rad: number): V3 =>
  add(handle, [-tip_m * Math.cos(yaw_rad), -tip_m * Math.sin(yaw_rad), 0]);

/** The heading that faces a front: against that of the furniture's own axes which the handle first moves along. */
function facing(quat: Q4, out: V3): number {
  const own = turn(quat, [1, 0, 0]);
  const base = Math.atan2(own[1], own[0]);
  const quarter = Math.PI / 2;
  return base + quarter * Math.round((Math.atan2(-out[1], -out[0]) - base) / quarter);
}

/** A knob is taken from its sides; a bar that lies across, from above and below. */
function wayOf(placed: PlacedMover): Way {
  const { mover, parts, at, quat } = placed;
  const knob = parts.find((p) => p.part.kind === "sphere");
  const bar = parts.find((p) => p.part.kind === "capsule" && p.part.half_height > 0.03);
  const handle = knob ?? bar;
  invariant(handle !== undefined, `"${placed.name}" has a handle`);
  const shut = add(at, turn(quat, handle.at));
  const axis = turn(quat, mover.axis);
  const roll_rad = knob === undefined ? Math.PI / 2 : 0;
  if (mover.joint === "slide") {
    const yaw_rad = Math.atan2(-axis[1], -axis[0]);
    return {
      at: (open) => add(taken(shut, yaw_rad), scale(axis, open)),
      yaw: () => yaw_rad,
      reach_m: 1,
      roll_rad,
    };
  }
  const hinge = add(at, turn(quat, mover.at));
  const arm = subtract(shut, hinge);
  const level: V3 = [arm[0], arm[1], 0];
  const yaw_rad = facing(quat, cross(axis, level));
  const sense = Math.sign(axis[2]);
  const turned = (open: number): Q4 => [Math.cos(open / 2), 0, 0, sense * Math.sin(open / 2)];
  return {
    at: (open) => add(hinge, turn(turned(open), subtract(taken(shut, yaw_rad), hinge))),
    yaw: (open) => yaw_rad + sense * open,
    reach_m: norm(level),
    roll_rad,
  };
}
