import { createSocket } from "node:dgram";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { BarrierStep } from "#contract/barrier-wire";
import { CameraFrame, CameraHello, cameraMagic } from "#contract/camera-wire";
import { sceneOf, vehicleOf } from "../../tests/support/sim-scene";
import { createAutopilot } from "./autopilot/autopilot";
import { BarrierServer } from "./barrier";
import { CameraServer } from "./camera/server";
import { openMavlinkServer } from "./mavlink-server";
import { runLockstep } from "./run";
import { Simulation } from "./simulation";

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

function must<T>(result: { ok: true; value: T } | { ok: false; error: string }): T {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

/** A station that only counts: everything it is told was sent must arrive before it answers. */
async function fly(
  seed: number,
  seconds: number,
): Promise<{ hash: string; captured: number[]; hello: unknown; datagrams: number }> {
  const station = createSocket("udp4");
  let datagrams = 0;
  let wake = (): void => {};
  station.on("message", () => {
    datagrams++;
    wake();
  });
  await new Promise<void>((resolve) => void station.bind(0, "127.0.0.1", resolve));
  cleanup.push(() => void station.close());
  const simulation = await Simulation.create({
    layout: sceneOf("office", seed),
    vehicle: vehicleOf("hexa650"),
    instance: 0,
    autopilot: createAutopilot,
    camera: { width: 64, height: 48, rate_hz: 10 },
  });
  const mavlink = must(
    await openMavlinkServer({ system_id: 1, bind_port: 0, remote_port: station.address().port, seed }),
  );
  const path = join(tmpdir(), `kingfisher-run-test-${process.pid}-${seed}.sock`);
  const camera = must(
    await CameraServer.listen(
      path,
      simulation.camera?.hello ?? must({ ok: false, error: "no camera" }),
      true,
    ),
  );
  const barrier = must(await BarrierServer.listen(0));
  cleanup.push(() => mavlink.close());

  const captured: number[] = [];
  let hello: unknown = null;
  let buffer = Buffer.alloc(0);
  const eye = createConnection(path);
  eye.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    while (buffer.length >= 12) {
      expect(buffer.readUInt32LE(0)).toBe(cameraMagic);
      const [head, body] = [buffer.readUInt32LE(4), buffer.readUInt32LE(8)];
      if (buffer.length < 12 + head + body) break;
      const header: unknown = JSON.parse(buffer.subarray(12, 12 + head).toString());
      if (hello === null) hello = CameraHello.parse(header);
      else {
        captured.push(CameraFrame.parse(header).captured_us);
        expect(body).toBe(64 * 48 * 5);
      }
      buffer = buffer.subarray(12 + head + body);
      wake();
    }
  });
  await new Promise<void>((resolve) => {
    const check = (): void => {
      if (hello !== null) resolve();
    };
    wake = check;
    check();
  });
  const clock = createConnection(barrier.port, "127.0.0.1");
  let text = "";
  clock.on("data", (bytes) => {
    text += bytes.toString();
    const end = text.indexOf("\n");
    if (end < 0) return;
    const step = BarrierStep.parse(JSON.parse(text.slice(0, end)));
    text = text.slice(end + 1);
    const answer = (): void => {
      if (datagrams < step.datagrams || captured.length < step.frames) return;
      wake = (): void => {};
      if (step.t_ms >= seconds * 1000) clock.end();
      else clock.write(`${JSON.stringify({ kind: "done", t_ms: step.t_ms, datagrams: 0 })}\n`);
    };
    wake = answer;
    answer();
  });
  await runLockstep({ simulation, mavlink, camera }, barrier, () => false);
  const hash = simulation.hash();
  eye.destroy();
  await Promise.all([camera.close(), barrier.close()]);
  simulation.close();
  return { hash, captured, hello, datagrams };
}

test("over the counted barrier every datagram and every frame arrives, ten frames a second, and one seed is one flight", async () => {
  const first = await fly(3, 2);
  expect(first.captured).toEqual(Array.from({ length: 19 }, (_, i) => (i + 1) * 100_000));
  expect(first.datagrams).toBeGreaterThan(50);
  const second = await fly(3, 2);
  expect(second.hash).toBe(first.hash);
  expect(second.datagrams).toBe(first.datagrams);
  const other = await fly(4, 2);
  expect(other.hash).not.toBe(first.hash);
}, 120_000);
