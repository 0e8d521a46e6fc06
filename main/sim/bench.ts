import { createAutopilot } from "./autopilot/autopilot";
import type { Incoming } from "./autopilot/port";
import { loadScene, loadVehicle } from "./files";
import { Simulation } from "./simulation";
import { layOut } from "./world/layout";
import { toMjcf } from "./world/mjcf";
import { compile } from "./world/mujoco";

export interface SimBench {
  /** Physics steps a second: vehicle, autopilot and contacts; the same with the camera at its rate; the bare engine. */
  readonly steps_per_s: { readonly ours: number; readonly with_camera: number; readonly bare_mujoco: number };
  /** One colour and depth frame, drawing and sensor model. */
  readonly camera_ms: number;
  /** Simulated seconds per second in flight, without and with the camera. */
  readonly realtime_factor: { readonly without_camera: number; readonly with_camera: number };
  /** Back to a saved state, milliseconds. */
  readonly restore_ms: number;
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
  const restore_ms = cpuTime_ms(() => {
    for (let i = 0; i < 20; i++) plain.world.restore(saved);
  });

  const seeing = await airborne(cameraSize);
  fly(seeing);
  const camera_ms = fly(seeing);
  for (const simulation of [plain, seeing]) simulation.close();
  bare.close();
  const rate = (ms: number): number => Math.round((steps * 1000) / ms);
  return {
    steps_per_s: { ours: rate(ours_ms), with_camera: rate(camera_ms), bare_mujoco: rate(bare_ms) },
    camera_ms: round((camera_ms - ours_ms) / (flight_s * cameraSize.rate_hz)),
    realtime_factor: {
      without_camera: round((flight_s * 1000) / ours_ms),
      with_camera: round((flight_s * 1000) / camera_ms),
    },
    restore_ms: round(restore_ms / 20),
  };
}

const round = (x: number): number => Math.round(x * 100) / 100;
