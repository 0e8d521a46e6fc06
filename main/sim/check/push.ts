import { invariant } from "#contract/result";
import { add, scale, turn, type V3 } from "../world/rigid";
import type { World } from "../world/world";
import { Hand } from "./hand";
import type { Pilot } from "./pilot";
import { reachAhead_rad } from "./reach";

interface PushOutcome {
  /** How far the middle of the pushed face went in, metres. */
  readonly advance_m: number;
  /** How far the carton turned, counter-clockwise seen from above. */
  readonly twist_rad: number;
  /** Degrees of twist per centimetre of advance: the figure of Fly-by-Code's push tests. */
  readonly twist_deg_per_cm: number;
  readonly force_n: number;
}

/** Reaching so far that the closed fingers push, and no further into the shelf than this. */
const push_m = 0.03;

/**
 * Pushes a box on a shelf with the closed fingers, `lateral` of its half width from the middle of its face (positive to the
 * pusher's right, which is the box's +y when it is faced along -x), until it has gone in by `push_m`; then draws back.
 */
export function pushBox(pilot: Pilot, object: number, lateral: number): PushOutcome {
  const { world } = pilot.simulation;
  const solid = world.layout.bodies[object]?.asset.parts[0];
  invariant(solid?.kind === "box", "a box to push");
  const [deep, half, high] = solid.half;
  const face = (): V3 => local(world, object, [deep, 0, high]);
  const yaw0 = turned(world, object);
  const hand = new Hand(pilot);
  hand.reach(reachAhead_rad, 0);
  const heading = Math.atan2(Math.sin(yaw0 + Math.PI), Math.cos(yaw0 + Math.PI));
  const out: V3 = [Math.cos(yaw0), Math.sin(yaw0), 0];
  const touch = local(world, object, [deep, lateral * half, 0.95 * high]);
  const tips_m = hand.arm.gripper.finger_half_m[0];
  const start = face();
  hand.approach(add(touch, scale(out, tips_m)), heading, 0.1, 1.5);
  let force_n = 0;
  const gone = (): number => (start[0] - face()[0]) * out[0] + (start[1] - face()[1]) * out[1];
  for (let t_s = 0; t_s < 40 && gone() < push_m; t_s += 0.5) {
    hand.lead(add(touch, scale(out, tips_m - gone() - 0.03 - 0.01 * t_s)), 0.5, 0.1, {
      trim_m: 0.6,
      yaw_rad: heading,
    });
    force_n = Math.max(force_n, ...(pilot.arm.state?.forces_n ?? []));
  }
  pilot.relax();
  hand.lead(add(touch, scale(out, 0.3)), 5, 2);
  const twist_rad = turned(world, object) - yaw0;
  const advance_m = gone();
  return { advance_m, twist_rad, twist_deg_per_cm: (twist_rad * 180) / Math.PI / (advance_m * 100), force_n };
}

function local(world: World, object: number, point: V3): V3 {
  const { at, quat } = world.objectPose(object);
  return add(at, turn(quat, point));
}

function turned(world: World, object: number): number {
  const [w, x, y, z] = world.objectPose(object).quat;
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}
