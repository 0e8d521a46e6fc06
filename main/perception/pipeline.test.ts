import { describe, expect, test } from "vitest";
import { type Enu, quatFromYaw } from "#contract/frames";
import { type Box, floor, gaussian, hello, render, table, wall } from "../../tests/support/ray-cast";
import { initialTracker, perceive } from "./pipeline";

const red: Box = { at: [2.3, 0.3, 0.8], half: [0.04, 0.04, 0.05], rgb: [190, 40, 45] };
const green: Box = { at: [2.35, -0.2, 0.85], half: [0.035, 0.035, 0.1], rgb: [40, 140, 60] };
const blue: Box = { at: [2.2, 0.02, 0.79], half: [0.1, 0.06, 0.04], rgb: [50, 70, 180] };
const hover: Enu = [0, 0, 1.5];

function watch(
  scenes: readonly { boxes: readonly Box[]; position: Enu; yaw: number }[],
): ReturnType<typeof perceive> {
  const noise = gaussian(7);
  let state = initialTracker;
  let last: ReturnType<typeof perceive> | undefined;
  for (const [i, { boxes, position, yaw }] of scenes.entries()) {
    const frame = render([floor, wall, table, ...boxes], position, yaw, noise);
    const timing = { captured_at_ms: 100 * i, latency_ms: 0, frames_per_s: 10, pose_gap_ms: 0 };
    last = perceive(
      state,
      hello,
      frame,
      { position_enu_m: position, quat_flu_enu: quatFromYaw(yaw) },
      timing,
    );
    state = last.state;
  }
  if (last === undefined) throw new Error("Invariant: at least one scene");
  return last;
}
const still = (n: number, boxes: readonly Box[]) =>
  Array.from({ length: n }, () => ({ boxes, position: hover, yaw: 0 }));

describe("objects on a table", () => {
  test("are found, placed within 2 cm and half their depth, and described by colour and shape", () => {
    const { report } = watch(still(6, [red, green, blue]));
    expect(report.objects.map((o) => o.label).sort()).toEqual([
      "blue object",
      "green upright object",
      "red object",
    ]);
    for (const [label, box] of [
      ["red object", red],
      ["green upright object", green],
      ["blue object", blue],
    ] as const) {
      const found = report.objects.find((o) => o.label === label);
      expect(found?.seen).toBe(true);
      const p = found?.position_enu_m ?? [9, 9, 9];
      expect(Math.hypot(p[0] - box.at[0], p[1] - box.at[1])).toBeLessThan(0.02 + 0.5 * box.half[0]);
    }
    expect(report.ahead_m).toBeGreaterThan(3.5);
    expect(report.localised).toBe(true);
  });

  test("keep their identity and show a 6 cm push as 6 cm within 1 cm", () => {
    const before = watch(still(6, [red, green, blue])).report.objects.find((o) => o.label === "red object");
    const pushed: Box = { ...red, at: [2.3, 0.36, 0.8] };
    const after = watch([
      ...still(6, [red, green, blue]),
      ...still(3, [pushed, green, blue]),
    ]).report.objects.find((o) => o.id === before?.id);
    expect(after?.seen).toBe(true);
    const moved = Math.hypot(
      (after?.position_enu_m[0] ?? 9) - (before?.position_enu_m[0] ?? 0),
      (after?.position_enu_m[1] ?? 9) - (before?.position_enu_m[1] ?? 0),
    );
    expect(moved).toBeGreaterThan(0.05);
    expect(moved).toBeLessThan(0.07);
  });

  test("stay put within 2 cm while the vehicle moves half a metre and turns", () => {
    const first = watch(still(6, [red, green, blue])).report.objects;
    const moved = watch([
      ...still(6, [red, green, blue]),
      ...Array.from({ length: 6 }, (_, i) => ({
        boxes: [red, green, blue],
        position: [0.1 * i, 0.05 * i, 1.5] as Enu,
        yaw: -0.03 * i,
      })),
    ]).report.objects;
    for (const o of first) {
      const now = moved.find((m) => m.id === o.id);
      if (now?.seen !== true) continue;
      const d = Math.hypot(
        now.position_enu_m[0] - o.position_enu_m[0],
        now.position_enu_m[1] - o.position_enu_m[1],
      );
      expect(d).toBeLessThan(0.02 + 0.1 * o.size_m[0]);
    }
    expect(moved.filter((m) => m.seen).length).toBeGreaterThanOrEqual(2);
  });

  test("that vanish are not seen, and are never reported as unmoved", () => {
    const { report } = watch([...still(6, [red, green, blue]), ...still(2, [green, blue])]);
    const gone = report.objects.find((o) => o.label === "red object");
    expect(gone?.seen).toBe(false);
    expect(gone?.box_px).toBeNull();
    expect(gone?.last_seen_at_ms).toBe(500);
  });

  test("hidden behind something nearer are not measured", () => {
    const screen: Box = { at: [1.6, 0.22, 1.02], half: [0.01, 0.04, 0.2], rgb: [220, 220, 220] };
    const { report } = watch([...still(6, [red, green]), ...still(2, [red, green, screen])]);
    expect(report.objects.find((o) => o.label === "red object")?.seen).toBe(false);
    expect(report.objects.find((o) => o.label === "green upright object")?.seen).toBe(true);
  });
});

test("without a pose nothing is localised and nothing counts as seen", () => {
  const frame = render([floor, wall, table, red], hover, 0, gaussian(1));
  const timing = { captured_at_ms: 0, latency_ms: 0, frames_per_s: 10, pose_gap_ms: 0 };
  const { report } = perceive(initialTracker, hello, frame, null, timing);
  expect(report.localised).toBe(false);
  expect(report.objects).toEqual([]);
  expect(report.ahead_m).toBeNull();
});
