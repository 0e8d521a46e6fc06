import type { VehicleFile } from "#contract/airframe";
import {
  type ArmCommand,
  type ArmExit,
  type ArmReport,
  type ArmResult,
  type ArmState,
  armCommandNumber,
  armPayloadType,
  armSilence_ms,
  decodeArmCommand,
  encodeArmReport,
  type TrajectoryPoint,
} from "#contract/arm-tunnel";
import type { ArmServos } from "../world/arm";
import { estimateLoad_kg, overload } from "./load";

type ArmFile = NonNullable<VehicleFile["arm"]>;

/** Period of the state report. */
const report_ms = 40;

/** Both fingers pressing with at least this much counts as holding. */
const holdForce_n = 0.5;
/** Share of a new reading in the load's average, once a report: about a second of memory. */
const loadBlend = 0.04;
/** Below this a load is not told from the joints' friction. */
const loadFelt_kg = 0.15;

/**
 * The companion computer that owns the arm's bus: takes commands from TUNNEL messages, runs trajectories, reports the state,
 * and when its commander has been silent for half a second runs the exit action. Driven by the sim's clock.
 */
export class ArmCompanion {
  readonly #servos: ArmServos;
  readonly #file: ArmFile;
  readonly #send: (payload_type: number, payload: Uint8Array) => void;
  /** Whose rotors have to carry what the arm reaches out; null asks nobody. */
  readonly #vehicle: VehicleFile | null;
  #load_kg = 0;
  #trajectory: (TrajectoryPoint | null)[] = [];
  #started_ms: number | null = null;
  #heard_ms: number | null = null;
  #exit: ArmExit = "freeze";
  #exited = false;
  #reported_ms = Number.NEGATIVE_INFINITY;
  #spoken = false;
  #seq = 0;
  #now_ms = 0;

  constructor(
    servos: ArmServos,
    file: ArmFile,
    send: (payload_type: number, payload: Uint8Array) => void,
    vehicle: VehicleFile | null = null,
  ) {
    this.#vehicle = vehicle;
    this.#servos = servos;
    this.#file = file;
    this.#send = send;
  }

