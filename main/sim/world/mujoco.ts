import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { invariant } from "#contract/result";
import { appRoot } from "../../platform/paths";

/**
 * The only file that knows @mujoco/mujoco. It hides the package's traps: views into its memory shrink to length 0 when
 * the heap grows (so none is ever handed out, and a kept one is checked before each use), contacts are copies, and a diverged state
 * is reset in silence (so every step checks that time went on).
 */
export interface Physics {
  readonly time_s: number;
  readonly timestep_s: number;
  step(): void;
  /** Recomputes everything that follows from positions, without advancing time. */
  forward(): void;
  /** Copies out of or into the state; `at` and `count` are in elements. */
  read(array: ReadableArray, at: number, count: number, into: Float64Array, offset?: number): void;
  write(array: WritableArray, at: number, values: ArrayLike<number>): void;
  value(array: ReadableArray, at: number): number;
  set(array: WritableArray, at: number, value: number): void;
  /** One value per element for the whole model: masses, addresses. */
  model(array: ModelArray): Float64Array;
  id(kind: NamedKind, name: string): number;
  readonly counts: Readonly<Record<"nq" | "nv" | "nu" | "nbody" | "ngeom" | "njnt", number>>;
  /** Pairs of geoms that touch now. Bodies that sleep are not looked at. Costs as much as several steps. */
  contacts(): readonly (readonly [number, number])[];
  /** The complete state, bit for bit. */
  save(): Float64Array;
  restore(state: Float64Array): void;
  close(): void;
}

export type ReadableArray =
  | "qpos"
  | "qvel"
  | "qacc"
  | "ctrl"
  | "xpos"
  | "xquat"
  | "xipos"
  | "sensordata"
  | "actuator_force"
  | "xfrc_applied"
  | "subtree_com"
  | "cvel";
export type WritableArray = "qpos" | "qvel" | "ctrl" | "xfrc_applied" | "mocap_pos" | "mocap_quat";
export type ModelArray =
  | "body_mass"
  | "body_subtreemass"
  | "body_inertia"
  | "jnt_qposadr"
  | "jnt_dofadr"
  | "sensor_adr"
  | "body_jntadr"
  | "geom_bodyid"
  | "body_mocapid";
export type NamedKind = "body" | "joint" | "geom" | "site" | "sensor" | "actuator";

/** mjtObj of MuJoCo's C header. */
const objectTypes: Readonly<Record<NamedKind, number>> = {
  body: 1,
  joint: 3,
  geom: 5,
  site: 6,
  actuator: 19,
  sensor: 20,
};

/** mjSTATE_INTEGRATION: all that the next step depends on. */
const integrationState = 0x3fff;

interface Module {
  readonly MjModel: { from_xml_string(xml: string): NativeModel };
  readonly MjData: new (model: NativeModel) => NativeData;
  readonly DoubleBuffer: new (size: number) => { GetView(): Float64Array; delete(): void };
  mj_step(model: NativeModel, data: NativeData): void;
  mj_forward(model: NativeModel, data: NativeData): void;
  mj_name2id(model: NativeModel, type: number, name: string): number;
  mj_stateSize(model: NativeModel, spec: number): number;
  mj_getState(model: NativeModel, data: NativeData, into: unknown, spec: number): void;
  mj_setState(model: NativeModel, data: NativeData, from: number[], spec: number): void;
}
type Arrays = Readonly<Record<ReadableArray | WritableArray, Float64Array>>;
type NativeModel = Readonly<Record<ModelArray, ArrayLike<number>>> &
  Readonly<Record<"nq" | "nv" | "nu" | "nbody" | "ngeom" | "njnt", number>> & {
    readonly opt: { readonly timestep: number };
    delete(): void;
  };
/** Which trees are at rest and left out of the step, and what follows from it: not part of MuJoCo's own saved state. */
const sleepArrays = [
  "tree_asleep",
  "tree_awake",
  "body_awake",
  "body_awake_ind",
  "parent_awake_ind",
  "dof_awake_ind",
] as const;
const sleepCounts = ["ntree_awake", "nbody_awake", "nparent_awake", "nv_awake"] as const;

type NativeData = Arrays &
  Readonly<Record<(typeof sleepArrays)[number], Int32Array>> &
  Record<(typeof sleepCounts)[number], number> & {
    readonly time: number;
    readonly contact: {
      size(): number;
      get(at: number): { readonly geom1: number; readonly geom2: number; delete(): void } | undefined;
      delete(): void;
    };
    delete(): void;
  };

let loading: Promise<Module> | null = null;

function loadModule(): Promise<Module> {
  loading ??= (async () => {
    const factory = (await import("@mujoco/mujoco")).default as unknown as (
      options: object,
    ) => Promise<Module>;
    return await factory({ wasmBinary: readFileSync(wasmPath()), print: () => {}, printErr: () => {} });
  })();
  return loading;
}

function wasmPath(): string {
  const require = createRequire(join(appRoot(), "package.json"));
  return require.resolve("@mujoco/mujoco/mujoco.wasm");
}

