import type { VehicleFile } from "#contract/airframe";
import { invariant } from "#contract/result";
import { type BatteryState, fullBattery, stepBattery } from "../vehicle/battery";
import {
  ceilingEffect,
  groundEffect,
  rotorSpeed_rad_s,
  shaftPower_w,
  steadyThrust_n,
} from "../vehicle/rotors";
import type { Layout } from "./layout";
import { bodyName, fingerName, fingers, jointName, motorName, toMjcf, vehicleBody } from "./mjcf";
import { compile, type Physics } from "./mujoco";
import { type Push, pushDirection, pushDistance_m, pushDuration_s, pushOver, pushSpeed_m_s } from "./pushes";
import { conjugate, cross, type Q4, subtract, turn, type V3 } from "./rigid";
import { Supports } from "./support";

export interface WorldOptions {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  readonly timestep_s?: number;
  /** State of charge at the start, 0 to 1. */
  readonly charge?: number;
}

/** Truth about the vehicle after a step; the shape the autopilot's port asks for. World ENU, body FLU. */
export interface VehicleTruth {
  readonly time_us: number;
  readonly position_enu_m: V3;
  readonly velocity_enu_m_s: V3;
  readonly quat_flu_enu: Q4;
  readonly rates_flu_rad_s: V3;
  readonly accel_flu_m_s2: V3;
  readonly battery: BatteryState;
  readonly rotor_speed_rad_s: readonly number[];
}

/** Everything needed to go on from here exactly as it would have gone. */
export interface WorldState {
  readonly physics: Float64Array;
  readonly thrust_n: Float64Array;
  /** Thrust factors of nearby surfaces, and the step count that says when they are looked up next. */
  readonly effect: Float64Array;
  readonly tick: number;
  readonly battery: BatteryState;
  readonly pushes: readonly Push[];
  readonly arm_rad: readonly number[];
  readonly grip_m: number;
}

const airDensity = 1.204;
const gravity = 9.81;

/** The physical world: one vehicle, its structure, its movable objects. Knows nothing of autopilot, link or camera. */
export class World {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  /** All-up mass with arm. */
  readonly mass_kg: number;
  /** Steady air movement at the vehicle, m/s in the world. */
  wind_enu_m_s: V3 = [0, 0, 0];

  readonly #physics: Physics;
  readonly #supports: Supports;
  readonly #motors: readonly number[];
  readonly #servos: readonly number[];
  readonly #fingers: readonly number[];
  readonly #bodies: readonly { readonly id: number; readonly mass_kg: number; readonly dof: number }[];
  readonly #vehicleId: number;
  readonly #q: number;
  readonly #v: number;
  readonly #accel: number;
  readonly #gyro: number;
  readonly #thrust_n: Float64Array;
  readonly #effect: Float64Array;
  readonly #scratch = new Float64Array(16);
  #battery: BatteryState;
  #pushes: Push[] = [];
  #arm_rad: number[];
  #grip_m: number;
  #tick = 0;

  static async create(options: WorldOptions): Promise<World> {
    const physics = await compile(toMjcf(options.layout, options.vehicle, options.timestep_s ?? 0.002));
    return new World(options, physics);
  }