  /** A TUNNEL payload; other payload types are not ours. */
  handle(payload_type: number, payload: Uint8Array): void {
    if (payload_type !== armPayloadType) return;
    this.#spoken = true;
    const decoded = decodeArmCommand(payload);
    if (!decoded.ok) {
      this.#report({
        kind: "ack",
        seq: (payload[2] ?? 0) | ((payload[3] ?? 0) << 8),
        command: payload[1] ?? 0,
        result: "malformed",
      });
      return;
    }
    const { seq, command } = decoded.value;
    this.#heard_ms = this.#now_ms;
    this.#exited = false;
    const result = this.#obey(command);
    this.#report({ kind: "ack", seq, command: armCommandNumber(command), result });
  }

  /** MAV_CMD_DO_GRIPPER: no feedback, all or nothing. */
  gripper(action: "release" | "grab"): boolean {
    this.#servos.grip(action === "release" ? 2 * this.#file.gripper.stroke_m : 0);
    return true;
  }

  /**
   * MAV_CMD_DO_SET_ACTUATOR: outputs 1 to n are the joints, -1 to 1 over each joint's range; the next one is the gripper,
   * -1 closed to 1 open. Outputs not set stay.
   */
  actuators(values: readonly (number | null)[]): boolean {
    const { links, gripper } = this.#file;
    if (values.slice(links.length + 1).some((v) => v !== null)) return false;
    const targets = this.#servos.save().targets_rad;
    this.#stopTrajectory();
    this.#servos.aim(
      links.map((link, i) => {
        const value = values[i] ?? null;
        const [low, high] = link.range_rad;
        return value === null ? (targets[i] ?? 0) : low + ((value + 1) / 2) * (high - low);
      }),
    );
    const grip = values[links.length] ?? null;
    if (grip !== null) this.#servos.grip((grip + 1) * gripper.stroke_m);
    return true;
  }

  /** Everything that is due at this simulated time: trajectory points, the exit, the report. */
  step(now_ms: number): void {
    this.#now_ms = now_ms;
    this.#follow(now_ms);
    if (this.#heard_ms !== null && now_ms - this.#heard_ms >= armSilence_ms) {
      this.#heard_ms = null;
      this.#runExit();
    }
    // Silent until first spoken to: a station that knows no arms is not bothered.
    if (!this.#spoken || now_ms - this.#reported_ms < report_ms) return;
    this.#reported_ms = now_ms;
    this.#weigh();
    this.#report({ kind: "state", ...this.state(now_ms) });
  }

  /** Of what the gripper holds, as felt by the joints. */
  get load_kg(): number {
    return this.#load_kg;
  }

  state(now_ms: number): ArmState {
    const reading = this.#servos.read();
    return {
      time_boot_ms: Math.round(now_ms),
      moving: this.#started_ms !== null || !this.#servos.arrived,
      holding: reading.forces_n.every((force) => force >= holdForce_n),
      torque_on: this.#servos.torque_on,
      exited: this.#exited,
      joints_rad: reading.joints_rad,
      speeds_rad_s: reading.speeds_rad_s,
      currents_a: reading.currents_a,
      width_m: reading.width_m,
      forces_n: reading.forces_n,
    };
  }

  #obey(command: ArmCommand): ArmResult {
    switch (command.kind) {
      case "alive":
        this.#exit = command.exit;
        return "accepted";
      case "stop":
        this.#stopTrajectory();
        this.#servos.freeze();
        return "accepted";
      case "torque":
        this.#stopTrajectory();
        this.#servos.torque(command.on);
        return "accepted";
      case "gripper": {
        const { stroke_m, force_max_n } = this.#file.gripper;
        if (!this.#servos.torque_on) return "torque_off";
        const fits =
          command.width_m >= 0 &&
          command.width_m <= 2 * stroke_m &&
          command.force_n >= 0 &&
          command.force_n <= force_max_n;
        if (!fits) return "out_of_range";
        this.#servos.grip(command.width_m, command.force_n);
        return "accepted";
      }
      case "joints": {
        const problem = this.#check(command.joints_rad);
        if (problem !== null) return problem;
        if (!(command.speed_share > 0 && command.speed_share <= 1)) return "out_of_range";
        this.#stopTrajectory();
        this.#servos.aim(command.joints_rad, command.speed_share);
        return "accepted";
      }
      case "trajectory":
        return this.#collect(command);
    }
  }

  #check(joints_rad: readonly number[]): ArmResult | null {
    const { links } = this.#file;
    if (!this.#servos.torque_on) return "torque_off";
    if (joints_rad.length !== links.length) return "wrong_count";
    const inside = links.every((link, i) => {
      const q = joints_rad[i] ?? Number.NaN;
      return q >= link.range_rad[0] && q <= link.range_rad[1];
    });
    if (!inside) return "out_of_range";
    const tooMuch = this.#vehicle !== null && overload(this.#vehicle, joints_rad, this.#load_kg) !== null;
    return tooMuch && this.#load_kg > loadFelt_kg ? "overload" : null;
  }

  /** What is held weighs on the joints: a slow average of what their currents say. Nothing held weighs nothing. */
  #weigh(): void {
    const reading = this.#servos.read();
    const held = reading.forces_n.every((force) => force >= holdForce_n);
    const now_kg = held ? estimateLoad_kg(this.#file, reading.joints_rad, reading.torques_nm) : 0;
    this.#load_kg += (now_kg - this.#load_kg) * loadBlend;
  }

  #collect(command: Extract<ArmCommand, { kind: "trajectory" }>): ArmResult {
    for (const point of command.points) {
      const problem = this.#check(point.joints_rad);
      if (problem !== null) return problem;
    }
    if (command.points.length === 0 || command.first + command.points.length > command.total)
      return "wrong_count";
    if (command.first === 0) {
      this.#stopTrajectory();
      this.#trajectory = Array.from({ length: command.total }, () => null);
    }
    if (this.#trajectory.length !== command.total) return "incomplete";
    command.points.forEach((point, i) => {
      this.#trajectory[command.first + i] = point;
    });
    const points = this.#trajectory.filter((p): p is TrajectoryPoint => p !== null);
    if (points.length < command.total) return "incomplete";
    const ordered = points.every((p, i) => i === 0 || p.t_ms > (points[i - 1]?.t_ms ?? 0));
    if (!ordered) {
      this.#trajectory = [];
      return "malformed";
    }
    this.#started_ms = this.#now_ms;
    return "accepted";
  }

  /** Straight lines in joint space between the points; the servos' own speed limit still holds. */
  #follow(now_ms: number): void {
    if (this.#started_ms === null) return;
    const t_ms = now_ms - this.#started_ms;
    const points = this.#trajectory.filter((p): p is TrajectoryPoint => p !== null);
    const next = points.find((p) => p.t_ms >= t_ms);
    if (next === undefined) {
      const last = points.at(-1);
      if (last !== undefined) this.#servos.aim(last.joints_rad);
      this.#stopTrajectory();
      return;
    }
    const before = points[points.indexOf(next) - 1];
    if (before === undefined) {
      this.#servos.aim(next.joints_rad);
      return;
    }
    const share = (t_ms - before.t_ms) / (next.t_ms - before.t_ms);
    this.#servos.aim(before.joints_rad.map((q, i) => q + share * ((next.joints_rad[i] ?? q) - q)));
  }

  #stopTrajectory(): void {
    this.#trajectory = [];
    this.#started_ms = null;
  }

  #runExit(): void {
    this.#exited = true;
    if (this.#exit === "none") return;
    this.#stopTrajectory();
    if (this.#exit === "freeze") this.#servos.freeze();
    else this.#servos.aim(this.#file.stowed_rad, 0.5);
  }

  #report(report: ArmReport): void {
    this.#seq = (this.#seq + 1) & 0xffff;
    this.#send(armPayloadType, encodeArmReport(this.#seq, report));
  }
}
