import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { CameraFrame, CameraHello } from "#contract/camera-wire";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { createAutopilot } from "../autopilot/autopilot";
import { Simulation } from "../simulation";
import { linkBody } from "../world/mjcf";
import { add, turn } from "../world/rigid";
import type { CameraSize } from "./rig";
import { CameraServer } from "./server";

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

vi.setConfig({ testTimeout: 60_000 });
const small: CameraSize = { width: 96, height: 54, rate_hz: 10 };

async function simulationOf(camera: CameraSize): Promise<Simulation> {
  const simulation = await Simulation.create({
    layout: sceneOf("office", 1),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera,
  });
  cleanup.push(() => {
    simulation.close();
  });
  return simulation;
}

const run = (simulation: Simulation, seconds: number, looking = true): void => {
  for (let i = 0; i < seconds * 500; i++) simulation.step(looking);
};

interface Packet {
  readonly header: unknown;
  readonly bytes: number;
}

/** A reader of the socket: every whole packet so far, and a promise of the n-th. */
function reader(path: string): { readonly socket: Socket; read(count: number): Promise<readonly Packet[]> } {
  const socket = connect(path);
  const packets: Packet[] = [];
  let pending = Buffer.alloc(0);
  let wake = (): void => {};
  socket.on("data", (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 12) {
      const [head, bytes] = [pending.readUInt32LE(4), pending.readUInt32LE(8)];
      if (pending.length < 12 + head + bytes) break;
      packets.push({ header: JSON.parse(pending.subarray(12, 12 + head).toString("utf8")), bytes });
      pending = pending.subarray(12 + head + bytes);
    }
    wake();
  });
  cleanup.push(() => void socket.destroy());
  return {
    socket,
    async read(count) {
      while (packets.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return packets;
    },
  };
}

async function served(simulation: Simulation): Promise<{ path: string; server: CameraServer }> {
  const path = join(tmpdir(), `kingfisher-rig-${process.pid}-${Math.round(simulation.time_s * 1e4)}.sock`);
  const { camera } = simulation;
  if (camera === null) throw new Error("no camera");
  const listening = await CameraServer.listen(path, camera.hello, true);
  if (!listening.ok) throw new Error(listening.error);
  cleanup.push(() => listening.value.close());
  return { path, server: listening.value };
}

/** As a slice of the run does it. */
function pump(simulation: Simulation, server: CameraServer, seconds: number): void {
  for (let i = 0; i < seconds * 100; i++) {
    if (simulation.camera !== null) simulation.camera.wanted = server.wanted;
    for (let k = 0; k < 5; k++) simulation.step(server.readers > 0);
    for (const picture of simulation.pictures()) server.promise(picture);
    for (const view of simulation.camera?.takeViews(simulation.time_s) ?? []) server.view(view);
  }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise<void>((resolve) => void setImmediate(resolve));
};

test("the hello lists the vehicle's other camera and the benchmarks' three; unasked, only the main one is sent", async () => {
  const simulation = await simulationOf(small);
  const { path, server } = await served(simulation);
  const plain = reader(path);
  await plain.read(1);
  pump(simulation, server, 0.35);
  const [first, ...frames] = await plain.read(4);
  const hello = CameraHello.parse(first?.header);
  expect(hello.camera).toBe("front");
  expect(hello.latency_us).toBe(40_000);
  expect(hello.others?.map((o) => [o.camera, o.parent])).toEqual([
    ["wrist", "wrist"],
    ["front-down", "body"],
    ["overhead", "site"],
    ["side", "site"],
  ]);
  expect(server.wanted.size).toBe(0);
  for (const frame of frames) expect(CameraFrame.parse(frame.header).camera).toBeUndefined();
});

