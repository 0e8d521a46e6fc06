import { expect, test } from "vitest";
import type { CameraPicture } from "#contract/ipc";
import { createFrameFlow } from "./frame-flow";

const picture = (seq: number): CameraPicture => ({
  camera: "front",
  seq,
  captured_at_ms: seq,
  colour_jpeg: new Uint8Array(),
  depth_jpeg: new Uint8Array(),
});

test("one picture is in flight, the newest waits, those between are dropped", () => {
  const posted: number[] = [];
  const flow = createFrameFlow(({ seq }) => posted.push(seq));
  for (const seq of [1, 2, 3, 4]) flow.offer(picture(seq));
  expect(posted).toEqual([1]);
  flow.acknowledge(1);
  expect(posted).toEqual([1, 4]);
  flow.acknowledge(4);
  expect(posted).toEqual([1, 4]);
  flow.offer(picture(5));
  expect(posted).toEqual([1, 4, 5]);
});

test("an acknowledgement of anything but the picture in flight is ignored", () => {
  const posted: number[] = [];
  const flow = createFrameFlow(({ seq }) => posted.push(seq));
  flow.offer(picture(7));
  flow.offer(picture(8));
  flow.acknowledge(6);
  flow.acknowledge(Number.NaN);
  expect(posted).toEqual([7]);
});
