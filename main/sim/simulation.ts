import { createHash } from "node:crypto";
import type { VehicleFile } from "#contract/airframe";
import { ArmCompanion } from "./arm/companion";
import type { Autopilot, AutopilotOptions, Message } from "./autopilot/port";
import { BaseNoise } from "./base-noise";
import type { FrameOut } from "./camera/camera";
import { CameraRig, type CameraSize, mainCamera } from "./camera/rig";
import type { PoseOf } from "./camera/stage";
import { DrawingThread } from "./drawing-thread";
import { Exposures, type Picture } from "./exposures";
import { autopilotModel } from "./vehicle/model";
import type { Layout } from "./world/layout";
import { World, type WorldState } from "./world/world";

export interface SimulationOptions {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
  readonly instance: number;
  readonly autopilot: (options: AutopilotOptions) => Autopilot;
  /** What the autopilot is told of the globe, and whose position it flies on; left out, as its own defaults. */
  readonly aid?: Pick<AutopilotOptions, "global_origin" | "position_aid">;
  /** Null: nobody looks. */
  readonly camera: CameraSize | null;
  /** The bundled file whose own thread draws the pictures; left out, they are drawn in the step that exposes them. */
  readonly drawing_entry?: string;
}

/** Something that was made to happen to the world or the vehicle: what, to which object or part, and how. */
export interface Happening {
  readonly what: string;
  readonly to: string;
  readonly detail: string;
}

/** Where the site's origin lies on the globe: PX4's own default home in simulation. */
const home = { latitude_deg: 47.397742, longitude_deg: 8.545594, altitude_amsl_m: 488 };

/** World, autopilot and camera on one simulated clock. No sockets, no wall time: the caller says when to step. */
export class Simulation {
  readonly world: World;
  autopilot: Autopilot;
  readonly camera: Exposures | null;
  /** The companion computer of the arm; null on a vehicle without one. */
  arm: ArmCompanion | null;
  /** The position fix from outside is lost. */
  positionLost = false;
  /** On what the autopilot is told of position and heading. */
  noise: BaseNoise;
  /** MAV_CMD_USER_1 with param1 = 2 arrived: answers whether it could be made to happen. */
  onDemand: (index: number) => boolean = () => false;
  /** Told of everything that is made to happen; for the grader only. */
  onHappening: (happening: Happening) => void = () => {};
  readonly #options: SimulationOptions;
  readonly #start: WorldState;
  #motors: readonly number[] = [];
  #frozenUntil_s = 0;
  #cutUntil_s = 0;
  #due: { readonly at_s: number; readonly run: () => void }[] = [];

  static async create(options: SimulationOptions): Promise<Simulation> {
    const { layout, vehicle, camera: size, drawing_entry } = options;
    const world = await World.create({ layout, vehicle });
    const file = size === null ? undefined : mainCamera(vehicle, size.mount);
    if (size === null || file === undefined) return new Simulation(options, world, null);
    const poseOf = posesIn(world);
    const by =
      drawing_entry === undefined
        ? CameraRig.of(layout, vehicle, size, poseOf)
        : await DrawingThread.start(drawing_entry, { layout, vehicle, size });
    const camera = by && new Exposures(by, poseOf, size.rate_hz, file.latency_s);
    return new Simulation(options, world, camera);
  }

