import type { ArmLink, VehicleFile } from "#contract/airframe";
import { fingerStiffness_n_m } from "./arm-figures";
import { fingerName, fingers, jointName } from "./mjcf";
import type { Physics } from "./mujoco";

type ArmFile = NonNullable<VehicleFile["arm"]>;

/** What the arm's servos report. Angles in radians, widths between the finger pads in metres. */
export interface ArmReading {
  readonly joints_rad: readonly number[];
  readonly speeds_rad_s: readonly number[];
  readonly torques_nm: readonly number[];
  readonly currents_a: readonly number[];
  readonly width_m: number;
  /** Contact force on the left and the right finger. */
  readonly forces_n: readonly [number, number];
}

export interface ArmServoState {
  readonly targets_rad: readonly number[];
  readonly setpoints_rad: readonly number[];
  readonly integrals_rad: readonly number[];
  readonly width_m: number;
  /** Where each finger's setpoint is on its way to half of `width_m`. */
  readonly finger_m: number;
  readonly force_n: number;
  readonly torque_on: boolean;
  readonly speed_share: number;
}

/** A finger's own speed: a servo's, through a rack, closes 80 mm in half a second. */
const fingerSpeed_m_s = 0.08;

interface Joint {
  readonly link: ArmLink;
  readonly actuator: number;
  readonly q: number;
  readonly v: number;
}

/**
 * Position servos as in a DYNAMIXEL chain: the setpoint runs to its target no faster than the joint may, an integral takes
 * out the droop under load, and torque is limited in the model. Torque off lets every joint go.
 */
export class ArmServos {
  readonly #physics: Physics;
  readonly #file: ArmFile;
  readonly #joints: readonly Joint[];
  readonly #fingers: readonly { readonly actuator: number; readonly q: number; readonly touch: number }[];
  #state: ArmServoState;

  constructor(physics: Physics, file: ArmFile) {
    this.#physics = physics;
    this.#file = file;
    const qs = physics.model("jnt_qposadr");
    const vs = physics.model("jnt_dofadr");
    const sensors = physics.model("sensor_adr");
    this.#joints = file.links.map((link) => {
      const joint = physics.id("joint", jointName(link.name));
      const actuator = physics.id("actuator", jointName(link.name));
      return { link, actuator, q: qs[joint] ?? 0, v: vs[joint] ?? 0 };
    });
    this.#fingers = fingers.map((side) => ({
      actuator: physics.id("actuator", fingerName(side)),
      q: qs[physics.id("joint", fingerName(side))] ?? 0,
      touch: sensors[physics.id("sensor", `touch-${side}`)] ?? 0,
    }));
    this.#state = {
      targets_rad: [...file.stowed_rad],
      setpoints_rad: [...file.stowed_rad],
      integrals_rad: file.links.map(() => 0),
      width_m: 0,
      finger_m: 0,
      force_n: file.gripper.force_max_n,
      torque_on: true,
      speed_share: 1,
    };
    this.#joints.forEach((joint, i) => {
      physics.write("qpos", joint.q, [file.stowed_rad[i] ?? 0]);
    });
  }

  /** Where the joints shall go, clamped to their ranges; `speed_share` of the joints' greatest speed. */
  aim(targets_rad: readonly number[], speed_share = 1): void {
    this.#state = {
      ...this.#state,
      speed_share: Math.min(1, Math.max(0.01, speed_share)),
      targets_rad: this.#joints.map(({ link }, i) =>
        Math.min(link.range_rad[1], Math.max(link.range_rad[0], targets_rad[i] ?? 0)),
      ),
    };
  }

  /** Width between the pads, and the force with which they may press. */
  grip(width_m: number, force_n = this.#file.gripper.force_max_n): void {
    const { stroke_m, force_max_n } = this.#file.gripper;
    this.#state = {
      ...this.#state,
      width_m: Math.min(2 * stroke_m, Math.max(0, width_m)),
      force_n: Math.min(force_max_n, Math.max(0, force_n)),
    };
  }

  torque(on: boolean): void {
    if (on && !this.#state.torque_on) this.freeze();
    this.#state = { ...this.#state, torque_on: on };
  }

  /** Holds every joint where it is now; the fingers keep their grip. */
  freeze(): void {
    const here = this.#joints.map((joint) => this.#physics.value("qpos", joint.q));
    this.#state = {
      ...this.#state,
      targets_rad: here,
      setpoints_rad: here,
    };
  }

  /** One time step: writes the servos' position commands. */
  step(dt_s: number): void {
    const s = this.#state;
    const setpoints: number[] = [];
    const integrals: number[] = [];
    this.#joints.forEach(({ link, actuator, q }, i) => {
      const at = s.setpoints_rad[i] ?? 0;
      const most = link.speed_max_rad_s * s.speed_share * dt_s;
      const next = at + Math.max(-most, Math.min(most, (s.targets_rad[i] ?? 0) - at));
      const now = this.#physics.value("qpos", q);
      const limit = (0.5 * link.torque_max_nm) / link.kp;
      const integral = Math.max(-limit, Math.min(limit, (s.integrals_rad[i] ?? 0) + (next - now) * 2 * dt_s));
      setpoints.push(next);
      integrals.push(integral);
      this.#physics.write("ctrl", actuator, [s.torque_on ? next + integral : now]);
    });
    // Closed means closing on: the fingers press with their full force whatever is between them.
    const half = s.width_m === 0 ? -this.#file.gripper.stroke_m : s.width_m / 2;
    const most_m = fingerSpeed_m_s * dt_s;
    const finger_m = s.finger_m + Math.max(-most_m, Math.min(most_m, half - s.finger_m));
    for (const { actuator, q } of this.#fingers) {
      // The position servo presses with stiffness times distance: never ask for more distance than the force limit.
      const now = this.#physics.value("qpos", q);
      const reach = s.force_n / fingerStiffness_n_m;
      const wanted = Math.max(now - reach, Math.min(now + reach, finger_m));
      this.#physics.write("ctrl", actuator, [s.torque_on ? wanted : now]);
    }
    this.#state = { ...s, setpoints_rad: setpoints, integrals_rad: integrals, finger_m };
  }

  read(): ArmReading {
    const p = this.#physics;
    const torques = this.#joints.map((joint) => p.value("actuator_force", joint.actuator));
    const touch = (i: number): number => {
      const at = this.#fingers[i]?.touch ?? 0;
      return p.value("sensordata", at) > 0
        ? Math.hypot(
            p.value("sensordata", at + 1),
            p.value("sensordata", at + 2),
            p.value("sensordata", at + 3),
          )
        : 0;
    };
    return {
      joints_rad: this.#joints.map((joint) => p.value("qpos", joint.q)),
      speeds_rad_s: this.#joints.map((joint) => p.value("qvel", joint.v)),
      torques_nm: torques,
      currents_a: torques.map((torque, i) => Math.abs(torque) * (this.#joints[i]?.link.amps_per_nm ?? 0)),
      width_m: this.#fingers.reduce((sum, finger) => sum + p.value("qpos", finger.q), 0),
      forces_n: [touch(0), touch(1)],
    };
  }

  /** The joints stand within a degree of where they shall go. */
  get arrived(): boolean {
    return this.#joints.every(
      (joint, i) =>
        Math.abs(this.#physics.value("qpos", joint.q) - (this.#state.targets_rad[i] ?? Number.NaN)) < 0.0175,
    );
  }

  get torque_on(): boolean {
    return this.#state.torque_on;
  }

  save(): ArmServoState {
    return this.#state;
  }

  restore(state: ArmServoState): void {
    this.#state = state;
  }
}
