import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createAutopilot } from "./autopilot/autopilot";
import type { Incoming } from "./autopilot/port";
import { loadScene, loadVehicle } from "./files";
import { Simulation } from "./simulation";
import { layOut } from "./world/layout";
import { toMjcf } from "./world/mjcf";
import { compile, type Physics } from "./world/mujoco";

export interface SimBench {
  /**
   * Physics steps a second: vehicle, autopilot and contacts; the same with the camera at its rate; the bare engine from the
   * same state with its inputs held (the least work it can have); the bare engine fed with every input of the flight.
   */
  readonly steps_per_s: {
    readonly ours: number;
    readonly with_camera: number;
    readonly bare_mujoco: number;
    readonly bare_mujoco_same_inputs: number;
  };
  /** Ours over the bare engine with inputs held. */
  readonly ratio: number;
  /** How far the fed engine ended from the flight it was fed from: zero says that the work was the same. */
  readonly replay_error_m: number;
  /** One colour and depth frame, drawing and sensor model. */
  readonly camera_ms: number;
  /** Simulated seconds per second in flight, without and with the camera. */
  readonly realtime_factor: { readonly without_camera: number; readonly with_camera: number };
  /** Back to a saved state; a whole trial (world, autopilot, arm, camera) back to its beginning; milliseconds. */
  readonly restore_ms: number;
  readonly reset_ms: number;
  /** Growth of the heap and of all memory over 1,000 such resets, each flown for a moment, after collection. */
  readonly memory_over_1000_resets: MemoryGrowth;
}

const flight_s = 6;
const cameraSize = { width: 424, height: 240, rate_hz: 10 } as const;

function command(id: number, ...params: readonly number[]): Incoming {
  const fields = Object.fromEntries(params.map((value, i) => [`param${i + 1}`, value]));
  return {
    name: "COMMAND_LONG",
    fields: { target_system: 1, target_component: 1, command: id, ...fields },
    system_id: 255,
    component_id: 190,
  };
}

/** Takes off and hovers, so that all that is measured happens in flight with the objects at rest. */
async function airborne(camera: typeof cameraSize | null): Promise<Simulation> {
  const source = loadScene("office");
  const vehicle = loadVehicle("hexa650");
  if (!source.ok) throw new Error(source.error);
  if (!vehicle.ok) throw new Error(vehicle.error);
  const layout = layOut(source.value.scene, source.value.catalogue, 1);
  if (!layout.ok) throw new Error(layout.error);
  const simulation = await Simulation.create({
    layout: layout.value,
    vehicle: vehicle.value,
    instance: 0,
    autopilot: createAutopilot,
    camera,
  });
  const run = (seconds: number): void => {
    for (let i = 0; i < seconds * 500; i++) {
      if (i % 250 === 0) simulation.autopilot.handle(heartbeat);
      simulation.step(false);
      if (i % 5 === 0) simulation.autopilot.outbox();
    }
  };
  run(4);
  simulation.autopilot.handle(command(400, 1));
  run(0.1);
  simulation.autopilot.handle(command(22, Number.NaN, 0, 0, Number.NaN, Number.NaN, Number.NaN, Number.NaN));
  run(8);
  return simulation;
}

const heartbeat: Incoming = { name: "HEARTBEAT", fields: { type: 6 }, system_id: 255, component_id: 190 };

interface Inputs {
  readonly start: Float64Array;
  readonly ctrl: readonly Float64Array[];
  readonly forces: readonly Float64Array[];
}

/** Flies on and notes what the engine was given in each step, read back from the complete states. */
function record(
  simulation: Simulation,
  reader: Physics,
  steps: number,
): { readonly inputs: Inputs; readonly end: readonly number[] } {
  const start = simulation.world.save().physics;
  const ctrl: Float64Array[] = [];
  const forces: Float64Array[] = [];
  for (let i = 0; i < steps; i++) {
    if (i % 250 === 0) simulation.autopilot.handle(heartbeat);
    simulation.step();
    if (i % 5 === 0) simulation.autopilot.outbox();
    reader.restore(simulation.world.save().physics);
    const [motors, pushes] = [new Float64Array(reader.counts.nu), new Float64Array(6 * reader.counts.nbody)];
    reader.read("ctrl", 0, motors.length, motors);
    reader.read("xfrc_applied", 0, pushes.length, pushes);
    ctrl.push(motors);
    forces.push(pushes);
  }
  return { inputs: { start, ctrl, forces }, end: vehicleAt(reader) };
}