  /** The same vehicle in the same place from the beginning, in milliseconds: compiled model and drawing are kept. */
  restart(): void {
    this.world.restore(this.#start);
    this.autopilot = this.#newAutopilot();
    this.arm = this.#newArm();
    this.camera?.restart();
    this.positionLost = false;
    this.noise = new BaseNoise(this.#options.layout.seed);
    this.#frozenUntil_s = 0;
    this.#cutUntil_s = 0;
    this.#motors = [];
    this.#due = [];
  }

  private constructor(options: SimulationOptions, world: World, camera: Exposures | null) {
    this.world = world;
    this.#options = options;
    this.noise = new BaseNoise(options.layout.seed);
    this.autopilot = this.#newAutopilot();
    this.arm = this.#newArm();
    this.camera = camera;
    this.#start = world.save();
  }

  get time_s(): number {
    return this.world.time_s;
  }

  /** Runs once at the first step at or after `at_s`. */
  at(at_s: number, run: () => void): void {
    this.#due.push({ at_s, run });
  }

  /** Nothing passes the link while this is so; both ends keep what they have to say. */
  get linkFrozen(): boolean {
    return this.world.time_s < this.#frozenUntil_s;
  }

  freezeLink(duration_s: number): void {
    this.#frozenUntil_s = this.world.time_s + duration_s;
  }

  /** Whatever is said while this is so never arrives, in either direction. */
  get linkCut(): boolean {
    return this.world.time_s < this.#cutUntil_s;
  }

  cutLink(duration_s: number): void {
    this.#cutUntil_s = this.world.time_s + duration_s;
  }

  /** One physics step; takes a picture when one is due and `looking` says that somebody is there to see it. */
  step(looking = true): void {
    this.#runDue();
    this.arm?.step(this.world.time_s * 1000);
    const truth = this.noise.apply(this.world.truth(), this.world.timestep_s);
    this.#motors = this.autopilot.step(this.positionLost ? { ...truth, position_lost: true } : truth);
    this.world.step(this.#motors);
    this.camera?.step(this.world.time_s, looking);
  }

  /** Pictures whose latency is over, oldest first; each is given out once. */
  pictures(): readonly Picture[] {
    return this.camera?.take(this.world.time_s) ?? [];
  }

  /** The same where the pictures are drawn in the step that exposes them. */
  frames(): readonly FrameOut[] {
    return this.pictures().filter((p): p is FrameOut => !(p instanceof Promise));
  }

  /** A digest of the complete physical state: equal for equal seeds and commands. */
  hash(): string {
    const state = this.world.save();
    return createHash("sha256")
      .update(new Uint8Array(state.physics.buffer, state.physics.byteOffset, state.physics.byteLength))
      .update(new Uint8Array(state.thrust_n.buffer))
      .update(JSON.stringify(state.battery))
      .digest("hex");
  }

  close(): void {
    void this.camera?.close();
    this.world.close();
  }

  #newAutopilot(): Autopilot {
    const { layout, vehicle, instance } = this.#options;
    return this.#options.autopilot({
      seed: layout.seed,
      system_id: 1 + instance,
      home,
      vehicle: autopilotModel(vehicle),
      ...this.#options.aid,
      parameters: vehicle.parameters,
      push: (index) => {
        const object = this.world.pushable[index];
        if (object !== undefined) this.onHappening({ what: "push", to: object, detail: "over the link" });
        return this.world.push(index);
      },
      happen: (index) => this.onDemand(index),
      tunnel: (payload_type, payload) => this.arm?.handle(payload_type, payload),
      gripper: (action) => this.arm?.gripper(action) ?? false,
      actuators: (values) => this.arm?.actuators(values) ?? false,
    });
  }

  #newArm(): ArmCompanion | null {
    const { arm } = this.#options.vehicle;
    if (this.world.arm === null || arm === null) return null;
    const send = (payload_type: number, payload: Uint8Array): void => {
      this.autopilot.send(tunnel(payload_type, payload));
    };
    return new ArmCompanion(this.world.arm, arm, send, this.#options.vehicle);
  }

  #runDue(): void {
    if (this.#due.length === 0) return;
    const now_s = this.world.time_s + 1e-9;
    const due = this.#due.filter((d) => d.at_s <= now_s);
    this.#due = this.#due.filter((d) => d.at_s > now_s);
    for (const d of due) d.run();
  }
}

/** Poses by body name; the number behind a name is looked up once. */
function posesIn(world: World): PoseOf {
  const ids = new Map<string, number>();
  return (body) => {
    let id = ids.get(body);
    if (id === undefined) {
      id = world.bodyId(body);
      ids.set(body, id);
    }
    return world.pose(id);
  };
}

/** Broadcast, as a companion behind the autopilot sends it. */
function tunnel(payload_type: number, payload: Uint8Array): Message {
  const bytes = Array.from({ length: 128 }, (_, i) => payload[i] ?? 0);
  return {
    name: "TUNNEL",
    fields: {
      target_system: 0,
      target_component: 0,
      payload_type,
      payload_length: payload.length,
      payload: bytes,
    },
  };
}