test("a reader that selects gets the cameras it names and no other, and the barrier counts none of theirs", async () => {
  const simulation = await simulationOf(small);
  const { path, server } = await served(simulation);
  const chosen = reader(path);
  await chosen.read(1);
  chosen.socket.write(`${JSON.stringify({ kind: "select", cameras: ["overhead", "side", "wrist"] })}\n`);
  await until(() => server.wanted.size === 3);
  expect(server.readers).toBe(0);
  pump(simulation, server, 0.35);
  const packets = await chosen.read(10);
  const frames = packets.slice(1).map((p) => CameraFrame.parse(p.header));
  expect(frames.map((f) => f.camera)).toEqual(
    Array.from({ length: 3 }, () => ["overhead", "side", "wrist"]).flat(),
  );
  expect(frames.map((f) => f.captured_us)).toEqual([100_000, 200_000, 300_000].flatMap((t) => [t, t, t]));
  expect(packets[1]?.bytes).toBe(96 * 54 * 5);
  expect(server.frames).toBe(0);
});

test("a selection of a camera that is not there closes the connection, not the server", async () => {
  const simulation = await simulationOf(small);
  const { path, server } = await served(simulation);
  const wrong = reader(path);
  await wrong.read(1);
  const closed = new Promise<void>((resolve) => void wrong.socket.once("close", () => resolve()));
  wrong.socket.write(`{"kind":"select","cameras":["ceiling"]}\n`);
  await closed;
  const right = reader(path);
  await right.read(1);
  pump(simulation, server, 0.2);
  expect((await right.read(2)).length).toBeGreaterThan(1);
});

test("a wrist camera's frames say where it was against the body at the moment of exposure", async () => {
  const simulation = await simulationOf({ ...small, mount: "wrist" });
  const { world } = simulation;
  expect(simulation.camera?.hello).toMatchObject({ camera: "wrist", parent: "wrist" });
  world.arm?.aim([1.2, -0.5, -0.2, 0.4]);
  run(simulation, 1.1);
  const frame = simulation.frames().at(-1);
  if (frame === undefined) throw new Error("no frame");
  run(simulation, 0.1 - 0.04, false);
  const { mount } = frame.header;
  expect(frame.header.exposure_us).toBe(8000);
  const hello = simulation.camera?.hello;
  if (mount === undefined || hello === undefined) throw new Error("no mount");
  const body = world.truth();
  const lens = add(body.position_enu_m, turn(body.quat_flu_enu, mount.position_flu_m));
  const link = world.pose(world.bodyId(linkBody("roll")));
  const expected = add(link.at, turn(link.quat, hello.mount_position_flu_m));
  // The arm has moved on for 0.1 s at most since then.
  for (const k of [0, 1, 2] as const) expect(Math.abs(lens[k] - expected[k])).toBeLessThan(0.08);
});

test.each([
  [424, 240],
  [640, 480],
  [1280, 720],
])("a %i x %i picture has square pixels and the sensor's own height of view", async (width, height) => {
  const simulation = await simulationOf({ width, height, rate_hz: 10 });
  const k = simulation.camera?.hello.intrinsics;
  if (k === undefined) throw new Error("no camera");
  expect([k.width, k.height]).toEqual([width, height]);
  expect(k.fx).toBe(k.fy);
  expect((2 * Math.atan(height / 2 / k.fy) * 180) / Math.PI).toBeCloseTo(57, -0.5);
  run(simulation, 0.15);
  expect(simulation.frames()[0]?.payload.length).toBe(width * height * 5);
});

test("the third person's cameras see the whole place from above and from the side", async () => {
  const simulation = await simulationOf({ width: 320, height: 180, rate_hz: 10 });
  if (simulation.camera === null) throw new Error("no camera");
  simulation.camera.wanted = new Set(["overhead", "side", "front-down"]);
  run(simulation, 0.15, false);
  const views = simulation.camera.takeViews(simulation.time_s);
  expect(views.length).toBe(3);
  const spreads = await Promise.all(
    views.map(async (view) => {
      const { payload } = await view;
      const colour = payload.subarray(0, 320 * 180 * 3);
      const mean = colour.reduce((sum, v) => sum + v, 0) / colour.length;
      return Math.sqrt(colour.reduce((sum, v) => sum + (v - mean) ** 2, 0) / colour.length);
    }),
  );
  // Not a bare wall: things, light and shade.
  for (const spread of spreads) expect(spread).toBeGreaterThan(15);
});
