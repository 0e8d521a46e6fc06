import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quatFromYaw } from "#contract/frames";
import { between, emptyPoseBuffer, type PoseBuffer, poseAt, pushPose, type TimedPose } from "./pose-buffer";

const pose = (at_ms: number, x: number, yaw = 0): TimedPose => ({
  at_ms,
  position_enu_m: [x, 0, 1],
  quat_flu_enu: quatFromYaw(yaw),
});

/** Samples every 100 ms at 1 m/s, each told the moment it was taken. Station time is page time plus 5000. */
function steadyFlight(count: number): PoseBuffer {
  let buffer = emptyPoseBuffer;
  for (let i = 0; i < count; i += 1) buffer = pushPose(buffer, pose(5000 + i * 100, i * 0.1), i * 100);
  return buffer;
}

describe("pose buffer", () => {
  it("plays a steady flight without a jump between drawn frames", () => {
    const buffer = steadyFlight(10);
    const xs = Array.from(
      { length: 30 },
      (_, i) => poseAt(buffer, 400 + i * 16)?.pose.position_enu_m[0] ?? Number.NaN,
    );
    for (let i = 1; i < xs.length; i += 1) expect((xs[i] ?? 0) - (xs[i - 1] ?? 0)).toBeCloseTo(0.016, 6);
  });

  it("stands still after the last sample: a lost link must not look like flight", () => {
    const buffer = steadyFlight(10);
    const soon = poseAt(buffer, 900 + 110 + 150);
    const later = poseAt(buffer, 900 + 20_000);
    expect(later?.moving).toBe(false);
    expect(later?.pose.position_enu_m[0]).toBeCloseTo(soon?.pose.position_enu_m[0] ?? 0, 6);
    expect(later?.pose.position_enu_m[0]).toBeLessThanOrEqual(0.9 + 0.15 + 1e-9);
  });

  it("does not fly through the room when the position is reset (PX4-Autopilot#7491)", () => {
    const buffer = pushPose(steadyFlight(5), pose(5500, 5), 500);
    expect(poseAt(buffer, 560)?.pose.position_enu_m[0]).toBe(5);
  });

  it("starts again when the station's clock goes back", () => {
    const buffer = pushPose(steadyFlight(5), pose(100, 0.4), 600);
    expect(buffer.samples).toHaveLength(1);
    expect(poseAt(buffer, 700)?.pose.at_ms).toBe(100);
  });

  it("refuses poses that are not numbers", () => {
    expect(pushPose(emptyPoseBuffer, pose(1, Number.NaN), 0)).toBe(emptyPoseBuffer);
  });

  it("has nothing to draw before the first sample", () => {
    expect(poseAt(emptyPoseBuffer, 0)).toBeNull();
  });

  it("turns the short way and keeps unit quaternions", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (yaw, turn, u) => {
          const flipped = quatFromYaw(yaw + turn).map((v) => -v) as unknown as TimedPose["quat_flu_enu"];
          const q = between(pose(0, 0, yaw), { ...pose(100, 0), quat_flu_enu: flipped }, u, 0).quat_flu_enu;
          expect(Math.hypot(...q)).toBeCloseTo(1, 9);
          const mid = quatFromYaw(yaw + turn * u);
          const dot = Math.abs(q[0] * mid[0] + q[3] * mid[3]);
          expect(dot).toBeGreaterThan(0.998);
        },
      ),
    );
  });
});
