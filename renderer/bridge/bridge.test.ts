import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
import { cameraPortMessage } from "#contract/channels";
import type { CameraPicture } from "#contract/ipc";
import { createCameraHub } from "./bridge";

const picture = (seq: number): CameraPicture => ({
  camera: "wrist",
  seq,
  captured_at_ms: seq,
  colour_jpeg: Uint8Array.of(1),
  depth_jpeg: Uint8Array.of(2),
});

function open() {
  let arrive: (event: { data: unknown; ports: readonly MessagePort[] }) => void = () => undefined;
  const hub = createCameraHub({
    addEventListener: (_type, listener) => {
      arrive = listener;
    },
  });
  const { port1, port2 } = new MessageChannel();
  const acknowledged: unknown[] = [];
  const next = () =>
    new Promise<void>((resolve) =>
      port1.once("message", (seq) => {
        acknowledged.push(seq);
        resolve();
      }),
    );
  arrive({ data: { type: cameraPortMessage, camera: "wrist" }, ports: [port2 as unknown as MessagePort] });
  return { hub, port: port1, acknowledged, next, arrive };
}

it("acknowledges a picture when every listener has drawn it, and not before", async () => {
  const { hub, port, acknowledged, next } = open();
  let drawn = (): void => undefined;
  const shown: number[] = [];
  hub.onPicture(({ seq }) => {
    shown.push(seq);
    return new Promise<void>((resolve) => {
      drawn = resolve;
    });
  });
  const first = next();
  port.postMessage(picture(7));
  await new Promise<void>((resolve) => {
    const cancel = hub.onPicture(() => {
      cancel();
      resolve();
    });
  });
  expect(shown).toEqual([7]);
  expect(acknowledged).toEqual([]);
  drawn();
  await first;
  expect(acknowledged).toEqual([7]);
  expect(hub.latest("wrist")?.seq).toBe(7);
  expect(hub.cameras()).toEqual(["wrist"]);
  port.close();
});

it("goes on when a listener fails, and without any listener", async () => {
  const { hub, port, acknowledged, next } = open();
  const one = next();
  port.postMessage(picture(1));
  await one;
  hub.onPicture(() => {
    throw new Error("broken panel");
  });
  const two = next();
  port.postMessage(picture(2));
  await two;
  expect(acknowledged).toEqual([1, 2]);
  port.close();
});

it("takes no ports from other messages", () => {
  const { hub, port, arrive } = open();
  arrive({ data: { type: "something else", camera: "x" }, ports: [] });
  arrive({ data: null, ports: [] });
  arrive({ data: { type: cameraPortMessage }, ports: [] });
  expect(hub.cameras()).toEqual([]);
  port.close();
});
