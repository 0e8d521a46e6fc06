import { writeFileSync } from "node:fs";
import type { VehicleFile } from "#contract/airframe";
import { err, ok, type Result } from "#contract/result";
import { realClock } from "../platform/clock";
import { createAutopilot } from "./autopilot/autopilot";
import { BarrierServer } from "./barrier";
import { mainCamera } from "./camera/rig";
import { CameraServer } from "./camera/server";
import { runCheck } from "./check/check";
import { runManipulation } from "./check/manipulation";
import { checkTable, passes } from "./check/rows";
import { drawWhenThread } from "./drawing-thread";
import { happen, happenOnDemand, impossible } from "./events";
import { loadScene, loadVehicle } from "./files";
import { GraderServer } from "./grader/server";
import { Px4Link } from "./hil/link";
import { Px4Pilot, runWithPx4 } from "./hil/run";
import { parseFaults } from "./mavlink-faults";
import { openMavlinkServer } from "./mavlink-server";
import { parseOptions, type SimOptions } from "./options";
import { writePicture } from "./picture";
import { type Parts, runLockstep, runPaced } from "./run";
import { Simulation, type SimulationOptions } from "./simulation";
import { siteOf } from "./site";
import { type Layout, layOut } from "./world/layout";

type Refusal = { readonly code: 1 | 2; readonly text: string };
const badArgument = (text: string): Refusal => ({ code: 2, text });
const failed = (text: string): Refusal => ({ code: 1, text });

interface Place {
  readonly layout: Layout;
  readonly vehicle: VehicleFile;
}

function place(options: SimOptions): Result<Place, Refusal> {
  const source = loadScene(options.scene, options.catalogue ?? undefined);
  if (!source.ok) return err(badArgument(source.error));
  const vehicle = loadVehicle(options.vehicle);
  if (!vehicle.ok) return err(badArgument(vehicle.error));
  const layout = layOut(source.value.scene, source.value.catalogue, options.seed);
  if (!layout.ok) return err(failed(layout.error));
  return ok({ layout: layout.value, vehicle: vehicle.value });
}

async function prepare(
  options: SimOptions,
  { layout, vehicle }: Place,
  autopilot: SimulationOptions["autopilot"],
): Promise<Result<Simulation, Refusal>> {
  if (options.site_out !== null) {
    try {
      writeFileSync(options.site_out, JSON.stringify(siteOf(layout)));
    } catch {
      return err(failed(`--site-out: ${options.site_out} cannot be written`));
    }
  }
  const [width, height] = options.camera_size;
  const mount = options.camera_mount;
  if (mount !== null && mainCamera(vehicle, mount) === undefined)
    return err(badArgument(`--camera-mount: ${vehicle.id} has no camera on its ${mount}`));
  const camera = { width, height, rate_hz: options.camera_rate_hz, ...(mount === null ? {} : { mount }) };
  const simulation = await Simulation.create({
    layout,
    vehicle,
    instance: options.instance,
    autopilot,
    aid: { global_origin: options.origin, position_aid: options.position },
    camera: options.camera_socket === null ? null : camera,
    drawing_entry: __filename,
  });
  simulation.onDemand = (index) => happenOnDemand(index, simulation);
  for (const { event } of options.events) {
    const problem = impossible(event, simulation);
    if (problem !== null) return err(badArgument(`--event: ${problem}`));
  }
  schedule(options, simulation);
  return ok(simulation);
}

function schedule(options: SimOptions, simulation: Simulation): void {
  for (const { at_s, event } of options.events)
    simulation.at(at_s, () => {
      happen(event, simulation);
    });
}

interface Watchers {
  readonly camera: CameraServer | null;
  readonly grader: GraderServer | null;
  close(): Promise<void>;
}

/** Those who look on: the camera's readers and, when asked for, the grader. */
async function watch(options: SimOptions, simulation: Simulation): Promise<Result<Watchers, Refusal>> {
  const every = options.barrier !== null;
  let camera: CameraServer | null = null;
  if (options.camera_socket !== null && simulation.camera !== null) {
    const listening = await CameraServer.listen(options.camera_socket, simulation.camera.hello, every);
    if (!listening.ok) return err(failed(listening.error));
    camera = listening.value;
  }
  let grader: GraderServer | null = null;
  if (options.grader_socket !== null) {
    const listening = await GraderServer.listen(options.grader_socket, simulation, every);
    if (!listening.ok) return err(failed(listening.error));
    grader = listening.value;
  }
  return ok({
    camera,
    grader,
    close: async () => {
      await Promise.all([camera?.close(), grader?.close()]);
    },
  });
}

