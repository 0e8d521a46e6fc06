import { writeFileSync } from "node:fs";
import type { VehicleFile } from "#contract/airframe";
import { err, ok, type Result } from "#contract/result";
import { realClock } from "../platform/clock";
import { createAutopilot } from "./autopilot/autopilot";
import { BarrierServer } from "./barrier";
import { CameraServer } from "./camera/server";
import { checkTable, passes, runCheck } from "./check/check";
import { drawWhenThread } from "./drawing-thread";
import { happen, happenOnDemand, impossible } from "./events";
import { loadScene, loadVehicle } from "./files";
import { GraderServer } from "./grader/server";
import { parseFaults } from "./mavlink-faults";
import { openMavlinkServer } from "./mavlink-server";
import { parseOptions, type SimOptions } from "./options";
import { type Parts, runLockstep, runPaced } from "./run";
import { Simulation } from "./simulation";
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
): Promise<Result<Simulation, Refusal>> {
  if (options.site_out !== null) {
    try {
      writeFileSync(options.site_out, JSON.stringify(siteOf(layout)));
    } catch {
      return err(failed(`--site-out: ${options.site_out} cannot be written`));
    }
  }
  const [width, height] = options.camera_size;
  const simulation = await Simulation.create({
    layout,
    vehicle,
    instance: options.instance,
    autopilot: createAutopilot,
    camera: options.camera_socket === null ? null : { width, height, rate_hz: options.camera_rate_hz },
    drawing_entry: __filename,
  });
  simulation.onDemand = (index) => happenOnDemand(index, simulation);
  for (const { at_s, event } of options.events) {
    const problem = impossible(event, simulation);
    if (problem !== null) return err(badArgument(`--event: ${problem}`));
    simulation.at(at_s, () => {
      happen(event, simulation);
    });
  }
  return ok(simulation);
}

async function serve(
  options: SimOptions,
  simulation: Simulation,
): Promise<Result<() => Promise<void>, Refusal>> {
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
  let camera: CameraServer | null = null;
  if (options.camera_socket !== null && simulation.camera !== null) {
    const listening = await CameraServer.listen(
      options.camera_socket,
      simulation.camera.hello,
      options.barrier !== null,
    );
    if (!listening.ok) return err(failed(listening.error));
    camera = listening.value;
  }
  let barrier: BarrierServer | null = null;
  if (options.barrier !== null) {
    const listening = await BarrierServer.listen(options.barrier);
    if (!listening.ok) return err(failed(listening.error));
    barrier = listening.value;
  }
  let grader: GraderServer | null = null;
  if (options.grader_socket !== null) {
    const listening = await GraderServer.listen(options.grader_socket, simulation, options.barrier !== null);
    if (!listening.ok) return err(failed(listening.error));
    grader = listening.value;
  }
  const parts: Parts = { simulation, mavlink: mavlink.value, camera, grader };
  let stop = false;
  const end = (): void => {
    stop = true;
    // A station that has stopped answering must not keep us: whatever still waits is dropped after a moment.
    realClock().after(500, () => process.exit(0));
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.on("disconnect", end);
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
    if (barrier !== null) await runLockstep(parts, barrier, () => stop);
    else
      await runPaced(parts, {
        speed: options.speed,
        clock: realClock(),
        stopped: () => stop,
        onLag: (lag_ms) => process.stderr.write(`simulated time is ${Math.round(lag_ms)} ms late; skipped\n`),
      });
    await Promise.all([mavlink.value.close(), camera?.close(), barrier?.close(), grader?.close()]);
    simulation.close();
  });
}

/** The table of `--check`; exit 1 when a figure is off its target. */
async function rehearse({ layout, vehicle }: Place): Promise<number> {
  const rows = await runCheck({
    layout,
    vehicle,
    autopilot: createAutopilot,
    onProgress: (name) => process.stderr.write(`${name} ...\n`),
  });
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
  if (options.value.check) return await rehearse(found.value);
  if (options.value.autopilot === "px4")
    return say(
      badArgument("--autopilot px4: no PX4 is attached to this build; the internal autopilot flies"),
    );
  const simulation = await prepare(options.value, found.value);
  if (!simulation.ok) return say(simulation.error);
  const running = await serve(options.value, simulation.value);
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