function vehicleAt(physics: Physics): readonly number[] {
  const at = physics.model("jnt_qposadr")[physics.id("joint", "free-vehicle")] ?? 0;
  return [0, 1, 2].map((k) => physics.value("qpos", at + k));
}

interface MemoryGrowth {
  readonly heap_bytes: number;
  readonly resident_bytes: number;
}

/**
 * Resets the trial again and again, flying a moment each time; what is left over after collection. What is left behind by a
 * reset is left behind in every quarter of them, so the least of the quarters counts: code that is compiled once in between
 * is no leak.
 */
export function memoryOverResets(simulation: Simulation, resets: number): MemoryGrowth {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const again = (count: number): void => {
    for (let i = 0; i < count; i++) {
      simulation.restart();
      simulation.autopilot.handle(heartbeat);
      for (let k = 0; k < 25; k++) simulation.step(false);
      simulation.autopilot.outbox();
    }
  };
  // What is compiled and remembered about hot code goes on growing for some hundred resets, then it is all there.
  again(resets);
  const held = (): NodeJS.MemoryUsage => {
    collect();
    return process.memoryUsage();
  };
  const first = held();
  const growths: number[] = [];
  let last = first;
  for (let quarter = 0; quarter < 4; quarter++) {
    again(resets / 4);
    const now = held();
    growths.push(now.heapUsed - last.heapUsed);
    last = now;
  }
  return { heap_bytes: 4 * Math.min(...growths), resident_bytes: last.rss - first.rss };
}

/** Measures this process's own work: processor time, so that a busy machine does not change the answer. */
function cpuTime_ms(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1000;
}

/** The benchmark of the embedded vehicle with its peer, the bare engine on the same model, in one run. */
export async function runSimBench(): Promise<SimBench> {
  const steps = flight_s * 500;
  const fly = (simulation: Simulation): number =>
    cpuTime_ms(() => {
      for (let i = 0; i < steps; i++) {
        if (i % 250 === 0) simulation.autopilot.handle(heartbeat);
        simulation.step();
        if (i % 5 === 0) {
          simulation.autopilot.outbox();
          simulation.frames();
        }
      }
    });
  const plain = await airborne(null);
  fly(plain);
  const saved = plain.world.save();
  const ours_ms = fly(plain);

  const bare = await compile(toMjcf(plain.world.layout, plain.world.vehicle));
  const stretch = (): void => {
    for (let i = 0; i < 500; i++) bare.step();
  };
  bare.restore(saved.physics);
  stretch();
  let bare_ms = 0;
  for (let second = 0; second < flight_s; second++) {
    bare.restore(saved.physics);
    bare_ms += cpuTime_ms(stretch);
  }
  const { inputs, end } = record(plain, bare, steps);
  bare.restore(inputs.start);
  const fed_ms = cpuTime_ms(() => {
    for (let i = 0; i < steps; i++) {
      bare.write("ctrl", 0, inputs.ctrl[i] ?? []);
      bare.write("xfrc_applied", 0, inputs.forces[i] ?? []);
      bare.step();
    }
  });
  const free = vehicleAt(bare);
  const replay_error_m = Math.hypot(...end.map((x, k) => x - (free[k] ?? Number.NaN)));
  const restore_ms = cpuTime_ms(() => {
    for (let i = 0; i < 20; i++) plain.world.restore(saved);
  });

  const seeing = await airborne(cameraSize);
  fly(seeing);
  const camera_ms = fly(seeing);
  const reset_ms = cpuTime_ms(() => {
    for (let i = 0; i < 20; i++) seeing.restart();
  });
  const growth = memoryOverResets(plain, 1000);
  for (const simulation of [plain, seeing]) simulation.close();
  bare.close();
  const rate = (ms: number): number => Math.round((steps * 1000) / ms);
  return {
    steps_per_s: {
      ours: rate(ours_ms),
      with_camera: rate(camera_ms),
      bare_mujoco: rate(bare_ms),
      bare_mujoco_same_inputs: rate(fed_ms),
    },
    ratio: round(bare_ms / ours_ms),
    replay_error_m,
    camera_ms: round((camera_ms - ours_ms) / (flight_s * cameraSize.rate_hz)),
    realtime_factor: {
      without_camera: round((flight_s * 1000) / ours_ms),
      with_camera: round((flight_s * 1000) / camera_ms),
    },
    restore_ms: round(restore_ms / 20),
    reset_ms: round(reset_ms / 20),
    memory_over_1000_resets: growth,
  };
}

const round = (x: number): number => Math.round(x * 100) / 100;
