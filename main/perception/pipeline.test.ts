import { describe, expect, test } from "vitest";
import { type CameraHello } from "#contract/camera-wire";
import { type Enu, quatFromYaw } from "#contract/frames";
import type { RgbdFrame } from "../camera/port";
import { initialTracker, perceive } from "./pipeline";

/** A camera at a hover looking forward and 28 degrees down, over an analytically ray-cast table with boxes on it. */
const pitch = (28 * Math.PI) / 180;
const W = 320;
const H = 240;
const hello: CameraHello = {
  kind: "hello",
  camera: "body",
  intrinsics: { width: W, height: H, fx: 168.6, fy: 168.6, cx: 159.5, cy: 119.5 },
  mount_position_flu_m: [0.12, 0, -0.05],
  mount_quat: opticalToFlu(),
  depth_range_m: [0.4, 6],
  clock: "vehicle_boot",
};

/** Optical axes (right, down, forward) into FLU, pitched down. */
function opticalToFlu(): [number, number, number, number] {
  // Columns of the rotation: right = -y, down = (-sin, 0, -cos), forward = (cos, 0, -sin).
  const s = Math.sin(pitch);
  const c = Math.cos(pitch);
  const m = [
    [0, -s, c],
    [-1, 0, 0],
    [0, -c, -s],
  ] as const;
  const w = Math.sqrt(1 + m[0][0] + m[1][1] + m[2][2]) / 2;
  return [w, (m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w), (m[1][0] - m[0][1]) / (4 * w)];
}

interface Box {
  readonly at: readonly [number, number, number];
  readonly half: readonly [number, number, number];
  readonly rgb: readonly [number, number, number];
}
const table: Box = { at: [2.4, 0, 0.7], half: [0.4, 0.7, 0.05], rgb: [150, 110, 70] };
const floor: Box = { at: [0, 0, -0.05], half: [9, 9, 0.05], rgb: [90, 90, 90] };
const wall: Box = { at: [4, 0, 1.5], half: [0.05, 4, 1.5], rgb: [180, 180, 180] };

function render(boxes: readonly Box[], position: Enu, yaw_rad: number, noise: () => number): RgbdFrame {
  const colour = new Uint8Array(3 * W * H);
  const depth = new Uint16Array(W * H);
  const cy = Math.cos(yaw_rad);
  const sy = Math.sin(yaw_rad);
  const s = Math.sin(pitch);
  const c = Math.cos(pitch);
  const turn = (x: number, y: number, z: number): [number, number, number] => [
    x * cy - y * sy,
    x * sy + y * cy,
    z,
  ];
  const [lx, ly, lz] = hello.mount_position_flu_m;
  const lens = turn(lx, ly, lz);
  const o = [position[0] + lens[0], position[1] + lens[1], position[2] + lens[2]] as const;
  for (let v = 0; v < H; v++)
    for (let u = 0; u < W; u++) {
      const a = (u - hello.intrinsics.cx) / hello.intrinsics.fx;
      const b = (v - hello.intrinsics.cy) / hello.intrinsics.fy;
      const d = turn(c - b * s, -a, -s - b * c);
      let best = Infinity;
      let rgb: Box["rgb"] = [0, 0, 0];
      for (const box of boxes) {
        let near = 0;
        let far = Infinity;
        for (let k = 0; k < 3; k++) {
          const i = k as 0 | 1 | 2;
          const t1 = (box.at[i] - box.half[i] - o[i]) / d[i];
          const t2 = (box.at[i] + box.half[i] - o[i]) / d[i];
          near = Math.max(near, Math.min(t1, t2));
          far = Math.min(far, Math.max(t1, t2));
        }
        if (near <= far && near > 0 && near < best) {
          best = near;
          rgb = box.rgb;
        }
      }
      const i = v * W + u;
      if (best < 6 && best > 0.4)
        depth[i] = Math.round(1000 * (best + noise() * ((best * best * 0.08) / 60.8)));
      colour.set(rgb, 3 * i);
    }
  return {
    header: { kind: "frame", seq: 1, captured_us: 0, width: W, height: H, depth_unit_m: 0.001 },
    colour,
    depth,
  };
}

function gaussian(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

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
