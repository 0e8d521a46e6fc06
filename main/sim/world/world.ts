import type { VehicleFile } from "#contract/airframe";
import { type BatteryState, fullBattery, stepBattery } from "../vehicle/battery";
import {
  ceilingEffect,
  groundEffect,
  rotorSpeed_rad_s,
  shaftPower_w,
  steadyThrust_n,
} from "../vehicle/rotors";
import { airframeDrag_n, MovingAir } from "./air";
import { ArmServos } from "./arm";
import type { Layout } from "./layout";
import { bodyName, motorName, toMjcf, vehicleBody } from "./mjcf";
import { compile, type Physics } from "./mujoco";
import { Objects } from "./objects";
import { pushDistance_m } from "./pushes";
import { add, norm, type Q4, scale, turn, type V3 } from "./rigid";
import type { WorldState } from "./state";
import { Supports } from "./support";
import { Touching } from "./touching";
import { Visitor } from "./visitor";
import { Walls } from "./walls";

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

export type { WorldState } from "./state";

/** The physical world: one vehicle, its structure, its movable objects. Knows nothing of autopilot, link or camera. */
export class World {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  /** All-up mass with arm. */
  readonly mass_kg: number;
  readonly air: MovingAir;
  /** A person who may come in. */
  readonly visitor: Visitor;

  readonly #physics: Physics;
  readonly #supports: Supports;
  readonly #walls: Walls;
  readonly touching: Touching;
  readonly #motors: readonly number[];
  readonly arm: ArmServos | null;
  readonly #objects: Objects;
  readonly #movers: readonly number[];
  readonly #vehicleId: number;
  readonly #q: number;
  readonly #v: number;
  readonly #accel: number;
  readonly #gyro: number;
  readonly #thrust_n: Float64Array;
  readonly #effect: Float64Array;
  /** Follows from the thrust; kept because several ask for it in each step. */
  readonly #speed_rad_s: Float64Array;
  readonly #blend: number;
  /** Distance of the outermost rotor from the body's origin. */
  readonly #span_m: number;
  readonly #scratch = new Float64Array(16);
  #battery: BatteryState;
  readonly #dead = new Set<number>();
  #tick = 0;

  static async create(options: WorldOptions): Promise<World> {
    const physics = await compile(toMjcf(options.layout, options.vehicle, options.timestep_s ?? 0.002));
    return new World(options, physics);
  }

