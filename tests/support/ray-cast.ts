import type { CameraHello } from "#contract/camera-wire";
import type { Enu } from "#contract/frames";
import type { RgbdFrame } from "../../main/camera/port";

/** A camera at a hover looking forward and 28 degrees down, over an analytically ray-cast table with boxes on it. */
const pitch = (28 * Math.PI) / 180;
const W = 320;
const H = 240;
export const hello: CameraHello = {
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

export interface Box {
  readonly at: readonly [number, number, number];
  readonly half: readonly [number, number, number];
  readonly rgb: readonly [number, number, number];
}
export const table: Box = { at: [2.4, 0, 0.7], half: [0.4, 0.7, 0.05], rgb: [150, 110, 70] };
export const floor: Box = { at: [0, 0, -0.05], half: [9, 9, 0.05], rgb: [90, 90, 90] };
export const wall: Box = { at: [4, 0, 1.5], half: [0.05, 4, 1.5], rgb: [180, 180, 180] };

/** `blind_fb`: focal length times stereo baseline, pixels x metres; that over the depth is the width of the blind band at the left. */
export function render(
  boxes: readonly Box[],
  position: Enu,
  yaw_rad: number,
  noise: () => number,
  blind_fb = 0,
): RgbdFrame {
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
      if (best < 6 && best > 0.4 && u >= blind_fb / best)
        depth[i] = Math.round(1000 * (best + noise() * ((best * best * 0.08) / 60.8)));
      colour.set(rgb, 3 * i);
    }
  return {
    header: { kind: "frame", seq: 1, captured_us: 0, width: W, height: H, depth_unit_m: 0.001 },
    colour,
    depth,
  };
}

export function gaussian(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