/** Compiles a model; MuJoCo's own readable error is thrown when the XML is wrong, which is a bug of the generator. */
export async function compile(xml: string): Promise<Physics> {
  const mj = await loadModule();
  const model = mj.MjModel.from_xml_string(xml);
  const data = new mj.MjData(model);
  const size = mj.mj_stateSize(model, integrationState);
  const buffer = new mj.DoubleBuffer(size);
  return new NativePhysics(mj, model, data, buffer, size);
}

class NativePhysics implements Physics {
  readonly timestep_s: number;
  readonly counts: Physics["counts"];
  readonly #mj: Module;
  readonly #model: NativeModel;
  readonly #data: NativeData;
  readonly #buffer: { GetView(): Float64Array; delete(): void };
  readonly #size: number;
  readonly #views: Partial<Record<ReadableArray | WritableArray, Float64Array>> = {};
  #last_s = 0;

  constructor(
    mj: Module,
    model: NativeModel,
    data: NativeData,
    buffer: { GetView(): Float64Array; delete(): void },
    size: number,
  ) {
    this.#mj = mj;
    this.#model = model;
    this.#data = data;
    this.#buffer = buffer;
    this.#size = size;
    this.timestep_s = model.opt.timestep;
    const { nq, nv, nu, nbody, ngeom, njnt } = model;
    this.counts = { nq, nv, nu, nbody, ngeom, njnt };
    mj.mj_forward(model, data);
  }

  get time_s(): number {
    return this.#data.time;
  }

  step(): void {
    this.#mj.mj_step(this.#model, this.#data);
    const now_s = this.#data.time;
    // A diverged state makes MuJoCo start over at time zero: that must never pass for flight.
    invariant(now_s > this.#last_s, `physics diverged after ${this.#last_s.toFixed(3)} s`);
    this.#last_s = now_s;
  }

  forward(): void {
    this.#mj.mj_forward(this.#model, this.#data);
  }

  read(array: ReadableArray, at: number, count: number, into: Float64Array, offset = 0): void {
    const view = this.#view(array);
    for (let i = 0; i < count; i++) into[offset + i] = view[at + i] ?? Number.NaN;
  }

  write(array: WritableArray, at: number, values: ArrayLike<number>): void {
    const view = this.#view(array);
    for (let i = 0; i < values.length; i++) view[at + i] = values[i] ?? Number.NaN;
  }

  value(array: ReadableArray, at: number): number {
    return this.#view(array)[at] ?? Number.NaN;
  }

  set(array: WritableArray, at: number, value: number): void {
    this.#view(array)[at] = value;
  }

  model(array: ModelArray): Float64Array {
    return Float64Array.from(this.#model[array]);
  }

  id(kind: NamedKind, name: string): number {
    const found = this.#mj.mj_name2id(this.#model, objectTypes[kind], name);
    invariant(found >= 0, `the model has no ${kind} "${name}"`);
    return found;
  }

  contacts(): readonly (readonly [number, number])[] {
    const list = this.#data.contact;
    const pairs: (readonly [number, number])[] = [];
    for (let i = 0; i < list.size(); i++) {
      const contact = list.get(i);
      if (contact === undefined) continue;
      pairs.push([contact.geom1, contact.geom2]);
      contact.delete();
    }
    list.delete();
    return pairs;
  }

  save(): Float64Array {
    this.#mj.mj_getState(this.#model, this.#data, this.#buffer, integrationState);
    const asleep = this.#readSleep();
    const out = new Float64Array(this.#size + asleep.length);
    out.set(this.#buffer.GetView().subarray(0, this.#size));
    out.set(asleep, this.#size);
    return out;
  }

  restore(state: Float64Array): void {
    const values = Array.from(state.subarray(0, this.#size));
    const asleep = state.subarray(this.#size);
    this.#writeSleep(asleep);
    this.#mj.mj_setState(this.#model, this.#data, values, integrationState);
    this.#mj.mj_forward(this.#model, this.#data);
    // The forward pass replaced the solver's warm start, which is part of the state.
    this.#mj.mj_setState(this.#model, this.#data, values, integrationState);
    this.#writeSleep(asleep);
    this.#last_s = this.#data.time;
  }

  /** Making a view costs as much as a hundred reads; a kept one is good until the heap grows and its length drops to 0. */
  #view(array: ReadableArray | WritableArray): Float64Array {
    const kept = this.#views[array];
    if (kept !== undefined && kept.length > 0) return kept;
    const fresh = this.#data[array];
    this.#views[array] = fresh;
    return fresh;
  }

  #readSleep(): number[] {
    const counts = sleepCounts.map((name) => this.#data[name]);
    return [...counts, ...sleepArrays.flatMap((name) => Array.from(this.#data[name]))];
  }

  #writeSleep(values: Float64Array): void {
    let at = 0;
    for (const name of sleepCounts) this.#data[name] = values[at++] ?? 0;
    for (const name of sleepArrays) {
      const view = this.#data[name];
      for (let i = 0; i < view.length; i++) view[i] = values[at++] ?? 0;
    }
  }

  close(): void {
    this.#buffer.delete();
    this.#data.delete();
    this.#model.delete();
  }
}