  private constructor(options: WorldOptions, physics: Physics) {
    this.layout = options.layout;
    this.vehicle = options.vehicle;
    this.#physics = physics;
    this.#supports = new Supports(options.layout);
    const arm = options.vehicle.arm;
    this.#motors = options.vehicle.rotors.list.map((_, i) => physics.id("actuator", motorName(i)));
    this.#servos = (arm?.links ?? []).map((link) => physics.id("actuator", jointName(link.name)));
    this.#fingers = arm === null ? [] : fingers.map((side) => physics.id("actuator", fingerName(side)));
    const masses = physics.model("body_mass");
    const dofs = physics.model("jnt_dofadr");
    this.#bodies = options.layout.bodies.map((body) => {
      const id = physics.id("body", bodyName(body.name));
      return { id, mass_kg: masses[id] ?? 0, dof: dofs[physics.id("joint", `free-${body.name}`)] ?? 0 };
    });
    this.#vehicleId = physics.id("body", vehicleBody);
    this.mass_kg = physics.model("body_subtreemass")[this.#vehicleId] ?? 0;
    const free = physics.id("joint", "free-vehicle");
    this.#q = physics.model("jnt_qposadr")[free] ?? 0;
    this.#v = dofs[free] ?? 0;
    const sensors = physics.model("sensor_adr");
    this.#accel = sensors[physics.id("sensor", "accel")] ?? 0;
    this.#gyro = sensors[physics.id("sensor", "gyro")] ?? 0;
    this.#thrust_n = new Float64Array(this.#motors.length);
    this.#effect = new Float64Array(this.#motors.length).fill(1);
    this.#battery = fullBattery(options.vehicle.battery, options.charge ?? 1);
    this.#arm_rad = [...(arm?.stowed_rad ?? [])];
    this.#grip_m = 0;
    this.#fold();
  }

  get time_s(): number {
    return this.#physics.time_s;
  }

  get timestep_s(): number {
    return this.#physics.timestep_s;
  }

  /** Advances one time step with these motor commands, each 0 to 1, in the vehicle file's rotor order. */
  step(commands: readonly number[]): void {
    const { rotors, battery } = this.vehicle;
    const dt_s = this.#physics.timestep_s;
    if (this.#tick % 5 === 0) this.#updateSurfaceEffects();
    this.#tick++;
    const ratio = this.#battery.voltage_v / (battery.cells * 3.7);
    const blend = 1 - Math.exp(-dt_s / rotors.lag_s);
    let power_w = 0;
    this.#motors.forEach((actuator, i) => {
      const target_n = steadyThrust_n(rotors, commands[i] ?? 0, ratio);
      const now_n = (this.#thrust_n[i] ?? 0) + (target_n - (this.#thrust_n[i] ?? 0)) * blend;
      this.#thrust_n[i] = now_n;
      power_w += shaftPower_w(rotors, now_n);
      this.#physics.write("ctrl", actuator, [now_n * (this.#effect[i] ?? 1)]);
    });
    this.#battery = stepBattery(battery, this.#battery, power_w, dt_s);
    this.#servos.forEach((actuator, i) => {
      this.#physics.write("ctrl", actuator, [this.#arm_rad[i] ?? 0]);
    });
    for (const actuator of this.#fingers) this.#physics.write("ctrl", actuator, [this.#grip_m / 2]);
    this.#applyDrag();
    this.#applyPushes();
    this.#physics.step();
  }

  truth(): VehicleTruth {
    const p = this.#physics;
    const s = this.#scratch;
    p.read("qpos", this.#q, 7, s, 0);
    p.read("qvel", this.#v, 3, s, 7);
    const quat: Q4 = [s[3] ?? 1, s[4] ?? 0, s[5] ?? 0, s[6] ?? 0];
    const position: V3 = [s[0] ?? 0, s[1] ?? 0, s[2] ?? 0];
    const velocity: V3 = [s[7] ?? 0, s[8] ?? 0, s[9] ?? 0];
    return {
      time_us: Math.round(p.time_s * 1e6),
      position_enu_m: position,
      velocity_enu_m_s: velocity,
      quat_flu_enu: quat,
      rates_flu_rad_s: this.#triple("sensordata", this.#gyro),
      accel_flu_m_s2: this.#triple("sensordata", this.#accel),
      battery: this.#battery,
      rotor_speed_rad_s: Array.from(this.#thrust_n, (n) => rotorSpeed_rad_s(this.vehicle.rotors, n)),
    };
  }

  /** Where a body of the model is: the vehicle, an arm link, an object. */
  pose(body: number): { readonly at: V3; readonly quat: Q4 } {
    const s = this.#scratch;
    this.#physics.read("xquat", body * 4, 4, s, 0);
    return { at: this.#triple("xpos", body * 3), quat: [s[0] ?? 1, s[1] ?? 0, s[2] ?? 0, s[3] ?? 0] };
  }

  bodyId(name: string): number {
    return this.#physics.id("body", name);
  }

  objectPose(index: number): { readonly at: V3; readonly quat: Q4 } {
    const body = this.#bodies[index];
    invariant(body !== undefined, "object index");
    return this.pose(body.id);
  }

  /** Names in the order that `push` counts them. */
  get pushable(): readonly string[] {
    return this.layout.bodies.map((b) => b.name);
  }

  /** Starts a push; the body really slides, by contact and friction. False where there is no such body. */
  push(index: number, distance_m = pushDistance_m): boolean {
    if (!Number.isInteger(index) || this.#bodies[index] === undefined) return false;
    const direction = pushDirection(this.layout, index, (i) => this.objectPose(i).at, distance_m);
    const start_s = this.#physics.time_s;
    this.#pushes = this.#pushes.filter((p) => p.body !== index);
    this.#pushes.push({ body: index, start_s, duration_s: pushDuration_s, distance_m, direction });
    return true;
  }

  save(): WorldState {
    return {
      physics: this.#physics.save(),
      thrust_n: Float64Array.from(this.#thrust_n),
      effect: Float64Array.from(this.#effect),
      tick: this.#tick,
      battery: this.#battery,
      pushes: [...this.#pushes],
      arm_rad: [...this.#arm_rad],
      grip_m: this.#grip_m,
    };
  }

  restore(state: WorldState): void {
    this.#physics.restore(state.physics);
    this.#thrust_n.set(state.thrust_n);
    this.#effect.set(state.effect);
    this.#battery = state.battery;
    this.#pushes = [...state.pushes];
    this.#arm_rad = [...state.arm_rad];
    this.#grip_m = state.grip_m;
    this.#tick = state.tick;
  }

  close(): void {
    this.#physics.close();
  }

  #fold(): void {
    const addresses = this.#physics.model("jnt_qposadr");
    (this.vehicle.arm?.links ?? []).forEach((link, i) => {
      const at = addresses[this.#physics.id("joint", jointName(link.name))] ?? 0;
      this.#physics.write("qpos", at, [this.#arm_rad[i] ?? 0]);
    });
    this.#physics.forward();
  }

  #triple(array: Parameters<Physics["value"]>[0], at: number): V3 {
    const p = this.#physics;
    return [p.value(array, at), p.value(array, at + 1), p.value(array, at + 2)];
  }

  #updateSurfaceEffects(): void {
    const { at, quat } = this.pose(this.#vehicleId);
    const radius_m = this.vehicle.rotors.radius_m;
    this.vehicle.rotors.list.forEach((rotor, i) => {
      const offset = turn(quat, rotor.position_flu_m);
      const [x, y, z] = [at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]];
      const floor = groundEffect(radius_m, z - this.#supports.below_m(x, y, z));
      const ceiling = ceilingEffect(radius_m, this.#supports.above_m(x, y, z) - z);
      this.#effect[i] = floor * ceiling;
    });
  }

  /** Body drag (quadratic) and rotor drag (linear in rotor speed and in-plane airspeed), at the centre of mass. */
  #applyDrag(): void {
    const t = this.truth();
    const air = turn(conjugate(t.quat_flu_enu), subtract(t.velocity_enu_m_s, this.wind_enu_m_s));
    const areas = this.vehicle.base.drag_area_m2;
    const spin = t.rotor_speed_rad_s.reduce((a, b) => a + b, 0) * this.vehicle.rotors.drag_coefficient;
    const quadratic = (axis: 0 | 1 | 2): number =>
      -0.5 * airDensity * areas[axis] * air[axis] * Math.abs(air[axis]);
    const force = turn(t.quat_flu_enu, [
      quadratic(0) - spin * air[0],
      quadratic(1) - spin * air[1],
      quadratic(2),
    ]);
    this.#physics.write("xfrc_applied", this.#vehicleId * 6, [...force, 0, 0, 0]);
  }

  #applyPushes(): void {
    if (this.#pushes.length === 0) return;
    const now_s = this.#physics.time_s;
    for (const push of this.#pushes) {
      const body = this.#bodies[push.body];
      const asset = this.layout.bodies[push.body]?.asset;
      if (body === undefined || asset === undefined) continue;
      const over = pushOver(push, now_s);
      this.#physics.write(
        "xfrc_applied",
        body.id * 6,
        over ? [0, 0, 0, 0, 0, 0] : this.#pushForce(push, body, asset, now_s),
      );
    }
    this.#pushes = this.#pushes.filter((push) => !pushOver(push, now_s));
  }

  /** A hand low on the body: follows the push's speed and carries the friction, so that even a tall bottle slides. */
  #pushForce(
    push: Push,
    body: { readonly id: number; readonly mass_kg: number; readonly dof: number },
    asset: { readonly friction: number },
    now_s: number,
  ): readonly number[] {
    const p = this.#physics;
    const speed = pushSpeed_m_s(push, now_s);
    const [dx, dy] = push.direction;
    const gain = body.mass_kg * 60;
    const friction_n = speed > 0.01 ? asset.friction * body.mass_kg * gravity : 0;
    const force: V3 = [
      gain * (speed * dx - p.value("qvel", body.dof)) + friction_n * dx,
      gain * (speed * dy - p.value("qvel", body.dof + 1)) + friction_n * dy,
      0,
    ];
    const com_z = p.value("xipos", body.id * 3 + 2);
    const grip: V3 = [0, 0, p.value("xpos", body.id * 3 + 2) + 0.01 - com_z];
    return [...force, ...cross(grip, force)];
  }
}
