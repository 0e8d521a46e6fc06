import type { VehicleFile } from "#contract/airframe";
import { wrapPi } from "#contract/frames";
import { invariant } from "#contract/result";
import { aboutAxis, add, multiply, scale, subtract, turn, type V3 } from "../world/rigid";
import type { Pilot, ServoOptions } from "./pilot";
import { graspCentre } from "./reach";

/**
 * Arm, gripper and vehicle led as one tool, by the messages a station would send: joints and gripper by TUNNEL, the vehicle
 * by setpoints. Where the tool is follows from the vehicle's pose and the joint angles that the companion reports.
 */
export class Hand {
  readonly pilot: Pilot;
  readonly arm: NonNullable<VehicleFile["arm"]>;
  #joints: readonly number[];

  constructor(pilot: Pilot) {
    const { arm } = pilot.simulation.world.vehicle;
    invariant(arm !== null, "a vehicle with an arm");
    this.pilot = pilot;
    this.arm = arm;
    this.#joints = arm.stowed_rad;
  }

  /** Reaches out with the gripper open, and waits until it has. */
  reach(joints_rad: readonly number[], width_m = 2 * this.arm.gripper.stroke_m): void {
    this.#joints = joints_rad;
    this.pilot.arm.order({ kind: "gripper", width_m, force_n: 10 });
    this.pilot.arm.order({ kind: "joints", joints_rad, speed_share: 1 });
    this.pilot.run(1);
    this.pilot.until(8, () => this.pilot.arm.state?.moving === false);
  }

  /** From the body's origin to the grasp centre, in the world, for a level vehicle on this heading. */
  offset(yaw_rad: number): V3 {
    return turn(aboutAxis(2, yaw_rad), graspCentre(this.arm, this.#joints).at);
  }

  /** The gripper's axis in the world for a level vehicle on this heading. */
  ahead(yaw_rad: number): V3 {
    return turn(multiply(aboutAxis(2, yaw_rad), graspCentre(this.arm, this.#joints).quat), [1, 0, 0]);
  }

  /** Grasp centre in the world as it is now. */
  get place(): V3 {
    const { position_enu_m, quat_flu_enu } = this.pilot.simulation.world.truth();
    const joints = this.pilot.arm.state?.joints_rad ?? this.#joints;
    return add(position_enu_m, turn(quat_flu_enu, graspCentre(this.arm, joints).at));
  }

  /** Leads the grasp centre to a place. */
  lead(goal: V3, seconds: number, speed_m_s: number, options: ServoOptions = {}): void {
    const { pilot } = this;
    const yaw_rad = options.yaw_rad ?? pilot.yaw_enu_rad;
    pilot.servo(subtract(goal, this.offset(yaw_rad)), seconds, speed_m_s, {
      here: () => subtract(this.place, this.offset(pilot.yaw_enu_rad)),
      ...options,
    });
  }

  /** Flies to where the grasp centre is `back_m` short of the goal along the gripper's axis, from above `over_m`. */
  approach(goal: V3, yaw_rad: number, back_m: number, over_m: number): void {
    const { pilot } = this;
    const short = subtract(goal, scale(this.ahead(yaw_rad), back_m));
    const body = subtract(short, this.offset(yaw_rad));
    const high = Math.max(over_m, body[2]);
    const here = pilot.target_enu_m;
    pilot.servo([here[0], here[1], high], 3, 0.4);
    const way = Math.hypot(body[0] - here[0], body[1] - here[1]);
    const turn_rad = Math.abs(wrapPi(yaw_rad - pilot.yaw_enu_rad));
    pilot.servo([body[0], body[1], high], 4 + Math.max(way / 0.4, turn_rad / 0.3), 0.4, { yaw_rad });
    pilot.servo([body[0], body[1], body[2] + 0.05], 2 + (high - body[2]) / 0.25, 0.25);
    this.lead(short, 4, 0.1);
  }

  /**
   * Advances until the grasp centre is within a centimetre of the goal. A finger that meets something on the way has missed
   * the gap: back, and again. Says whether it got there.
   */
  advance(goal: V3, back_m: number): boolean {
    const { pilot } = this;
    const short = subtract(goal, scale(this.ahead(pilot.yaw_enu_rad), back_m));
    const touched = (): boolean => (pilot.arm.state?.forces_n ?? []).some((force) => force > 0.4);
    const there = (): boolean => distance(this.place, goal) < 0.012;
    for (let attempt = 0; attempt < 4; attempt++) {
      this.lead(goal, 1 + back_m / 0.04, 0.05, { stop: () => there() || touched() });
      if (there()) return true;
      this.lead(short, 4, 0.1);
    }
    return false;
  }

  grip(force_n: number): void {
    this.pilot.arm.order({ kind: "gripper", width_m: 0, force_n });
    this.pilot.until(2.5, () => this.pilot.arm.state?.holding === true);
    this.pilot.run(0.5);
  }

  release(width_m = 2 * this.arm.gripper.stroke_m): void {
    this.pilot.arm.order({ kind: "gripper", width_m, force_n: 10 });
    this.pilot.run(1);
    this.pilot.relax();
  }
}

const distance = (a: V3, b: V3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