/** Says when somebody wants this process to end; `wake` lets whoever waits notice. */
function ending(wake: () => void = () => {}): () => boolean {
  let stop = false;
  const end = (): void => {
    stop = true;
    wake();
    // A station that has stopped answering must not keep us: whatever still waits is dropped after a moment.
    realClock().after(500, () => process.exit(0));
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("disconnect", end);
  return () => stop;
}

/** The world for a PX4 in software: stations talk to it; from here they get the camera only. */
async function servePx4(options: SimOptions, found: Place): Promise<Result<() => Promise<void>, Refusal>> {
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  const link = await Px4Link.listen({ port: options.px4_port, system_id: 1 + options.instance, say });
  if (!link.ok) return err(failed(link.error));
  const pilot = new Px4Pilot(link.value);
  const made = await prepare(options, found, pilot.create);
  if (!made.ok) return made;
  const simulation = made.value;
  const watchers = await watch(options, simulation);
  if (!watchers.ok) return watchers;
  const { camera, grader } = watchers.value;
  const stopped = ending(() => {
    link.value.interrupt();
  });
  const { port } = link.value;
  const { pushable } = simulation.world;
  process.stdout.write(
    `${JSON.stringify({ ready: true, px4_port: port, camera: options.camera_socket, pushable })}\n`,
  );
  return ok(async () => {
    await runWithPx4(
      { simulation, pilot, camera, grader },
      {
        speed: options.speed,
        clock: realClock(),
        stopped,
        say,
        onRestart: () => {
          schedule(options, simulation);
        },
      },
    );
    await Promise.all([link.value.close(), watchers.value.close()]);
    simulation.close();
  });
}

async function serve(options: SimOptions, found: Place): Promise<Result<() => Promise<void>, Refusal>> {
  const made = await prepare(options, found, createAutopilot);
  if (!made.ok) return made;
  const simulation = made.value;
  const faults = parseFaults(options.faults);
  if (!faults.ok) return err(badArgument(faults.error));
  const mavlink = await openMavlinkServer({
    system_id: 1 + options.instance,
    bind_port: options.bind,
    remote_port: options.port,
    seed: options.seed,
    ...(options.faults === "" ? {} : { faults: faults.value }),
  });
  if (!mavlink.ok) return err(failed(mavlink.error));
  const watchers = await watch(options, simulation);
  if (!watchers.ok) return watchers;
  const { camera, grader } = watchers.value;
  let barrier: BarrierServer | null = null;
  if (options.barrier !== null) {
    const listening = await BarrierServer.listen(options.barrier);
    if (!listening.ok) return err(failed(listening.error));
    barrier = listening.value;
  }
  const parts: Parts = { simulation, mavlink: mavlink.value, camera, grader };
  const stopped = ending();
  const ready = {
    ready: true,
    port: options.port,
    bind: mavlink.value.port,
    camera: options.camera_socket,
    barrier: barrier?.port ?? null,
    pushable: simulation.world.pushable,
  };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.stderr.write(
    `${options.scene}, seed ${options.seed}: MAVLink from UDP ${mavlink.value.port} to ${options.port}\n`,
  );
  return ok(async () => {
    if (barrier !== null) await runLockstep(parts, barrier, stopped);
    else
      await runPaced(parts, {
        speed: options.speed,
        clock: realClock(),
        stopped,
        onLag: (lag_ms) => process.stderr.write(`simulated time is ${Math.round(lag_ms)} ms late; skipped\n`),
      });
    await Promise.all([mavlink.value.close(), watchers.value.close(), barrier?.close()]);
    simulation.close();
  });
}

/** The table of `--check`; exit 1 when a figure is off its target. */
async function rehearse(options: SimOptions, { layout, vehicle }: Place): Promise<number> {
  const onProgress = (name: string): void => void process.stderr.write(`${name} ...\n`);
  const common = { vehicle, autopilot: createAutopilot, onProgress };
  const layoutOf = (scene: string): Layout => {
    const other = place({ ...options, scene });
    if (!other.ok) throw new Error(`Invariant: the scenes of the check are there: ${other.error.text}`);
    return other.value.layout;
  };
  const rows =
    options.check === "manipulation"
      ? await runManipulation({ ...common, layoutOf })
      : await runCheck({ ...common, layout });
  process.stderr.write(`${checkTable(rows)}\n`);
  process.stdout.write(`${JSON.stringify({ rows: rows.map((row) => ({ ...row, ok: passes(row) })) })}\n`);
  return rows.every(passes) ? 0 : 1;
}

async function main(argv: readonly string[]): Promise<number> {
  const say = (refusal: Refusal): number => {
    process.stderr.write(`kingfisher sim: ${refusal.text}\n`);
    return refusal.code;
  };
  const options = parseOptions(argv);
  if (!options.ok) return say(badArgument(options.error));
  const found = place(options.value);
  if (!found.ok) return say(found.error);
  const { picture } = options.value;
  if (picture !== null) {
    const written = await writePicture(picture, found.value.layout, found.value.vehicle);
    return written.ok ? 0 : say(failed(written.error));
  }
  if (options.value.check !== null) return await rehearse(options.value, found.value);
  const running =
    options.value.autopilot === "px4"
      ? await servePx4(options.value, found.value)
      : await serve(options.value, found.value);
  if (!running.ok) return say(running.error);
  await running.value();
  return 0;
}

if (!drawWhenThread())
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(
        `kingfisher sim: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
      process.exit(1);
    },
  );