  private constructor(options: WorldOptions, physics: Physics) {
    this.layout = options.layout;
    this.vehicle = options.vehicle;
    this.#physics = physics;
    this.#supports = Supports.of(options.layout);
    this.#walls = new Walls(options.layout);
    this.touching = new Touching(physics, options.layout, options.vehicle);
    this.air = new MovingAir(options.layout.seed);
    const arm = options.vehicle.arm;
    this.#motors = options.vehicle.rotors.list.map((_, i) => physics.id("actuator", motorName(i)));
    this.arm = arm === null ? null : new ArmServos(physics, arm);
    const dofs = physics.model("jnt_dofadr");
    this.#objects = new Objects(physics, options.layout);
    this.visitor = new Visitor(physics, options.layout);
    this.#vehicleId = physics.id("body", vehicleBody);
    this.mass_kg = physics.model("body_subtreemass")[this.#vehicleId] ?? 0;
    const free = physics.id("joint", "free-vehicle");
    const places = physics.model("jnt_qposadr");
    this.#q = places[free] ?? 0;
    this.#movers = options.layout.movers.map((m) => places[physics.id("joint", bodyName(m.name))] ?? 0);
    this.#v = dofs[free] ?? 0;
    const sensors = physics.model("sensor_adr");
    this.#accel = sensors[physics.id("sensor", "accel")] ?? 0;
    this.#gyro = sensors[physics.id("sensor", "gyro")] ?? 0;
    this.#thrust_n = new Float64Array(this.#motors.length);
    this.#effect = new Float64Array(this.#motors.length).fill(1);
    this.#speed_rad_s = new Float64Array(this.#motors.length);
    this.#blend = 1 - Math.exp(-physics.timestep_s / options.vehicle.rotors.lag_s);
    this.#span_m = Math.max(...options.vehicle.rotors.list.map((r) => norm(r.position_flu_m)));
    this.#battery = fullBattery(options.vehicle.battery, options.charge ?? 1);
    physics.forward();
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
    if (this.#tick % 5 === 0) {
      this.#updateSurfaceEffects();
      this.#blow();
    }
    this.#tick++;
    this.air.step(dt_s);
    const ratio = this.#battery.voltage_v / (battery.cells * 3.7);
    let power_w = 0;
    for (let i = 0; i < this.#motors.length; i++) {
      const target_n = this.#dead.has(i) ? 0 : steadyThrust_n(rotors, commands[i] ?? 0, ratio);
      const before_n = this.#thrust_n[i] ?? 0;
      const now_n = before_n + (target_n - before_n) * this.#blend;
      const speed_rad_s = rotorSpeed_rad_s(rotors, now_n);
      this.#thrust_n[i] = now_n;
      this.#speed_rad_s[i] = speed_rad_s;
      power_w += shaftPower_w(rotors, now_n, speed_rad_s);
      this.#physics.set("ctrl", this.#motors[i] ?? 0, now_n * (this.#effect[i] ?? 1));
    }
    this.#battery = stepBattery(battery, this.#battery, power_w, dt_s);
    this.arm?.step(dt_s);
    this.#applyDrag();
    this.#objects.step();
    this.visitor.step();
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
      rotor_speed_rad_s: Array.from(this.#speed_rad_s),
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
    return this.#objects.pose(index);
  }

  /** Radians or metres of the layout's mover of this number. */
  moverPosition(index: number): number {
    const joint = this.#movers[index];
    return joint === undefined ? Number.NaN : this.#physics.value("qpos", joint);
  }

  /** Names in the order that `push` counts them. */
  get pushable(): readonly string[] {
    return this.layout.bodies.map((b) => b.name);
  }

  /** Starts a push; the body really slides, by contact and friction. False where there is no such body. */
  push(index: number, distance_m = pushDistance_m): boolean {
    return this.#objects.push(index, distance_m);
  }

  /** A motor that does not work turns no propeller, whatever it is told. */
  setMotor(index: number, works: boolean): void {
    if (works) this.#dead.delete(index);
    else this.#dead.add(index);
  }

  /** Sets the battery's state of charge, 0 to 1. */
  setCharge(remaining: number): void {
    this.#battery = { ...this.#battery, remaining };
  }

  save(): WorldState {
    return {
      dead: [...this.#dead],
      physics: this.#physics.save(),
      thrust_n: Float64Array.from(this.#thrust_n),
      effect: Float64Array.from(this.#effect),
      tick: this.#tick,
      battery: this.#battery,
      objects: this.#objects.save(),
      arm: this.arm?.save() ?? null,
      air: this.air.save(),
      visitor: this.visitor.save(),
    };
  }

  restore(state: WorldState): void {
    this.#physics.restore(state.physics);
    this.#thrust_n.set(state.thrust_n);
    this.#thrust_n.forEach((n, i) => {
      this.#speed_rad_s[i] = rotorSpeed_rad_s(this.vehicle.rotors, n);
    });
    this.#effect.set(state.effect);
    this.#battery = state.battery;
    this.#dead.clear();
    for (const i of state.dead) this.#dead.add(i);
    this.#objects.restore(state.objects);
    if (state.arm !== null) this.arm?.restore(state.arm);
    this.air.restore(state.air);
    this.visitor.restore(state.visitor);
    this.#tick = state.tick;
  }

  close(): void {
    this.#physics.close();
  }

  #triple(array: Parameters<Physics["value"]>[0], at: number): V3 {
    const p = this.#physics;
    return [p.value(array, at), p.value(array, at + 1), p.value(array, at + 2)];
  }

  #updateSurfaceEffects(): void {
    const { at, quat } = this.pose(this.#vehicleId);
    const { radius_m, list } = this.vehicle.rotors;
    const near = this.#supports.near(at[0], at[1], this.#span_m);
    for (let i = 0; i < list.length; i++) {
      const offset = turn(quat, list[i]?.position_flu_m ?? [0, 0, 0]);
      const x = at[0] + offset[0];
      const y = at[1] + offset[1];
      const z = at[2] + offset[2];
      const floor = groundEffect(radius_m, z - near.below_m(x, y, z));
      const ceiling = ceilingEffect(radius_m, near.above_m(x, y, z) - z);
      this.#effect[i] = floor * ceiling;
    }
  }

  #applyDrag(): void {
    const p = this.#physics;
    const s = this.#scratch;
    p.read("qpos", this.#q + 3, 4, s, 0);
    p.read("qvel", this.#v, 3, s, 4);
    const quat: Q4 = [s[0] ?? 1, s[1] ?? 0, s[2] ?? 0, s[3] ?? 0];
    const velocity: V3 = [s[4] ?? 0, s[5] ?? 0, s[6] ?? 0];
    const thrust_n = this.#thrust_n.reduce((sum, n) => sum + n, 0);
    const pull = this.#walls.pull_n(this.#triple("qpos", this.#q), thrust_n, this.vehicle.rotors.radius_m);
    const wind = this.air.velocity_enu_m_s();
    const force = airframeDrag_n(this.vehicle, velocity, wind, quat, this.#speed_rad_s);
    for (let i = 0; i < 6; i++)
      p.set("xfrc_applied", this.#vehicleId * 6 + i, (force[i] ?? 0) + (pull[i] ?? 0));
  }

  #blow(): void {
    const { at, quat } = this.pose(this.#vehicleId);
    const jets = this.vehicle.rotors.list.map((rotor, i) => ({
      at: add(at, turn(quat, rotor.position_flu_m)),
      down: scale(turn(quat, rotor.axis_flu), -1),
      thrust_n: this.#thrust_n[i] ?? 0,
      radius_m: this.vehicle.rotors.radius_m,
    }));
    this.#objects.blow(jets, at, this.#supports);
  }
}
