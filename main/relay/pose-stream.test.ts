import { describe, expect, it } from "vitest";
import { eulerFluEnu } from "#contract/frames";
import { initialStream, type Pose, type StreamState, stepStream } from "./pose-stream";

const still = { yaw_rad: 0, offset_enu_m: [0, 0, 0] as const };
const packet = (t: number, x: number, more: object = {}): string =>
  JSON.stringify({ t, p: [x, 0, 1], q: [1, 0, 0, 0], ...more });

function feed(
  packets: readonly (readonly [now_ms: number, text: string])[],
  placement: Parameters<typeof stepStream>[2] = still,
) {
  let state: StreamState = initialStream;
  const poses: Pose[] = [];
  const refused: string[] = [];
  for (const [now_ms, text] of packets) {
    const step = stepStream(state, text, placement, now_ms);
    if (!step.ok) {
      refused.push(step.error);
      continue;
    }
    state = step.value.state;
    if (step.value.pose !== null) poses.push(step.value.pose);
  }
  return { poses, refused, state };
}

describe("the pose stream", () => {
  it("is placed in the site, position and heading", () => {
    const { poses } = feed([[0, packet(5, 2)]], { yaw_rad: Math.PI / 2, offset_enu_m: [1, 1, -0.5] });
    expect(poses[0]?.position_enu_m.map((x) => Math.round(x * 1e6) / 1e6)).toEqual([1, 3, 0.5]);
    expect(eulerFluEnu(poses[0]?.quat_flu_enu ?? [1, 0, 0, 0]).yaw_rad).toBeCloseTo(Math.PI / 2);
    expect(poses[0]).toMatchObject({ quality: 0, reset_counter: 0, age_ms: 0 });
  });

  it("is thinned to about 50 Hz, and a packet that was held up is told as old", () => {
    const packets = [...Array(100).keys()].map((i) => [i * 4, packet(i * 0.004, 0)] as const);
    expect(feed(packets).poses.length).toBeLessThan(26);
    const { poses } = feed([
      [100, packet(1, 0)],
      [200, packet(1.1, 0)],
      [380, packet(1.2, 0)],
    ]);
    expect(poses.map((p) => Math.round(p.age_ms))).toEqual([0, 0, 80]);
  });

  it("counts a reset for a jump, a gap, and the tracker's own word; motion is none", () => {
    const resets = (packets: Parameters<typeof feed>[0]) => feed(packets).poses.map((p) => p.reset_counter);
    expect(
      resets([
        [0, packet(0, 0)],
        [100, packet(0.1, 0.3)],
        [200, packet(0.2, 0.6)],
      ]),
    ).toEqual([0, 0, 0]);
    expect(
      resets([
        [0, packet(0, 0)],
        [20, packet(0.02, 2)],
      ]),
    ).toEqual([0, 1]);
    expect(
      resets([
        [0, packet(0, 0)],
        [900, packet(0.9, 0)],
      ]),
    ).toEqual([0, 1]);
    expect(
      resets([
        [0, packet(0, 0, { reset: 3 })],
        [20, packet(0.02, 0, { reset: 4 })],
      ]),
    ).toEqual([0, 1]);
  });

  it.each([
    ["rubbish", "a packet is not JSON"],
    [packet(Number.NaN, 0), "a packet's t: Invalid input: expected number, received null"],
    [JSON.stringify({ t: 1, p: [0, 0, 0], q: [0, 0, 0, 0] }), "a packet's q is no rotation"],
    [packet(1, 0, { quality: 200 }), "a packet's quality: Too big: expected number to be <=100"],
  ])("refuses %s", (text, why) => {
    expect(feed([[0, text]]).refused).toEqual([why]);
  });

  it("refuses what comes late, and goes on with a tracker that started anew", () => {
    const { refused, poses } = feed([
      [0, packet(10, 0)],
      [20, packet(9.9, 0)],
      [40, packet(10.04, 0)],
      [2000, packet(0, 0)],
    ]);
    expect(refused).toEqual(["a packet is older than the one before it"]);
    expect(poses.map((p) => p.reset_counter)).toEqual([0, 0, 1]);
  });
});
