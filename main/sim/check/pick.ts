import { invariant } from "#contract/result";
import { add, scale, subtract, turn, type V3 } from "../world/rigid";
import type { Pilot } from "./pilot";
import { graspCentre, reachDown_rad } from "./reach";

export interface PickOutcome {
  readonly lifted: boolean;
  readonly carried_m: number;
  /** Largest deviation of the vehicle from its way while lifting. */
  readonly kick_m: number;
  /** Contact forces on the fingers while carrying. */
  readonly forces_n: readonly [number, number];
}

/**
 * A scripted pick by contact and friction alone, from a hover with a running setpoint stream: reach, approach along the
 * gripper's axis, close, lift, carry back. The arm is moved by its servos, the vehicle by setpoints; nothing is attached.
 */
export function pickAndCarry(pilot: Pilot, object: number, carry_m: number): PickOutcome {
  const { world } = pilot.simulation;
  const arm = world.vehicle.arm;
  const servos = world.arm;
  const body = world.layout.bodies[object];
  invariant(
    arm !== null && servos !== null && body !== undefined,
    "a vehicle with an arm and an object to pick",
  );
  servos.grip(2 * arm.gripper.stroke_m);
  servos.aim(reachDown_rad);
  pilot.run(4);
  const tool = graspCentre(arm, reachDown_rad);
  const ahead = turn(tool.quat, [1, 0, 0]);
  const base = world.objectPose(object).at;
  const grasp: V3 = [base[0], base[1], base[2] + Math.min(0.55 * body.asset.height_m, 0.07)];
  const goal = subtract(grasp, tool.at);
  pilot.servo(add(subtract(goal, scale(ahead, 0.3)), [0, 0, 0.1]), 9, 0.4);
  pilot.servo(subtract(goal, scale(ahead, 0.16)), 6, 0.2);
  pilot.servo(goal, 8, 0.04);
  servos.grip(0, 20);
  pilot.run(1.5);
  const before = pilot.position_enu_m;
  let kick_m = 0;
  const up = add(goal, [0, 0, 0.25]);
  const watch = (): void => {
    const now = pilot.position_enu_m;
    kick_m = Math.max(kick_m, Math.hypot(now[0] - before[0], now[1] - before[1]));
  };
  for (let i = 0; i < 8; i++) {
    pilot.servo(up, 0.5, 0.15);
    watch();
  }
  const lifted = world.objectPose(object).at[2] - base[2] > 0.05;
  const from = world.objectPose(object).at;
  pilot.servo(add(up, [-carry_m, 0, 0]), carry_m / 0.3 + 4, 0.3);
  const to = world.objectPose(object).at;
  const held = to[2] - base[2] > 0.05;
  return {
    lifted,
    carried_m: held ? Math.hypot(to[0] - from[0], to[1] - from[1]) : 0,
    kick_m,
    forces_n: servos.read().forces_n,
  };
}
